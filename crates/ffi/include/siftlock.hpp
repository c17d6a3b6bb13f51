// siftlock for C++17: locks for std::shared_lock, std::unique_lock and std::scoped_lock.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_HPP
#define SIFTLOCK_HPP

#if __cplusplus < 201703L
#error "siftlock.hpp needs C++17: compile with -std=c++17 or later"
#endif

#include "siftlock_mutex.hpp"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <exception>
#include <mutex>

namespace siftlock {

// A reader-writer lock: many threads read, or one writes. It meets the standard's SharedTimedMutex
// and Boost's UpgradeLockable. siftlock_rwsem in siftlock.h has the rules, and its functions say
// what each call waits for. Above all, a thread that reads the lock must not read it again.
class rwsem : public detail::shared_timed_mutex<siftlock_rwsem> {
private:
    auto upgradable_until() {
        return [this](int clock, const timespec &at) {
            return siftlock_rwsem_upgradable_until(native_handle(), clock, &at);
        };
    }
    auto upgrade_until() {
        return [this](int clock, const timespec &at) {
            return siftlock_rwsem_upgrade_until(native_handle(), clock, &at);
        };
    }

public:
    // Upgradable reads: one thread at a time reads beside others, and may write next.

    void lock_upgrade() { detail::check(siftlock_rwsem_upgradable(native_handle()), "lock_upgrade"); }
    void unlock_upgrade() {
        detail::check(siftlock_rwsem_upgradable_unlock(native_handle()), "unlock_upgrade");
    }
    [[nodiscard]] bool try_lock_upgrade() {
        return detail::taken(siftlock_rwsem_try_upgradable(native_handle()), "try_lock_upgrade");
    }
    template <class Rep, class Period>
    [[nodiscard]] bool try_lock_upgrade_for(const std::chrono::duration<Rep, Period> &wait) {
        return detail::taken(detail::within(wait, upgradable_until()), "try_lock_upgrade_for");
    }
    template <class Clock, class Duration>
    [[nodiscard]] bool try_lock_upgrade_until(const std::chrono::time_point<Clock, Duration> &time) {
        return detail::taken(detail::until(time, upgradable_until()), "try_lock_upgrade_until");
    }

    // Changes from one kind of hold to another. No writer comes in between.

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
    // If these answer false, the thread still has its upgradable read.
    [[nodiscard]] bool try_unlock_upgrade_and_lock() {
        return detail::taken(siftlock_rwsem_try_upgrade(native_handle()),
                             "try_unlock_upgrade_and_lock");
    }
    template <class Rep, class Period>
    [[nodiscard]] bool
    try_unlock_upgrade_and_lock_for(const std::chrono::duration<Rep, Period> &wait) {
        return detail::taken(detail::within(wait, upgrade_until()),
                             "try_unlock_upgrade_and_lock_for");
    }
    template <class Clock, class Duration>
    [[nodiscard]] bool
    try_unlock_upgrade_and_lock_until(const std::chrono::time_point<Clock, Duration> &time) {
        return detail::taken(detail::until(time, upgrade_until()),
                             "try_unlock_upgrade_and_lock_until");
    }
};

// A reader-writer lock that signal handlers read, too, if siftlock_register has registered them. It
// meets the standard's SharedTimedMutex. siftlock_psrw in siftlock.h has the rules. Above all, a
// write must not allocate, free, or take another lock.
class psrw : public detail::shared_timed_mutex<siftlock_psrw> {
private:
    // An exception must not pass through the library, so `run` keeps it here.
    template <class Prepare> struct preparation {
        Prepare &prepare;
        std::exception_ptr thrown;

        static int run(void *argument) noexcept {
            auto &call = *static_cast<preparation *>(argument);
            try {
                call.prepare();
                return 0;
            } catch (...) {
                call.thrown = std::current_exception();
                return ECANCELED;
            }
        }
    };

public:
    // Takes the lock for writing. Before the write it calls `prepare()`, as soon as no other writer
    // can come in between. Meanwhile handlers go on reading, so `prepare` may allocate, and take
    // other locks. It reads the data without a guard, and does not change it. If it throws, the
    // lock is not taken.
    //
    //     auto writing = lock.update([&] { next = changed(table); });
    //     std::swap(table, next);
    template <class Prepare> [[nodiscard]] std::unique_lock<psrw> update(Prepare &&prepare) {
        preparation<Prepare> call{prepare, nullptr};
        const int error = siftlock_psrw_update(native_handle(), call.run, &call);
        if (call.thrown) std::rethrow_exception(call.thrown);
        detail::check(error, "update");
        return std::unique_lock(*this, std::adopt_lock);
    }

    // Turns a write into a read. No writer comes in between.
    void unlock_and_lock_shared() {
        detail::check(siftlock_psrw_downgrade(native_handle()), "unlock_and_lock_shared");
    }
};

// A guard for a registered handler: it reads the lock from its constructor to its destructor.
class handler_read {
public:
    // Waits awake while a writer writes, and cannot fail.
    explicit handler_read(psrw &lock) noexcept : lock_(lock.native_handle()), owns_(true) {
        siftlock_psrw_handler_read(lock_, &raised_);
    }
    // Does not wait. Handlers of faults have to use this form: a fault may interrupt a write of its
    // own thread, and a wait for that write would never end.
    handler_read(psrw &lock, std::try_to_lock_t) noexcept
        : lock_(lock.native_handle()),
          owns_(siftlock_psrw_handler_try_read(lock_, &raised_) == 0) {}
    ~handler_read() {
        if (owns_) siftlock_psrw_handler_read_unlock(lock_, &raised_);
    }
    handler_read(const handler_read &) = delete;
    handler_read &operator=(const handler_read &) = delete;

    // Whether the guard reads the lock.
    bool owns_lock() const noexcept { return owns_; }

private:
    siftlock_psrw *lock_;
    siftlock_raised raised_{};
    bool owns_;
};

} // namespace siftlock

#endif
