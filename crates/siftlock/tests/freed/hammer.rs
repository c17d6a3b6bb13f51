//! Threads leave a lock in every way there is. The one that was inside last, as far as its count
//! knows, takes the lock for writing, so that all others are past the step that lets them out, and
//! destroys it at once.

use crate::page::Page;
use crate::support::{Dice, Platform, on_each_platform};
use crate::visit::Visit::{self, Read, ReadFair, ReadRecursive, Write, WriteFair};
use siftlock::lock_api::RawRwLock as _;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

on_each_platform!(
    rwsem_leaving_readers_do_not_touch_a_freed_lock,
    rwsem_leaving_writers_do_not_touch_a_freed_lock,
    rwsem_leavers_of_all_kinds_do_not_touch_a_freed_lock,
);

const THREADS: u32 = 4;
/// Wall time for each test: how many rounds that makes depends on what else the machine does.
const RUN_FOR: Duration = Duration::from_millis(300);

fn rwsem_leaving_readers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[Read, Read, ReadFair, ReadRecursive, Write]);
}

fn rwsem_leaving_writers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[Write, Write, WriteFair, Read]);
}

fn rwsem_leavers_of_all_kinds_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&Visit::ALL);
}

fn hammer<P: Platform>(visits: &[Visit]) {
    let (page, round) = (Page::<P>::new(), Barrier::new(THREADS as usize));
    let (still_to_leave, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    let end = Instant::now() + RUN_FOR;
    let run = |seed: u32| {
        let mut dice = Dice::new(seed.into());
        loop {
            if round.wait().is_leader() {
                page.build();
                still_to_leave.store(THREADS, Ordering::SeqCst);
                stop.store(Instant::now() > end, Ordering::SeqCst);
            }
            round.wait();
            if stop.load(Ordering::SeqCst) {
                break;
            }
            let visit = visits[dice.roll(visits.len() as u64) as usize];
            // Now and then long enough for others to queue.
            let yields = dice.roll(8).saturating_sub(4);
            let mut last = false;
            visit.pay(page.lock(), || {
                (0..yields).for_each(|_| thread::yield_now());
                last = still_to_leave.fetch_sub(1, Ordering::SeqCst) == 1;
            });
            if last {
                page.lock().lock_exclusive();
                page.destroy();
            }
        }
    };
    thread::scope(|s| {
        for seed in 1..=THREADS {
            let run = &run;
            s.spawn(move || run(seed));
        }
    });
}
