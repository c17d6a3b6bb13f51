// std::shared_mutex and std::shared_timed_mutex, which libstdc++ makes of pthread_rwlock_t.

#include "ways.h"
#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static std::shared_mutex plain;
static std::shared_timed_mutex timed;

// The answer that another thread gets. It unlocks what it has taken.
template <typename Mutex> static bool could_lock(Mutex &mutex) {
    bool answer = false;
    std::thread([&] {
        answer = mutex.try_lock();
        if (answer) mutex.unlock();
    }).join();
    return answer;
}

template <typename Mutex> static bool could_share(Mutex &mutex) {
    bool answer = false;
    std::thread([&] {
        answer = mutex.try_lock_shared();
        if (answer) mutex.unlock_shared();
    }).join();
    return answer;
}

template <typename Mutex> static void excludes(Mutex &mutex) {
    mutex.lock();
    CHECK(!could_lock(mutex) && !could_share(mutex));
    mutex.unlock();
    CHECK(could_lock(mutex));
}

template <typename Mutex> static void shares(Mutex &mutex) {
    mutex.lock_shared();
    CHECK(!could_lock(mutex) && could_share(mutex));
    mutex.unlock_shared();
    CHECK(could_lock(mutex));
}

template <typename Mutex> static void guards(Mutex &mutex) {
    {
        std::unique_lock<Mutex> guard(mutex);
        CHECK(guard.owns_lock() && !could_share(mutex));
    }
    {
        std::shared_lock<Mutex> guard(mutex);
        CHECK(guard.owns_lock() && could_share(mutex) && !could_lock(mutex));
    }
    {
        Mutex other;
        std::scoped_lock both(mutex, other);
        CHECK(!could_share(mutex) && !could_share(other));
    }
    CHECK(could_lock(mutex));
}

template <typename Mutex> static void deadlock_is_thrown(Mutex &mutex) {
    mutex.lock();
    bool thrown = false;
    try {
        mutex.lock();
    } catch (const std::system_error &error) {
        thrown = error.code() == std::errc::resource_deadlock_would_occur;
    }
    CHECK(thrown);
    mutex.unlock();
    CHECK(could_lock(mutex));
}

template <typename Mutex> static void counts(Mutex &mutex) {
    int first = 0, second = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back([&] {
            for (int j = 0; j < 5000; j++) {
                if (j % 8 == 0) {
                    std::lock_guard<Mutex> guard(mutex);
                    first++;
                    second++;
                } else {
                    std::shared_lock<Mutex> guard(mutex);
                    CHECK(first == second);
                }
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(first == 4 * 5000 / 8 && second == first);
}

#define BOTH(clause, body)                                                                         \
    TEST("std::shared_mutex: " clause) { body(plain); }                                            \
    static void JOIN(timed_, __LINE__)(const struct way *) { body(timed); }                        \
    __attribute__((constructor)) static void JOIN(enter_timed_, __LINE__)(void) {                  \
        enter("std::shared_timed_mutex", clause, JOIN(timed_, __LINE__), NULL, 0);                 \
    }

BOTH("lock keeps all others out", excludes)
BOTH("lock_shared lets other readers in", shares)
BOTH("works with unique_lock, shared_lock and scoped_lock", guards)
BOTH("a second lock of the owner throws resource_deadlock_would_occur", deadlock_is_thrown)
BOTH("no thread sees half a write", counts)

TEST("std::shared_mutex: native_handle is the lock") {
    rwlock *lock = static_cast<rwlock *>(plain.native_handle());
    plain.lock_shared();
    CHECK(pthread_rwlock_trywrlock(lock) == EBUSY);
    plain.unlock_shared();
    ANSWERS(0, pthread_rwlock_wrlock(lock));
    CHECK(!could_share(plain));
    UNLOCKS(lock);
}

// One call with a time: it takes a free lock, and gives up when another thread keeps the lock.
template <typename Try, typename Unlock> static void keeps_time(Try attempt, Unlock unlock) {
    CHECK(attempt());
    unlock();
    timed.lock();
    bool answer = true;
    std::thread([&] { answer = attempt(); }).join();
    CHECK(!answer);
    timed.unlock();
    CHECK(could_lock(timed));
}

static void unlock() { timed.unlock(); }
static void unlock_shared() { timed.unlock_shared(); }

TEST("std::shared_timed_mutex: try_lock_for") {
    keeps_time([] { return timed.try_lock_for(5ms); }, unlock);
}

TEST("std::shared_timed_mutex: try_lock_shared_for") {
    keeps_time([] { return timed.try_lock_shared_for(5ms); }, unlock_shared);
}

TEST("std::shared_timed_mutex: try_lock_until by the steady clock") {
    keeps_time([] { return timed.try_lock_until(std::chrono::steady_clock::now() + 5ms); }, unlock);
}

TEST("std::shared_timed_mutex: try_lock_until by the system clock") {
    keeps_time([] { return timed.try_lock_until(std::chrono::system_clock::now() + 5ms); }, unlock);
}

TEST("std::shared_timed_mutex: try_lock_shared_until by the steady clock") {
    keeps_time([] { return timed.try_lock_shared_until(std::chrono::steady_clock::now() + 5ms); },
               unlock_shared);
}

TEST("std::shared_timed_mutex: try_lock_shared_until by the system clock") {
    keeps_time([] { return timed.try_lock_shared_until(std::chrono::system_clock::now() + 5ms); },
               unlock_shared);
}

TEST("std::shared_timed_mutex: a wait ends when the owner unlocks, before its time") {
    timed.lock();
    std::atomic<bool> took(false);
    std::thread waiter([&] {
        CHECK(timed.try_lock_for(10000s));
        took = true;
        timed.unlock();
    });
    pause_for(20 * MILLISECOND);
    CHECK(!took);
    timed.unlock();
    waiter.join();
    CHECK(took && could_lock(timed));
}

RUN_ALL
