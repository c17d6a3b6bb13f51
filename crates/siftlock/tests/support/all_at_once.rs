//! Threads that do anything with a lock, all at once.

use super::Dice;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Five threads call `act`, again and again, for so long. Returns the sum of its results.
pub fn all_at_once(time: Duration, act: impl Fn(&mut Dice) -> u64 + Sync) -> u64 {
    const THREADS: u64 = 5;
    let end = Instant::now() + time;
    let run = |seed| {
        let (mut dice, mut sum) = (Dice::new(seed), 0);
        while Instant::now() < end {
            sum += (0..20).map(|_| act(&mut dice)).sum::<u64>();
        }
        sum
    };
    thread::scope(|s| {
        let threads: Vec<_> = (1..=THREADS).map(|seed| s.spawn(move || run(seed))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// Four threads visit a lock, each once. The thread that was inside last, as far as the test's
/// count knows, destroys the lock at once. Then they visit the next one.
///
/// * `build` makes an unlocked lock.
/// * `visit` takes it in one of these ways, calls what it is given, and leaves the lock.
/// * `destroy` takes it for writing, so that all others are past the step that lets them out, and
///   destroys it.
pub fn leave_and_destroy<V: Copy + Sync>(
    ways: &[V],
    build: impl Fn() + Sync,
    visit: impl Fn(V, &mut dyn FnMut()) + Sync,
    destroy: impl Fn() + Sync,
) {
    /// Wall time: other work of the machine decides how many rounds fit in.
    const RUN_FOR: Duration = Duration::from_millis(300);
    const THREADS: u32 = 4;
    let round = Barrier::new(THREADS as usize);
    let (still_to_leave, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    let end = Instant::now() + RUN_FOR;
    let run = |seed: u32| {
        let mut dice = Dice::new(seed.into());
        loop {
            if round.wait().is_leader() {
                build();
                still_to_leave.store(THREADS, Ordering::SeqCst);
                stop.store(Instant::now() > end, Ordering::SeqCst);
            }
            round.wait();
            if stop.load(Ordering::SeqCst) {
                break;
            }
            let way = ways[dice.roll(ways.len() as u64) as usize];
            // Now and then long enough for other threads to queue.
            let yields = dice.roll(8).saturating_sub(4);
            let mut last = false;
            visit(way, &mut || {
                (0..yields).for_each(|_| thread::yield_now());
                last = still_to_leave.fetch_sub(1, Ordering::SeqCst) == 1;
            });
            if last {
                destroy();
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
