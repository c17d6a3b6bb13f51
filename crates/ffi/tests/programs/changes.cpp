// Changes from one kind of hold to another: prepared writes, downgrades, upgrades with a time-out.

#include "check.h"
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <siftlock.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static siftlock::psrw lock;
static std::vector<std::string> names;

static void add_often(const std::string &name) {
    for (int i = 0; i < 100; i++) {
        std::vector<std::string> next;
        {
            const auto writing = lock.update([&] {
                next = names;
                next.push_back(name);
            });
            CHECK(writing.owns_lock());
            CHECK(next.size() == names.size() + 1);
            names.swap(next);
        }
        CHECK(std::shared_lock(lock).owns_lock());
    }
}

static void update() {
    std::vector<std::thread> threads;
    for (const auto *name : {"one", "two", "three"}) threads.emplace_back(add_often, name);
    for (auto &thread : threads) thread.join();
    CHECK(names.size() == 300);

    // An exception of `prepare` reaches the caller, and the lock is not held then.
    bool caught = false;
    try {
        const auto writing = lock.update([] { throw std::runtime_error("no name"); });
        CHECK(!"an exception");
    } catch (const std::runtime_error &error) {
        caught = error.what() == std::string("no name");
    }
    CHECK(caught);
    lock.lock();
    lock.unlock_and_lock_shared();
    CHECK(!lock.try_lock() && lock.try_lock_shared());
    lock.unlock_shared();
    lock.unlock_shared();
    CHECK(lock.try_lock());
    lock.unlock();
}

template <class Call> static bool answers(Call call) {
    bool answer = false;
    std::thread([&] { answer = call(); }).join();
    return answer;
}

static void upgrade() {
    siftlock::rwsem lock;
    const auto soon = [] { return std::chrono::steady_clock::now() + 5ms; };
    CHECK(lock.try_lock_upgrade_for(1s));
    CHECK(!answers([&] { return lock.try_lock_upgrade_for(5ms); }));
    CHECK(!answers([&] { return lock.try_lock_upgrade_until(soon()); }));
    CHECK(answers([&] { return lock.try_lock_shared(); }));
    // That thread ended without an unlock of its read, so no thread can write.
    CHECK(!lock.try_unlock_upgrade_and_lock_for(5ms));
    CHECK(!lock.try_unlock_upgrade_and_lock_until(soon()));
    CHECK(!lock.try_unlock_upgrade_and_lock_until(std::chrono::system_clock::now()));
    lock.unlock_upgrade();
}

static void upgrade_alone() {
    siftlock::rwsem lock;
    CHECK(lock.try_lock_upgrade_until(std::chrono::system_clock::now() + 1h));
    CHECK(lock.try_unlock_upgrade_and_lock_for(1s));
    lock.unlock_and_lock_upgrade();
    CHECK(lock.try_unlock_upgrade_and_lock_until(std::chrono::steady_clock::now()));
    lock.unlock();
}

int main() {
    end_after_a_minute();
    update();
    upgrade();
    upgrade_alone();
}
