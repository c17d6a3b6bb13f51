// The standard's guards hold the lock, and so exclude each other.

#include "check.h"
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <siftlock.hpp>
#include <thread>
#include <type_traits>
#include <vector>

using siftlock::rwsem;

template <class Lock> constexpr bool is_a_lock() {
    // Compiles only if the lock is initialized by a constant.
    [[maybe_unused]] constexpr Lock constant;
    static_assert(sizeof(Lock) == 24 && alignof(Lock) == 8);
    static_assert(std::is_nothrow_default_constructible_v<Lock>);
    static_assert(std::is_trivially_destructible_v<Lock>);
    static_assert(!std::is_copy_constructible_v<Lock> && !std::is_copy_assignable_v<Lock>);
    static_assert(!std::is_move_constructible_v<Lock> && !std::is_move_assignable_v<Lock>);
    return true;
}

static_assert(is_a_lock<rwsem>() && is_a_lock<siftlock::psrw>());

static rwsem left, right;
static int on_left, on_right;

// Takes both locks in either order: std::scoped_lock avoids a deadlock.
static void move(int rounds, bool turned) {
    for (int i = 0; i < rounds; i++) {
        std::scoped_lock both(turned ? right : left, turned ? left : right);
        --on_left;
        if (i % 16 == 0) std::this_thread::yield();
        ++on_right;
    }
}

static void watch(const std::atomic<bool> &stop) {
    while (!stop) {
        std::shared_lock one(left);
        std::shared_lock other(right);
        CHECK(on_left + on_right == 0);
    }
}

static void exclude() {
    std::atomic<bool> stop{false};
    std::thread watcher(watch, std::cref(stop));
    std::vector<std::thread> movers;
    for (int i = 0; i < 4; i++) movers.emplace_back(move, 1000, i % 2 == 0);
    for (auto &mover : movers) mover.join();
    stop = true;
    watcher.join();
    CHECK(on_left == -4000 && on_right == 4000);
}

// Whether another thread can take the lock.
static bool is_free_for_writing(rwsem &lock) {
    bool found = false;
    std::thread([&] { found = std::unique_lock(lock, std::try_to_lock).owns_lock(); }).join();
    return found;
}

static bool is_free_for_reading(rwsem &lock) {
    bool found = false;
    std::thread([&] { found = std::shared_lock(lock, std::try_to_lock).owns_lock(); }).join();
    return found;
}

static void hold() {
    rwsem lock;
    CHECK(is_free_for_writing(lock));
    {
        std::unique_lock guard(lock);
        CHECK(!is_free_for_reading(lock) && !is_free_for_writing(lock));
        guard.unlock();
        CHECK(is_free_for_writing(lock));
        guard.lock();
        CHECK(!is_free_for_reading(lock));
    }
    {
        std::shared_lock guard(lock);
        CHECK(is_free_for_reading(lock) && !is_free_for_writing(lock));
    }
    CHECK(is_free_for_writing(lock));
}

static void upgrade() {
    rwsem lock;
    lock.lock_upgrade();
    CHECK(is_free_for_reading(lock) && !is_free_for_writing(lock));
    CHECK(!lock.try_lock_upgrade());
    lock.unlock_upgrade_and_lock();
    CHECK(!is_free_for_reading(lock));
    lock.unlock_and_lock_upgrade();
    CHECK(lock.try_unlock_upgrade_and_lock());
    lock.unlock_and_lock_shared();
    CHECK(is_free_for_reading(lock) && !is_free_for_writing(lock));
    lock.unlock_shared();
    CHECK(lock.try_lock_upgrade());
    lock.unlock_upgrade_and_lock_shared();
    CHECK(lock.try_lock_upgrade());
    CHECK(!lock.try_unlock_upgrade_and_lock());
    lock.unlock_upgrade();
    lock.unlock_shared();
    CHECK(is_free_for_writing(lock));
}

int main() {
    end_after_a_minute();
    exclude();
    hold();
    upgrade();
}
