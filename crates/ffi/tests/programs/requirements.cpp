// The classes are what the standard and Boost call mutexes.

#include "check.h"
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <siftlock.hpp>
#include <type_traits>
#include <utility>

using for_time = std::chrono::duration<float, std::ratio<1, 3>>;
using until_steady = std::chrono::time_point<std::chrono::steady_clock, std::chrono::seconds>;
using until_system = std::chrono::time_point<std::chrono::system_clock, std::chrono::minutes>;

// Whether `call` is an expression of exactly the type `Answer`, where `lock` is a `Lock &`.
#define ANSWERS_WITH(name, call)                                                                   \
    template <class Lock, class Answer, class = void> struct name : std::false_type {};            \
    template <class Lock, class Answer>                                                            \
    struct name<Lock, Answer, std::void_t<decltype(std::declval<Lock &>().call)>>                  \
        : std::is_same<Answer, decltype(std::declval<Lock &>().call)> {};

ANSWERS_WITH(lock, lock())
ANSWERS_WITH(unlock, unlock())
ANSWERS_WITH(try_lock, try_lock())
ANSWERS_WITH(try_lock_for, try_lock_for(for_time(1)))
ANSWERS_WITH(try_lock_until, try_lock_until(until_steady()))
ANSWERS_WITH(try_lock_until_system, try_lock_until(until_system()))
ANSWERS_WITH(lock_shared, lock_shared())
ANSWERS_WITH(unlock_shared, unlock_shared())
ANSWERS_WITH(try_lock_shared, try_lock_shared())
ANSWERS_WITH(try_lock_shared_for, try_lock_shared_for(for_time(1)))
ANSWERS_WITH(try_lock_shared_until, try_lock_shared_until(until_steady()))
ANSWERS_WITH(try_lock_shared_until_system, try_lock_shared_until(until_system()))

template <class Lock>
constexpr bool stays_where_it_is =
    !std::is_copy_constructible_v<Lock> && !std::is_move_constructible_v<Lock> &&
    !std::is_copy_assignable_v<Lock> && !std::is_move_assignable_v<Lock>;

template <class Lock>
constexpr bool is_mutex =
    std::is_default_constructible_v<Lock> && std::is_destructible_v<Lock> &&
    stays_where_it_is<Lock> &&
    std::conjunction_v<lock<Lock, void>, unlock<Lock, void>, try_lock<Lock, bool>>;

template <class Lock>
constexpr bool is_timed_mutex =
    is_mutex<Lock> && std::conjunction_v<try_lock_for<Lock, bool>, try_lock_until<Lock, bool>,
                                         try_lock_until_system<Lock, bool>>;

template <class Lock>
constexpr bool is_shared_mutex =
    is_mutex<Lock> && std::conjunction_v<lock_shared<Lock, void>, unlock_shared<Lock, void>,
                                         try_lock_shared<Lock, bool>>;

template <class Lock>
constexpr bool is_shared_timed_mutex =
    is_timed_mutex<Lock> && is_shared_mutex<Lock> &&
    std::conjunction_v<try_lock_shared_for<Lock, bool>, try_lock_shared_until<Lock, bool>,
                       try_lock_shared_until_system<Lock, bool>>;

// The standard's own mutexes confirm that the checks are right.
static_assert(is_shared_timed_mutex<std::shared_timed_mutex>);
static_assert(is_shared_mutex<std::shared_mutex> && !is_timed_mutex<std::shared_mutex>);
static_assert(is_timed_mutex<std::timed_mutex> && !is_shared_mutex<std::timed_mutex>);

static_assert(is_shared_timed_mutex<siftlock::rwsem>);
static_assert(is_shared_timed_mutex<siftlock::psrw>);

ANSWERS_WITH(lock_upgrade, lock_upgrade())
ANSWERS_WITH(unlock_upgrade, unlock_upgrade())
ANSWERS_WITH(try_lock_upgrade, try_lock_upgrade())
ANSWERS_WITH(try_lock_upgrade_for, try_lock_upgrade_for(for_time(1)))
ANSWERS_WITH(try_lock_upgrade_until, try_lock_upgrade_until(until_steady()))
ANSWERS_WITH(upgrade, unlock_upgrade_and_lock())
ANSWERS_WITH(try_upgrade, try_unlock_upgrade_and_lock())
ANSWERS_WITH(try_upgrade_for, try_unlock_upgrade_and_lock_for(for_time(1)))
ANSWERS_WITH(try_upgrade_until, try_unlock_upgrade_and_lock_until(until_steady()))
ANSWERS_WITH(downgrade, unlock_and_lock_shared())
ANSWERS_WITH(downgrade_to_upgrade, unlock_and_lock_upgrade())
ANSWERS_WITH(downgrade_upgrade, unlock_upgrade_and_lock_shared())

using siftlock::rwsem;
static_assert(lock_upgrade<rwsem, void>::value && unlock_upgrade<rwsem, void>::value);
static_assert(try_lock_upgrade<rwsem, bool>::value && try_lock_upgrade_for<rwsem, bool>::value);
static_assert(try_lock_upgrade_until<rwsem, bool>::value && upgrade<rwsem, void>::value);
static_assert(try_upgrade<rwsem, bool>::value && try_upgrade_for<rwsem, bool>::value);
static_assert(try_upgrade_until<rwsem, bool>::value && downgrade<rwsem, void>::value);
static_assert(downgrade_to_upgrade<rwsem, void>::value && downgrade_upgrade<rwsem, void>::value);
static_assert(downgrade<siftlock::psrw, void>::value);

int main() {
    end_after_a_minute();
    rwsem one;
    siftlock::psrw other;
    std::shared_timed_mutex third;
    {
        std::scoped_lock all(one, other, third);
        CHECK(!one.try_lock_shared() && !other.try_lock_shared());
    }
    std::shared_lock first(one, std::defer_lock);
    CHECK(std::try_lock(first, other) == -1);
    other.unlock();
}
