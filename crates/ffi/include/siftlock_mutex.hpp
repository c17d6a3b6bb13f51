// The common part of the locks of siftlock.hpp: the standard's SharedTimedMutex, made of the
// functions of siftlock.h. Programs include siftlock.hpp.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_MUTEX_HPP
#define SIFTLOCK_MUTEX_HPP

#include "siftlock.h"
#include "siftlock_time.hpp"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

namespace siftlock {
namespace detail {

// Whether the lock was taken. Throws for all errors but EBUSY and ETIMEDOUT: by these a try says
// no.
inline bool taken(int error, const char *call) {
    if (error == 0) return true;
    if (error == EBUSY || error == ETIMEDOUT) return false;
    throw std::system_error(error, std::generic_category(), call);
}

inline void check(int error, const char *call) {
    if (error != 0) throw std::system_error(error, std::generic_category(), call);
}

// The functions of both locks under common names.
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

// The standard's SharedTimedMutex, made of either lock.
//
// It is initialized by a constant and has no destructor, so global locks work before and after
// main.
//
// Errors are std::system_error. EAGAIN: too many reads were never unlocked, or there are too many
// threads. EPERM: no thread holds the lock as the call needs it.
template <class Lock> class shared_timed_mutex {
private:
    auto until_written() {
        return [this](int clock, const timespec &at) { return write_until(&lock_, clock, at); };
    }
    auto until_read() {
        return [this](int clock, const timespec &at) { return read_until(&lock_, clock, at); };
    }

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
        return taken(within(wait, until_written()), "try_lock_for");
    }

    template <class Clock, class Duration>
    [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration> &time) {
        return taken(until(time, until_written()), "try_lock_until");
    }

    // Reads.

    void lock_shared() { check(read(&lock_), "lock_shared"); }
    void unlock_shared() { check(read_unlock(&lock_), "unlock_shared"); }
    [[nodiscard]] bool try_lock_shared() { return taken(try_read(&lock_), "try_lock_shared"); }

    template <class Rep, class Period>
    [[nodiscard]] bool try_lock_shared_for(const std::chrono::duration<Rep, Period> &wait) {
        return taken(within(wait, until_read()), "try_lock_shared_for");
    }

    template <class Clock, class Duration>
    [[nodiscard]] bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration> &time) {
        return taken(until(time, until_read()), "try_lock_shared_until");
    }

private:
    Lock lock_{};
};

} // namespace detail
} // namespace siftlock

#endif
