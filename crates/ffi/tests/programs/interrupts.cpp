// The standard's guards hold the lock that handlers read.

#include "check.h"
#include <atomic>
#include <csignal>
#include <mutex>
#include <shared_mutex>
#include <siftlock.hpp>
#include <thread>
#include <vector>

static siftlock::psrw lock;
static int left, right;
static std::atomic<int> handled, torn;

extern "C" void look(int, const void *, void *) {
    siftlock::handler_read reading(lock);
    if (left + right != 0) torn++;
    handled++;
}

static void move() {
    for (int i = 0; i < 2000; i++) {
        std::unique_lock writing(lock);
        --left;
        if (i % 8 == 0) std::raise(SIGUSR1);
        ++right;
    }
}

static void watch(const std::atomic<bool> &stop) {
    while (!stop) {
        std::shared_lock reading(lock);
        CHECK(left + right == 0);
    }
}

int main() {
    end_after_a_minute();
    CHECK(siftlock_register(SIGUSR1, look) == 0);
    {
        std::unique_lock writing(lock);
        std::raise(SIGUSR1);
        CHECK(handled == 0);
    }
    CHECK(handled == 1);
    {
        siftlock::handler_read reading(lock);
        CHECK(reading.owns_lock() && !lock.try_lock());
        siftlock::handler_read tried(lock, std::try_to_lock);
        CHECK(tried.owns_lock());
    }
    {
        std::unique_lock writing(lock);
        CHECK(!siftlock::handler_read(lock, std::try_to_lock).owns_lock());
    }
    CHECK(lock.try_lock());
    lock.unlock();

    std::atomic<bool> stop{false};
    std::thread watcher(watch, std::cref(stop));
    std::vector<std::thread> movers;
    for (int i = 0; i < 2; i++) movers.emplace_back(move);
    for (auto &mover : movers) mover.join();
    stop = true;
    watcher.join();
    CHECK(left == -4000 && right == 4000);
    CHECK(torn == 0);
    // Each thread's last signal has been handled at its unlock, and perhaps earlier ones.
    CHECK(handled >= 3);
}
