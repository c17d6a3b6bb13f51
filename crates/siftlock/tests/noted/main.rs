//! Reads that note themselves: a thread reads again, by plain reads, a lock that it reads already,
//! while a writer waits for that lock. All others queue once the lock is reserved.

#[path = "../support/mod.rs"]
mod support;

mod ends;
mod nested;
mod stream;
#[cfg(feature = "lock_api_04")]
mod v04;

use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::ReadBias;
use std::sync::mpsc::channel;
use std::thread;
use support::{Lock, Platform, assert_at_rest, until};

/// Reads by slot wherever it can.
pub(crate) struct NotedEager;

impl Policy for NotedEager {
    type Guards = siftlock_core::rwsem::policy::Local;
    const NOTE_READS: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Asymmetric;
    const BIAS_PAUSE: u64 = 0;
}

/// Calls a generic function `f::<P, L>` with each policy that notes reads.
macro_rules! with_each {
    ($f:ident::<$P:ident>) => {{
        $f::<$P, NotedCounted>();
        $f::<$P, Noted>();
        $f::<$P, NotedEager>();
    }};
}

pub(crate) use with_each;

/// Whether a thread that does not read the lock is kept out of it.
pub(crate) fn shuts_others_out<P: Platform, L: Policy>(lock: &Lock<u32, P, L>) -> bool {
    thread::scope(|s| s.spawn(|| lock.try_read().is_none()).join().unwrap())
}

/// Does `work` while a writer waits, which another thread keeps waiting, and for which the lock is
/// reserved.
pub(crate) fn beside_a_waiting_writer<P: Platform, L: Policy>(
    lock: &Lock<u32, P, L>,
    work: impl FnOnce(),
) {
    thread::scope(|s| {
        s.spawn(|| *lock.write() += 1);
        until(|| shuts_others_out(lock));
        work();
    });
}

/// The calling thread does not have the lock. It is kept out while another has the lock and a
/// writer waits.
#[track_caller]
pub(crate) fn assert_unnoted<P: Platform, L: Policy>(lock: &Lock<u32, P, L>) {
    let (tell, told) = channel();
    let (end, ended) = channel::<()>();
    let passed = thread::scope(|s| {
        s.spawn(move || {
            let reader = lock.read();
            tell.send(()).unwrap();
            let _ = ended.recv();
            drop(reader);
        });
        told.recv().unwrap();
        let mut passed = true;
        beside_a_waiting_writer(lock, || {
            passed = lock.try_read().is_some();
            drop(end);
        });
        passed
    });
    assert!(!passed, "noted, and reads nothing");
    assert_at_rest(lock);
}
