// Errors are std::system_error, as the standard's mutexes have them.

#include "check.h"
#include <shared_mutex>
#include <siftlock.hpp>
#include <system_error>

using siftlock::rwsem;

template <class Call> void throws(std::errc expected, Call call) {
    try {
        call();
    } catch (const std::system_error &error) {
        CHECK(error.code() == expected);
        return;
    }
    CHECK(!"an error");
}

int main() {
    end_after_a_minute();
    rwsem lock;
    const auto not_permitted = std::errc::operation_not_permitted;
    throws(not_permitted, [&] { lock.unlock(); });
    throws(not_permitted, [&] { lock.unlock_shared(); });
    throws(not_permitted, [&] { lock.unlock_upgrade(); });
    throws(not_permitted, [&] { lock.unlock_and_lock_shared(); });
    throws(not_permitted, [&] { lock.unlock_and_lock_upgrade(); });
    throws(not_permitted, [&] { lock.unlock_upgrade_and_lock(); });
    throws(not_permitted, [&] { (void)lock.try_unlock_upgrade_and_lock(); });
    throws(not_permitted, [&] { lock.unlock_upgrade_and_lock_shared(); });

    lock.lock_shared();
    throws(not_permitted, [&] { lock.unlock_upgrade(); });
    throws(not_permitted, [&] { lock.unlock_upgrade_and_lock(); });
    throws(not_permitted, [&] { lock.unlock_upgrade_and_lock_shared(); });
    lock.unlock_shared();

    // A guard unlocks when an exception leaves its section.
    throws(std::errc::io_error, [&] {
        std::shared_lock reading(lock);
        throw std::system_error(std::make_error_code(std::errc::io_error));
    });
    CHECK(lock.try_lock());
    lock.unlock();

    // The functions of C and the class of C++ use the same lock.
    CHECK(siftlock_rwsem_read(lock.native_handle()) == 0);
    CHECK(!lock.try_lock());
    lock.unlock_shared();
}
