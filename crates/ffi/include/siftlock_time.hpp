// Converts times of the standard library to those of siftlock.h. Programs include siftlock.hpp.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_TIME_HPP
#define SIFTLOCK_TIME_HPP

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <limits>
#include <type_traits>

namespace siftlock {
namespace detail {

// Floating-point, so that a conversion from any other duration does not overflow.
using seconds = std::chrono::duration<long double>;

// A time since a clock's origin. A time before the origin counts as the origin. A time that
// nanoseconds cannot count becomes the last time of a timespec.
template <class Duration> timespec since_origin(const Duration &time) {
    constexpr auto last = std::numeric_limits<std::time_t>::max();
    const seconds countable = std::min(seconds(6e9L), seconds(last));
    if (seconds(time) <= seconds(0)) return timespec{};
    if (seconds(time) >= countable) {
        timespec end{};
        end.tv_sec = last;
        return end;
    }
    const auto nanos = std::chrono::ceil<std::chrono::nanoseconds>(time).count();
    timespec at{};
    at.tv_sec = static_cast<std::time_t>(nanos / 1'000'000'000);
    at.tv_nsec = static_cast<long>(nanos % 1'000'000'000);
    return at;
}

// The time on the monotonic clock at which `wait` is over.
template <class Rep, class Period>
timespec from_now(const std::chrono::duration<Rep, Period> &wait) {
    using std::chrono::nanoseconds;
    if (seconds(wait) <= seconds(0)) return timespec{};
    if (seconds(wait) >= seconds(3e9L)) return since_origin(seconds(6e9L));
    // On Linux this clock is CLOCK_MONOTONIC.
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return since_origin(nanoseconds(now) + std::chrono::ceil<nanoseconds>(wait));
}

// Calls `take` to wait for a length of time. `take` gets a clock of the system and a time of it.
template <class Rep, class Period, class Take>
int within(const std::chrono::duration<Rep, Period> &wait, Take take) {
    return take(CLOCK_MONOTONIC, from_now(wait));
}

// Calls `take` to wait until a time of any clock. `take` gets a clock of the system and a time of
// it.
template <class Clock, class Duration, class Take>
int until(const std::chrono::time_point<Clock, Duration> &time, Take take) {
    if constexpr (std::is_same_v<Clock, std::chrono::steady_clock>) {
        return take(CLOCK_MONOTONIC, since_origin(time.time_since_epoch()));
    } else if constexpr (std::is_same_v<Clock, std::chrono::system_clock>) {
        return take(CLOCK_REALTIME, since_origin(time.time_since_epoch()));
    } else {
        // In the clock's own counts a difference of two times may overflow.
        const auto left = [&time] {
            return seconds(time.time_since_epoch()) - seconds(Clock::now().time_since_epoch());
        };
        int error;
        do {
            error = take(CLOCK_MONOTONIC, from_now(left()));
        } while (error == ETIMEDOUT && left() > seconds(0));
        return error;
    }
}

} // namespace detail
} // namespace siftlock

#endif
