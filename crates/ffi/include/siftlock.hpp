// siftlock for C++17: locks for std::shared_lock, std::unique_lock and std::scoped_lock.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_HPP
#define SIFTLOCK_HPP

#include "siftlock.h"
#include "siftlock_time.hpp"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

namespace siftlock {

// What the locks are made of. Programs do not use it.
namespace detail {

// Whether the lock was taken. Throws for all but the errors by which a try says no.
inline bool taken(int error, const char *call) {
    if (error == 0) return true;
    if (error == EBUSY || error == ETIMEDOUT) return false;
    throw std::system_error(error, std::generic_category(), call);
}

inline void check(int error, const char *call) {
    if (error != 0) throw std::system_error(error, std::generic_category(), call);
}

// The functions of both locks, by one name each.
inline int write(siftlock_rwsem *lock) { return siftlock_rwsem_write(lock); }
inline int try_write(siftlock_rwsem *lock) { return siftlock_rwsem_try_write(lock); }
inline int write_unlock(siftlock_rwsem *lock) { return siftlock_rwsem_write_unlock(lock); }
inline int read(siftlock_rwsem *lock) { return siftlock_rwsem_read(lock); }
inline int try_read(siftlock_rwsem *lock) { return siftlock_rwsem_try_read(lock); }
inline int read_unlock(siftlock_rwsem *lock) { return siftlock_rwsem_read_unlock(lock); }
inline int write_until(siftlock_rwsem *lock, int clock, const timespec &at) {
    return siftlock_rwsem_write_until(lock, clock, &at);
}
inline int read_until(siftlock_rwsem *lock, int clock, const timespec &at) {
    return siftlock_rwsem_read_until(lock, clock, &at);
}

inline int write(siftlock_psrw *lock) { return siftlock_psrw_write(lock); }
inline int try_write(siftlock_psrw *lock) { return siftlock_psrw_try_write(lock); }
inline int write_unlock(siftlock_psrw *lock) { return siftlock_psrw_write_unlock(lock); }
inline int read(siftlock_psrw *lock) { return siftlock_psrw_read(lock); }
inline int try_read(siftlock_psrw *lock) { return siftlock_psrw_try_read(lock); }
inline int read_unlock(siftlock_psrw *lock) { return siftlock_psrw_read_unlock(lock); }
inline int write_until(siftlock_psrw *lock, int clock, const timespec &at) {
    return siftlock_psrw_write_until(lock, clock, &at);
}
inline int read_until(siftlock_psrw *lock, int clock, const timespec &at) {
    return siftlock_psrw_read_until(lock, clock, &at);
}

// The standard's SharedTimedMutex, of either lock.
//
// Constant-initialized and without a destructor, so global locks work before and after main.
//
// Errors are std::system_error. EAGAIN: too many reads were never unlocked, or there are too many threads. EPERM: an
// unlock of what nobody holds.
template <class Lock> class shared_timed_mutex {
public:
    using native_handle_type = Lock *;

    constexpr shared_timed_mutex() noexcept = default;
    shared_timed_mutex(const shared_timed_mutex &) = delete;
    shared_timed_mutex &operator=(const shared_timed_mutex &) = delete;

    // For the functions of siftlock.h.
    native_handle_type native_handle() noexcept { return &lock_; }

    // Writes.

    void lock() { check(write(&lock_), "lock"); }
    void unlock() { check(write_unlock(&lock_), "unlock"); }
    [[nodiscard]] bool try_lock() { return taken(try_write(&lock_), "try_lock"); }

    template <class Rep, class Period>
    [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period> &wait) {
        return taken(write_until(&lock_, CLOCK_MONOTONIC, from_now(wait)), "try_lock_for");
    }

    template <class Clock, class Duration>
    [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration> &time) {
        const auto take = [this](int clock, const timespec &at) {
            return write_until(&lock_, clock, at);
        };
        return taken(until(time, take), "try_lock_until");
    }

    // Reads.

    void lock_shared() { check(read(&lock_), "lock_shared"); }
    void unlock_shared() { check(read_unlock(&lock_), "unlock_shared"); }
    [[nodiscard]] bool try_lock_shared() { return taken(try_read(&lock_), "try_lock_shared"); }

    template <class Rep, class Period>
    [[nodiscard]] bool try_lock_shared_for(const std::chrono::duration<Rep, Period> &wait) {
        return taken(read_until(&lock_, CLOCK_MONOTONIC, from_now(wait)), "try_lock_shared_for");
    }

    template <class Clock, class Duration>
    [[nodiscard]] bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration> &time) {
        const auto take = [this](int clock, const timespec &at) {
            return read_until(&lock_, clock, at);
        };
        return taken(until(time, take), "try_lock_shared_until");
    }

private:
    Lock lock_{};
};

} // namespace detail

// A reader-writer lock: many threads read, or one writes. It meets the standard's SharedTimedMutex and Boost's
// UpgradeLockable. See siftlock_rwsem in siftlock.h for what each call waits for, and for what must not be done:
// above all, do not read what the same thread reads already.
class rwsem : public detail::shared_timed_mutex<siftlock_rwsem> {
public:
    // Upgradable reads: one thread at a time reads beside others, and may write next.

    void lock_upgrade() { detail::check(siftlock_rwsem_upgradable(native_handle()), "lock_upgrade"); }
    void unlock_upgrade() {
        detail::check(siftlock_rwsem_upgradable_unlock(native_handle()), "unlock_upgrade");
    }
    [[nodiscard]] bool try_lock_upgrade() {
        return detail::taken(siftlock_rwsem_try_upgradable(native_handle()), "try_lock_upgrade");
    }

    // Changes of what is held. No writer comes in between.

    void unlock_and_lock_shared() {
        detail::check(siftlock_rwsem_downgrade(native_handle()), "unlock_and_lock_shared");
    }
    void unlock_and_lock_upgrade() {
        detail::check(siftlock_rwsem_downgrade_to_upgradable(native_handle()),
                      "unlock_and_lock_upgrade");
    }
    void unlock_upgrade_and_lock_shared() {
        detail::check(siftlock_rwsem_downgrade_upgradable(native_handle()),
                      "unlock_upgrade_and_lock_shared");
    }
    // Waits for the other readers to leave.
    void unlock_upgrade_and_lock() {
        detail::check(siftlock_rwsem_upgrade(native_handle()), "unlock_upgrade_and_lock");
    }
    // Where it answers false, the upgradable read is still held.
    [[nodiscard]] bool try_unlock_upgrade_and_lock() {
        return detail::taken(siftlock_rwsem_try_upgrade(native_handle()),
                             "try_unlock_upgrade_and_lock");
    }
};

// A reader-writer lock that signal handlers read, too: those that siftlock_register has registered. It meets the
// standard's SharedTimedMutex. See siftlock_psrw in siftlock.h for what must not be done: above all, a write must not
// allocate, free, or take another lock.
class psrw : public detail::shared_timed_mutex<siftlock_psrw> {};

// The read of a registered handler, as long as it lives. Nothing refuses it.
class handler_read {
public:
    explicit handler_read(psrw &lock) noexcept : lock_(lock.native_handle()) {
        siftlock_psrw_handler_read(lock_, &raised_);
    }
    ~handler_read() { siftlock_psrw_handler_read_unlock(lock_, &raised_); }
    handler_read(const handler_read &) = delete;
    handler_read &operator=(const handler_read &) = delete;

private:
    siftlock_psrw *lock_;
    siftlock_raised raised_{};
};

} // namespace siftlock

#endif
