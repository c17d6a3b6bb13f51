//! All calls at once, on a value of 100 words that shows every overlap of a writer with another
//! thread.

use crate::lock::{Lock, assert_at_rest};
use crate::support::{Dice, Platform, Words, all_at_once, on_each_platform};
use siftlock::context::{Context, NonPreemptible, Thread};
use siftlock::psrw::{Policy, PsReadGuard, PsWriteGuard, policy};
use std::time::Duration;

on_each_platform!(
    psrw_mixed_threads_never_tear_the_value,
    psrw_mixed_threads_in_strict_order_never_tear_the_value,
);

const RUN_FOR: Duration = Duration::from_millis(400);

fn psrw_mixed_threads_never_tear_the_value<P: Platform>() {
    stress::<P, policy::Standard>();
}

fn psrw_mixed_threads_in_strict_order_never_tear_the_value<P: Platform>() {
    stress::<P, policy::Strict>();
}

fn stress<P: Platform, L: Policy>() {
    let lock = Lock::<_, P, L>::with_classes(Words::new());
    let written = all_at_once(RUN_FOR, |dice| act(&lock, dice));
    assert_eq!(lock.read().check(), written, "writes were lost");
    assert_at_rest(&lock);
}

type Reading<'a, C, L, P> = PsReadGuard<'a, Words, C, crate::lock::All, Thread, L, P>;
type Writing<'a, L, P> = PsWriteGuard<'a, Words, crate::lock::All, Thread, L, P>;

/// Does something with the lock, and returns how often it wrote.
fn act<P: Platform, L: Policy>(lock: &Lock<Words, P, L>, dice: &mut Dice) -> u64 {
    let time = Duration::from_micros(dice.roll(300));
    match dice.roll(11) {
        0 | 1 => look(Some(lock.read())),
        2 => look(lock.try_read()),
        3 => look(lock.try_read_for(time)),
        4 | 5 => look(Some(lock.read_at(NonPreemptible))),
        6 => look(lock.try_read_at_for(NonPreemptible, time)),
        7 => {
            let low = lock.read();
            let high = lock.read_at(NonPreemptible);
            assert_eq!(low.check(), high.check());
            drop(low);
            look(Some(high))
        }
        8 => write(lock.try_write()),
        9 => write(lock.try_write_for(time)),
        _ => write(Some(lock.write())),
    }
}

fn look<C: Context, P: Platform, L: Policy>(guard: Option<Reading<'_, C, L, P>>) -> u64 {
    if let Some(guard) = guard {
        guard.check();
    }
    0
}

fn write<P: Platform, L: Policy>(guard: Option<Writing<'_, L, P>>) -> u64 {
    guard.map_or(0, |guard| guard.add())
}
