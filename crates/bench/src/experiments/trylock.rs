//! E1, after the try-read patch: threads that do nothing but try-read and leave.
//!
//! Counted: tries that got the lock, held it for `load` pauses and left it before time was up. A
//! try that failed (a mutex's does whenever another thread is inside) is followed by one pause and
//! the next try. A wait is the time from the first of several tries until one succeeds. A thread
//! whose first try succeeds has not waited, and does not look at the clock.
//!
//! No thread writes while it is measured, as in the source. So a try-read that does not exclude
//! meets no writer here; the handshake that follows every sample brings one.

use std::sync::Arc;

use super::{Experiment, pause};
use crate::machine::Clock;
use crate::machine::clock::ticks;
use crate::run::{Arena, Crew, Fault, Phase, Signal};
use crate::stats::{Metric, Reading, Waits};
use crate::subjects::Lock;

/// The experiment and its parameters.
pub(crate) struct TryLock {
    /// Pauses in each section.
    pub(crate) load: u32,
    pub(crate) clock: Clock,
}

impl Experiment for TryLock {
    const NAME: &'static str = "trylock";

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, load, clock) = (Arc::clone(arena), self.load, self.clock.clone());
        let shift = crew.run(move |seat, signal| work(&arena, seat, load, &clock, signal))?;
        let done = shift.members.iter().map(|tally| tally.done).sum::<u64>() as f64;
        let rate = done / shift.elapsed.as_secs_f64();
        let waits = Waits::of_all(shift.members.iter().map(|tally| &tally.waits));
        let mut out = Reading::known([(Metric::Total, Some(rate)), (Metric::Reads, Some(rate))]);
        out.extend(shift.pressure(|tally| tally.done, Some(waits.in_micros(&self.clock))));
        Ok(out)
    }
}

/// The counts of one thread in the measured phase.
struct Tally {
    /// Tries that succeeded.
    done: u64,
    waits: Waits,
}

/// One thread: tries until it is over.
fn work<L: Lock>(
    arena: &Arena<L>,
    seat: usize,
    load: u32,
    clock: &Clock,
    signal: &Signal,
) -> Tally {
    let lock = arena.lock(seat);
    let mut witness = arena.ward().witness();
    let mut tally = Tally { done: 0, waits: Waits::new() };
    let (mut at_once, mut since) = (0, None);
    loop {
        let got = lock.try_reading(|| witness.read(|| pause(load))).is_some();
        if !got {
            since.get_or_insert_with(ticks);
            std::hint::spin_loop();
        }
        let phase = signal.phase();
        if phase == Phase::Over {
            let reached = |since| signal.span().reached(since, ticks());
            if let Some(wait) = since.and_then(reached) {
                tally.waits.add(clock.net(wait));
            }
            tally.waits.add_none(at_once);
            return tally;
        }
        if got && phase == Phase::Measure {
            tally.done += 1;
            match since {
                Some(since) => tally.waits.add(clock.net(ticks().saturating_sub(since))),
                None => at_once += 1,
            }
        }
        if got {
            since = None;
        }
    }
}
