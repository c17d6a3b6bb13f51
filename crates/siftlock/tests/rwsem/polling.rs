//! Readers that give up as soon as they are refused: they leave no trace in the count, at no time.

use crate::passed::POLLS;
use crate::support::{Lock, Platform, SEES_WORDS, is_reserved, on_each_platform, until, words};
use siftlock::ReadRecursive as _;
use siftlock::policy::Counted;
use std::thread;
use std::time::Duration;

on_each_platform!(rwsem_polling_readers_do_not_touch_a_count_that_refuses_them);

/// A call of a reader, with this limit. The reader is refused.
type Call<P> = fn(&Lock<(), P, Counted>, Duration) -> bool;

/// The count would show, now and then, a share that was added and taken back.
fn rwsem_polling_readers_do_not_touch_a_count_that_refuses_them<P: Platform>() {
    if !SEES_WORDS {
        return;
    }
    let reads: [Call<P>; 2] = [
        |lock, limit| lock.try_read_for(limit).is_some(),
        |lock, limit| lock.try_upgradable_read_for(limit).is_some(),
    ];
    let recursive: Call<P> = |lock, limit| lock.try_read_recursive_for(limit).is_some();
    for limit in POLLS {
        for call in reads {
            let lock = Lock::<_, P, Counted>::new(());
            thread::scope(|s| {
                let inside = lock.read();
                let writer = s.spawn(|| drop(lock.write()));
                until(|| is_reserved(&lock));
                assert_poll_in_vain(&lock, call, limit, 1);
                drop(inside);
                writer.join().unwrap();
            });
        }
        for call in reads.into_iter().chain([recursive]) {
            let lock = Lock::<_, P, Counted>::new(());
            let _inside = lock.write();
            assert_poll_in_vain(&lock, call, limit, 0);
        }
    }
}

/// Many threads make this call, in vain. Checks the readers in the count meanwhile.
fn assert_poll_in_vain<P: Platform>(
    lock: &Lock<(), P, Counted>,
    call: Call<P>,
    limit: Duration,
    inside: u64,
) {
    const POLLERS: usize = 16;
    const CALLS: usize = 500;
    thread::scope(|s| {
        let poll = || (0..CALLS).for_each(|_| assert!(!call(lock, limit), "nobody gets in"));
        let pollers: Vec<_> = (0..POLLERS).map(|_| s.spawn(poll)).collect();
        while !pollers.iter().all(|poller| poller.is_finished()) {
            assert_eq!(words(lock)[0] >> 8 & 0xff_ffff, inside, "readers in the count");
        }
    });
}
