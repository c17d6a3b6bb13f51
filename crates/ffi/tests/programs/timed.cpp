// Time-outs of the standard's guards, by any clock and in any unit.

#include "check.h"
#include <chrono>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <siftlock.hpp>
#include <thread>

using namespace std::chrono_literals;

// A clock that is neither the standard's nor the system's.
struct slow_clock {
    using rep = long long;
    using period = std::milli;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<slow_clock>;
    static constexpr bool is_steady = true;
    static time_point now() {
        const auto real = std::chrono::steady_clock::now().time_since_epoch();
        return time_point(std::chrono::duration_cast<duration>(real / 4));
    }
};

// A clock whose origin is yet to come: times at its ends overflow when its own are taken off.
struct late_clock {
    using rep = long long;
    using period = std::nano;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<late_clock>;
    static constexpr bool is_steady = true;
    static time_point now() {
        const auto real = std::chrono::steady_clock::now().time_since_epoch();
        return time_point(real - std::chrono::hours(24 * 365 * 200));
    }
};

// Runs `body` in another thread while this thread holds the lock.
template <class Lock, class Body> void while_held(Lock &lock, Body body) {
    std::unique_lock held(lock);
    std::thread(body).join();
}

template <class Clock, class Lock> void times_out_by(Lock &lock) {
    while_held(lock, [&] {
        const auto at = Clock::now() + std::chrono::milliseconds(10);
        CHECK(!std::unique_lock(lock, at).owns_lock());
        CHECK(Clock::now() >= at);
        CHECK(!std::shared_lock(lock, at).owns_lock());
        CHECK(!lock.try_lock_until(Clock::now() - std::chrono::hours(1)));
        CHECK(!lock.try_lock_shared_until(Clock::now() - std::chrono::hours(1)));
    });
    while_held(lock, [&] { CHECK(!lock.try_lock_until(Clock::time_point::min())); });
    const auto at = Clock::now() + std::chrono::hours(1);
    CHECK(std::unique_lock(lock, at).owns_lock());
    CHECK(std::shared_lock(lock, at).owns_lock());
}

template <class Lock, class Duration> void does_not_wait(Lock &lock, Duration none) {
    while_held(lock, [&] {
        CHECK(!lock.try_lock_for(none));
        CHECK(!lock.try_lock_shared_for(none));
    });
    CHECK(std::unique_lock(lock, none).owns_lock());
    CHECK(std::shared_lock(lock, none).owns_lock());
}

// Waits that end because the lock becomes free, long before `far`.
template <class Lock, class Time> void waits_for(Lock &lock, Time far) {
    std::unique_lock held(lock);
    std::thread waiter([&] { CHECK(std::unique_lock(lock, far).owns_lock()); });
    std::thread other([&] { CHECK(std::shared_lock(lock, far).owns_lock()); });
    std::this_thread::sleep_for(15ms);
    held.unlock();
    waiter.join();
    other.join();
}

template <class Lock> void waits() {
    Lock lock;
    times_out_by<std::chrono::steady_clock>(lock);
    times_out_by<std::chrono::system_clock>(lock);
    times_out_by<slow_clock>(lock);
    times_out_by<late_clock>(lock);

    does_not_wait(lock, 0s);
    does_not_wait(lock, -1h);
    does_not_wait(lock, std::chrono::hours::min());
    does_not_wait(lock, -0.5s);

    waits_for(lock, 30s);
    waits_for(lock, std::chrono::hours::max());
    waits_for(lock, std::chrono::nanoseconds::max());
    waits_for(lock, std::chrono::duration<double>(1e300));
    waits_for(lock, std::chrono::duration<long long, std::pico>(30'000'000'000'000));
    waits_for(lock, std::chrono::steady_clock::time_point::max());
    waits_for(lock, std::chrono::system_clock::time_point::max());
    waits_for(lock, late_clock::time_point::max());

    // A wait never ends early, however short it is.
    while_held(lock, [&] {
        for (const auto wait : {1ns, 999ns, 1'000'001ns, 5'000'000ns}) {
            const auto begin = std::chrono::steady_clock::now();
            CHECK(!lock.try_lock_for(wait));
            CHECK(std::chrono::steady_clock::now() - begin >= wait);
        }
    });
}

int main() {
    end_after_a_minute();
    waits<siftlock::rwsem>();
    waits<siftlock::psrw>();
}
