//! Writers that ask for a longer time slice: when they ask, and that they give it back on every way out.

#![cfg(target_os = "linux")]

mod support;

use siftlock::lock_api::{RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write};
use siftlock::policy::{ReadBias, Standard};
use siftlock::{Policy, platform};
use siftlock_core::forward_platform;
use siftlock_core::platform::Instant;
use siftlock_core::sync::AtomicU32;
use siftlock_core::wait::Record;
use std::cell::Cell;
use std::thread;
use support::{A_WHILE, Linux, Lock, Platform, SHORT, finishes};

/// The usual platform, which notes requests, and is asked for none by a thread that waits.
struct Watched;

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(false) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
    /// Told of each call, and whether it is a request.
    static WATCH: Cell<fn(bool)> = const { Cell::new(|_| ()) };
}

fn note(asks: bool) {
    WATCH.get()(asks);
    ASKED.set(asks);
    CALLS.set(CALLS.get() + 1);
}

fn asked() -> bool {
    ASKED.get()
}

// SAFETY: everything is done by the platform that it stands for.
unsafe impl Platform for Watched {
    forward_platform!(Linux: records, wake, time, processors, masking, level);

    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        assert!(!asked(), "sleeps with a request");
        Linux::wait(record, word, seen, until);
    }

    fn bias() -> Option<&'static siftlock_core::platform::Bias> {
        Linux::bias()
    }

    fn is_time_to_ask() -> bool {
        Linux::is_time_to_ask()
    }

    fn ask_again_after(reads: u32) {
        Linux::ask_again_after(reads);
    }

    fn heavy_fence() {
        assert!(!asked(), "makes a system call with a request");
        Linux::heavy_fence();
    }

    fn wake_all(word: &AtomicU32) {
        Linux::wake_all(word);
    }

    fn request_slice() {
        note(true);
    }

    fn withdraw_slice() {
        note(false);
    }
}

/// Readers are counted.
struct Asks;

impl Policy for Asks {
    type Guards = siftlock::policy::Local;
    const EXTEND_SLICE: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Off;
}

/// Readers use slots whenever they can.
struct AsksBiased;

impl Policy for AsksBiased {
    type Guards = siftlock::policy::Local;
    const EXTEND_SLICE: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Eager;
    const BIAS_PAUSE: u64 = 0;
}

type Asking<T, L = Asks> = Lock<T, Watched, L>;

#[track_caller]
fn inside() {
    assert!(asked(), "a writer that is inside has asked");
}

#[track_caller]
fn outside() {
    assert!(!asked(), "who does not write asks for nothing");
}

#[test]
fn rwsem_slice_is_asked_for_by_writers_and_given_back() {
    let lock = Asking::<_>::new(0);
    let write = lock.write();
    inside();
    drop(write);
    outside();
    let write = lock.try_write().unwrap();
    inside();
    Write::unlock_fair(write);
    outside();
    let write = lock.try_write_for(SHORT).unwrap();
    inside();
    drop(write);
    outside();
}

#[test]
fn rwsem_slice_is_not_asked_for_by_readers() {
    let lock = Asking::<_>::new(0);
    drop((lock.read(), lock.try_read(), lock.upgradable_read()));
    assert_eq!(CALLS.get(), 0);
}

#[test]
fn rwsem_slice_is_not_asked_for_unless_the_policy_says_so() {
    let lock = Lock::<_, Watched, Standard>::new(0);
    *lock.write() += 1;
    drop(Write::downgrade(lock.write()));
    drop(Upgradable::upgrade(lock.upgradable_read()));
    assert_eq!((*lock.read(), CALLS.get()), (1, 0));
}

#[test]
fn rwsem_slice_is_not_kept_by_writers_that_give_up() {
    let lock = Asking::<_>::new(0);
    let reader = lock.read();
    assert!(lock.try_write().is_none());
    outside();
    assert!(lock.try_write_for(SHORT).is_none());
    outside();
    drop(reader);
    let writer = lock.write();
    thread::scope(|s| {
        s.spawn(|| {
            assert!(lock.try_write().is_none() && lock.try_write_for(SHORT).is_none());
            outside();
        });
    });
    inside();
    drop(writer);
}

#[test]
fn rwsem_slice_ends_with_a_downgrade() {
    let lock = Asking::<_>::new(0);
    let read = Write::downgrade(lock.write());
    outside();
    drop(read);
    let upgradable = Write::downgrade_to_upgradable(lock.write());
    outside();
    drop(upgradable);
    outside();
}

#[test]
fn rwsem_slice_is_asked_for_by_upgrades() {
    let lock = Asking::<_>::new(0);
    let upgradable = lock.upgradable_read();
    outside();
    let write = Upgradable::upgrade(upgradable);
    inside();
    let upgradable = Write::downgrade_to_upgradable(write);
    let write = Upgradable::try_upgrade(upgradable).ok().unwrap();
    inside();
    drop(write);
    let (reader, upgradable) = (lock.read(), lock.upgradable_read());
    let upgradable = Upgradable::try_upgrade(upgradable).err().unwrap();
    outside();
    let upgradable = Upgradable::try_upgrade_for(upgradable, SHORT).err().unwrap();
    outside();
    drop((reader, upgradable));
}

/// `Watched` looks at each sleep and each heavy fence.
#[test]
fn rwsem_slice_is_asked_for_behind_the_wait() {
    fn waits<L: Policy>() {
        let lock = Asking::<_, L>::new(0);
        drop(lock.read());
        for upgrades in [false, true] {
            let reader = lock.read();
            thread::scope(|s| {
                s.spawn(|| {
                    outside();
                    let mut write = if upgrades {
                        Upgradable::upgrade(lock.upgradable_read())
                    } else {
                        lock.write()
                    };
                    inside();
                    *write += 1;
                    drop(write);
                    outside();
                });
                thread::sleep(A_WHILE);
                drop(reader);
            });
            drop(lock.read());
        }
        assert_eq!(*lock.read(), 2);
    }
    finishes(|| {
        waits::<Asks>();
        waits::<AsksBiased>();
    });
}

#[test]
fn rwsem_slice_is_not_kept_by_writers_that_drain_in_vain() {
    let lock = Asking::<_, AsksBiased>::new(0);
    drop(lock.read());
    let by_slot = lock.read();
    assert!(lock.try_write().is_none());
    outside();
    assert!(lock.try_write_for(SHORT).is_none());
    outside();
    let upgradable = Upgradable::try_upgrade(lock.upgradable_read()).err().unwrap();
    outside();
    drop((by_slot, upgradable));
    let write = lock.try_write().unwrap();
    inside();
    drop(write);
    outside();
}

#[test]
fn rwsem_slice_is_asked_for_before_the_step_and_given_back_after_it() {
    static LOCK: Asking<u32> = Asking::new(0);
    drop(LOCK.write());
    WATCH.set(|_| assert!(!LOCK.is_locked()));
    drop(LOCK.write());
    Write::unlock_fair(LOCK.write());
    drop(LOCK.try_write());
    assert_eq!(CALLS.get(), 8);
}

/// On the platform as it is, whether this kernel grants slices or not.
#[test]
fn rwsem_slice_writers_exclude_each_other() {
    if !platform::extends_slices() {
        println!("not offered by this kernel or C library: nobody is granted a longer slice here");
    }
    finishes(|| {
        const WRITES: u64 = 20_000;
        let threads = 2 * thread::available_parallelism().map_or(1, usize::from) as u64;
        let lock = Lock::<_, Linux, Asks>::new([0_u64; 64]);
        thread::scope(|s| {
            for _ in 0..threads {
                s.spawn(|| {
                    for _ in 0..WRITES {
                        lock.write().iter_mut().for_each(|word| *word += 1);
                    }
                });
            }
        });
        assert!(lock.read().iter().all(|&word| word == threads * WRITES));
    });
}
