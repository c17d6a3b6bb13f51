//! A few threads that each make a few steps: as many as an interpreter gets through. `.ci/thorough`
//! runs these under Miri. The other tests do more of the same, and wait for real time.
//!
//! No lock is read by plain stores: Miri knows no `membarrier`.

mod support;

use siftlock::lock_api::{RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write};
use siftlock::{Policy, ReadRecursive as _};
use std::thread;
use support::{Lock, Platform};

/// The scenes on one platform, with one policy.
macro_rules! scenes {
    ($P:ty, $L:ty) => {
        #[test]
        fn rwsem_few_readers_and_writers_exclude_each_other() {
            super::super::exclude::<$P, $L>();
        }

        #[test]
        fn rwsem_few_waiters_give_up() {
            super::super::give_up::<$P, $L>();
        }

        #[test]
        fn rwsem_few_upgrades_and_downgrades() {
            super::super::change_over::<$P, $L>();
        }

        #[test]
        fn rwsem_few_threads_come_and_go() {
            super::super::come_and_go::<$P, $L>();
        }

        #[test]
        fn rwsem_few_unlockers_free_the_lock() {
            super::super::free::<$P, $L>();
        }
    };
}

macro_rules! platform {
    ($name:ident, $P:ty) => {
        mod $name {
            mod counted {
                scenes!($P, siftlock::policy::Counted);
            }
            mod noted {
                scenes!($P, siftlock::policy::NotedCounted);
            }
        }
    };
}

#[cfg(target_os = "linux")]
platform!(linux, siftlock::platform::Linux);
platform!(portable, siftlock::platform::Portable);

/// Rounds of each thread.
const ROUNDS: u64 = 4;

/// Two words that writers keep equal.
fn write(pair: &mut (u64, u64)) {
    pair.0 += 1;
    thread::yield_now();
    pair.1 += 1;
}

fn look(pair: &(u64, u64)) {
    assert_eq!(pair.0, pair.1);
}

fn exclude<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new((0, 0));
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| (0..ROUNDS).for_each(|_| write(&mut lock.write())));
            s.spawn(|| (0..ROUNDS).for_each(|_| look(&lock.read())));
        }
        s.spawn(|| {
            for _ in 0..ROUNDS {
                if let Some(mut pair) = lock.try_write() {
                    pair.0 = pair.1;
                }
                if let Some(pair) = lock.try_read() {
                    look(&pair);
                    look(&lock.read_recursive());
                }
            }
        });
    });
    assert_eq!(*lock.read(), (2 * ROUNDS, 2 * ROUNDS));
    support::assert_at_rest(&lock);
}

fn give_up<P: Platform, L: Policy>() {
    const SOON: std::time::Duration = std::time::Duration::from_micros(200);
    let lock = Lock::<_, P, L>::new((0, 0));
    let given_up = |held: bool| {
        thread::scope(|s| {
            s.spawn(|| assert!(!held || lock.try_write_for(SOON).is_none()));
            s.spawn(|| drop(lock.try_read_for(SOON)));
            s.spawn(|| drop(lock.try_upgradable_read_for(SOON)));
        });
    };
    let reader = lock.read();
    given_up(true);
    drop(reader);
    let mut writer = lock.write();
    write(&mut writer);
    given_up(true);
    drop(writer);
    given_up(false);
    support::assert_at_rest(&lock);
}

fn change_over<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new((0, 0));
    thread::scope(|s| {
        s.spawn(|| {
            for _ in 0..ROUNDS {
                let guard = lock.upgradable_read();
                look(&guard);
                let mut guard = Upgradable::upgrade(guard);
                write(&mut guard);
                look(&Write::downgrade(guard));
            }
        });
        s.spawn(|| {
            for _ in 0..ROUNDS {
                let mut guard = lock.write();
                write(&mut guard);
                let guard = Write::downgrade_to_upgradable(guard);
                look(&guard);
            }
        });
        s.spawn(|| (0..ROUNDS).for_each(|_| look(&lock.read())));
    });
    assert_eq!(*lock.read(), (2 * ROUNDS, 2 * ROUNDS));
    support::assert_at_rest(&lock);
}

fn come_and_go<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::new((0, 0));
    for _ in 0..ROUNDS {
        thread::scope(|s| {
            for _ in 0..3 {
                s.spawn(|| {
                    write(&mut lock.write());
                    look(&lock.read());
                });
            }
        });
    }
    assert_eq!(*lock.read(), (3 * ROUNDS, 3 * ROUNDS));
    support::assert_at_rest(&lock);
}

/// The last of three threads to leave frees the lock, as soon as it has got in.
fn free<P: Platform, L: Policy>() {
    struct Place<T>(*mut T);
    // SAFETY: threads share the lock behind it, and the last of them frees it.
    unsafe impl<T: Sync> Send for Place<T> {}

    let place = Box::into_raw(Box::new(Lock::<_, P, L>::new(0)));
    let threads: [_; 3] = std::array::from_fn(|_| {
        let place = Place(place);
        thread::spawn(move || {
            let place = place;
            // SAFETY: the lock is freed only once the third thread has got in, and then nobody else
            // looks at it.
            let lock = unsafe { &*place.0 };
            // The guard ends in its place: as an argument of a function it would borrow the lock
            // until that returns.
            let last = {
                let mut left = lock.write();
                *left += 1;
                *left == 3
            };
            if last {
                // SAFETY: all threads have been inside.
                drop(unsafe { Box::from_raw(place.0) });
            }
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
}
