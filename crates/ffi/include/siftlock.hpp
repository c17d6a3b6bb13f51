// siftlock for C++17: a lock for std::shared_lock, std::unique_lock and std::scoped_lock.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_HPP
#define SIFTLOCK_HPP

#include "siftlock.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <limits>
#include <system_error>
#include <type_traits>

namespace siftlock {

// What the lock is made of. Programs do not use it.
namespace detail {

// Of any number type, so that no time overflows it.
using seconds = std::chrono::duration<long double>;

// Whether the lock was taken. Throws for all but the errors by which a try says no.
inline bool taken(int error, const char *call) {
    if (error == 0) return true;
    if (error == EBUSY || error == ETIMEDOUT) return false;
    throw std::system_error(error, std::generic_category(), call);
}

inline void check(int error, const char *call) {
    if (error != 0) throw std::system_error(error, std::generic_category(), call);
}

// A time since a clock's origin. Before the origin is as good as the origin. Times that nanoseconds cannot count
// are the last that there is.
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

// So much time from now, on the monotonic clock.
template <class Rep, class Period>
timespec from_now(const std::chrono::duration<Rep, Period> &wait) {
    using std::chrono::nanoseconds;
    if (seconds(wait) <= seconds(0)) return timespec{};
    if (seconds(wait) >= seconds(3e9L)) return since_origin(seconds(6e9L));
    // On Linux this clock is CLOCK_MONOTONIC.
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return since_origin(nanoseconds(now) + std::chrono::ceil<nanoseconds>(wait));
}

// Has `take` wait until a time of any clock. `take` is given a clock of the system and a time.
template <class Clock, class Duration, class Take>
int until(const std::chrono::time_point<Clock, Duration> &time, Take take) {
    if constexpr (std::is_same_v<Clock, std::chrono::steady_clock>) {
        return take(CLOCK_MONOTONIC, since_origin(time.time_since_epoch()));
    } else if constexpr (std::is_same_v<Clock, std::chrono::system_clock>) {
        return take(CLOCK_REALTIME, since_origin(time.time_since_epoch()));
    } else {
        int error;
        do {
            error = take(CLOCK_MONOTONIC, from_now(time - Clock::now()));
        } while (error == ETIMEDOUT && Clock::now() < time);
        return error;
    }
}

} // namespace detail

// A reader-writer lock: many threads read, or one writes. It meets the standard's SharedTimedMutex and Boost's
// UpgradeLockable. See siftlock_rwsem in siftlock.h for what each call waits for, and for what must not be done:
// above all, do not read what the same thread reads already.
//
// Constant-initialized and without a destructor, so global locks work before and after main.
//
// Errors are std::system_error. EAGAIN: too many reads were never unlocked. EPERM: an unlock of what nobody holds.
class rwsem {
public:
    using native_handle_type = siftlock_rwsem *;

    constexpr rwsem() noexcept = default;
    rwsem(const rwsem &) = delete;
    rwsem &operator=(const rwsem &) = delete;

    // For the functions of siftlock.h.
    native_handle_type native_handle() noexcept { return &lock_; }

    // Writes.

    void lock() { detail::check(siftlock_rwsem_write(&lock_), "lock"); }
    void unlock() { detail::check(siftlock_rwsem_write_unlock(&lock_), "unlock"); }

    [[nodiscard]] bool try_lock() {
        return detail::taken(siftlock_rwsem_try_write(&lock_), "try_lock");
    }

    template <class Rep, class Period>
    [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period> &wait) {
        return write_until(CLOCK_MONOTONIC, detail::from_now(wait));
    }

    template <class Clock, class Duration>
    [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration> &time) {
        const auto take = [this](int clock, const timespec &at) {
            return siftlock_rwsem_write_until(&lock_, clock, &at);
        };
        return detail::taken(detail::until(time, take), "try_lock_until");
    }

    // Reads.

    void lock_shared() { detail::check(siftlock_rwsem_read(&lock_), "lock_shared"); }
    void unlock_shared() { detail::check(siftlock_rwsem_read_unlock(&lock_), "unlock_shared"); }

    [[nodiscard]] bool try_lock_shared() {
        return detail::taken(siftlock_rwsem_try_read(&lock_), "try_lock_shared");
    }

    template <class Rep, class Period>
    [[nodiscard]] bool try_lock_shared_for(const std::chrono::duration<Rep, Period> &wait) {
        return read_until(CLOCK_MONOTONIC, detail::from_now(wait));
    }

    template <class Clock, class Duration>
    [[nodiscard]] bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration> &time) {
        const auto take = [this](int clock, const timespec &at) {
            return siftlock_rwsem_read_until(&lock_, clock, &at);
        };
        return detail::taken(detail::until(time, take), "try_lock_shared_until");
    }

    // Upgradable reads: one thread at a time reads beside others, and may write next.

    void lock_upgrade() { detail::check(siftlock_rwsem_upgradable(&lock_), "lock_upgrade"); }
    void unlock_upgrade() {
        detail::check(siftlock_rwsem_upgradable_unlock(&lock_), "unlock_upgrade");
    }

    [[nodiscard]] bool try_lock_upgrade() {
        return detail::taken(siftlock_rwsem_try_upgradable(&lock_), "try_lock_upgrade");
    }

    // Changes of what is held. No writer comes in between.

    void unlock_and_lock_shared() {
        detail::check(siftlock_rwsem_downgrade(&lock_), "unlock_and_lock_shared");
    }
    void unlock_and_lock_upgrade() {
        detail::check(siftlock_rwsem_downgrade_to_upgradable(&lock_), "unlock_and_lock_upgrade");
    }
    void unlock_upgrade_and_lock_shared() {
        detail::check(siftlock_rwsem_downgrade_upgradable(&lock_), "unlock_upgrade_and_lock_shared");
    }
    // Waits for the other readers to leave.
    void unlock_upgrade_and_lock() {
        detail::check(siftlock_rwsem_upgrade(&lock_), "unlock_upgrade_and_lock");
    }
    // Where it says no, the upgradable read is still held.
    [[nodiscard]] bool try_unlock_upgrade_and_lock() {
        return detail::taken(siftlock_rwsem_try_upgrade(&lock_), "try_unlock_upgrade_and_lock");
    }

private:
    bool write_until(int clock, const timespec &at) {
        return detail::taken(siftlock_rwsem_write_until(&lock_, clock, &at), "try_lock_for");
    }

    bool read_until(int clock, const timespec &at) {
        return detail::taken(siftlock_rwsem_read_until(&lock_, clock, &at), "try_lock_shared_for");
    }

    siftlock_rwsem lock_ = SIFTLOCK_RWSEM_INIT;
};

} // namespace siftlock

#endif
