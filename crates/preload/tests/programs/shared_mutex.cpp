// The locks of the C++ library, which are glibc's.
#include "check.h"
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::shared_mutex mutex;
static std::shared_timed_mutex timed;

static void shared_mutex_excludes() {
    long counted = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 20000; i++) {
                { std::unique_lock lock(mutex); counted++; }
                { std::shared_lock lock(mutex); CHECK(counted > 0); }
            }
        });
    for (auto &thread : threads) thread.join();
    CHECK(counted == 80000);
}

static void shared_timed_mutex_times_out() {
    using namespace std::chrono_literals;
    std::unique_lock lock(timed);
    std::thread([] {
        CHECK(!timed.try_lock() && !timed.try_lock_shared());
        CHECK(!timed.try_lock_for(20ms) && !timed.try_lock_shared_for(20ms));
        CHECK(!timed.try_lock_until(std::chrono::system_clock::now() + 20ms));
    }).join();
    lock.unlock();
    CHECK(timed.try_lock_shared_for(0ms));
    timed.unlock_shared();
}

CHOOSE(BEHAVIOUR(shared_mutex_excludes) BEHAVIOUR(shared_timed_mutex_times_out))
