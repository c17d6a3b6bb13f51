//! The memory of a lock is gone the moment its last unlock lets somebody else in.
//!
//! Threads leave a lock in every way there is. The one that was inside last, as far as its count
//! knows, destroys it.

use crate::ground::Ground;
use crate::lock::Lock;
use crate::support::{Dice, Platform, on_each_platform};
use siftlock::context::NonPreemptible;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

on_each_platform!(
    psrw_leaving_readers_do_not_touch_a_freed_lock,
    psrw_leaving_writers_do_not_touch_a_freed_lock,
    psrw_calls_that_give_up_do_not_touch_a_freed_lock,
);

const THREADS: u32 = 4;
/// Wall time for each test: how many rounds that makes depends on what else the machine does.
const RUN_FOR: Duration = Duration::from_millis(300);

/// A way to take the lock, be inside, and leave it.
type Visit<P> = fn(&Lock<(), P>, &mut dyn FnMut());

fn read<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    let _guard = lock.read();
    inside();
}

fn read_awake<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    let _guard = lock.read_at(NonPreemptible);
    inside();
}

fn write<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    let _guard = lock.write();
    inside();
}

/// Gives up a write, which must not touch the lock after its undo either; then counts itself out.
fn give_up<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    match lock.try_write_for(Duration::from_micros(20)) {
        Some(_guard) => inside(),
        None => read(lock, inside),
    }
}

fn psrw_leaving_readers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[read, read, read_awake, write]);
}

fn psrw_leaving_writers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[write, write, read]);
}

fn psrw_calls_that_give_up_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[give_up, give_up, read, read_awake]);
}

fn hammer<P: Platform>(visits: &[Visit<P>]) {
    let (ground, round) = (Ground::<P>::new(), Barrier::new(THREADS as usize));
    let (still_to_leave, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    let end = Instant::now() + RUN_FOR;
    let run = |seed: u32| {
        let mut dice = Dice::new(seed.into());
        loop {
            if round.wait().is_leader() {
                ground.build();
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
            visit(ground.lock(), &mut || {
                (0..yields).for_each(|_| thread::yield_now());
                last = still_to_leave.fetch_sub(1, Ordering::SeqCst) == 1;
            });
            if last {
                ground.destroy();
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
