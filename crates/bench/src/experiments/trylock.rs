//! E1, after seed `000`: threads that do nothing but try-read and leave.
//!
//! Counted: tries that got the lock, held it for `load` pauses and left it before time was up. A
//! try that failed (a mutex's does whenever another thread is inside) is followed by one pause and
//! the next try.
//!
//! Nobody writes while it is measured, as in the seed. So what a wrong try-read would let in does
//! not come by itself; the handshake that follows every sample brings it.

use std::sync::Arc;

use super::{Experiment, pause};
use crate::run::{Arena, Crew, Fault, Phase, Signal};
use crate::stats::{Metric, Reading};
use crate::subjects::Lock;

/// The experiment and its parameters.
pub(crate) struct TryLock {
    /// Pauses in each section.
    pub(crate) load: u32,
}

impl Experiment for TryLock {
    const NAME: &'static str = "trylock";

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, load) = (Arc::clone(arena), self.load);
        let shift = crew.run(move |seat, signal| work(&arena, seat, load, signal))?;
        let rate = shift.members.iter().sum::<u64>() as f64 / shift.elapsed.as_secs_f64();
        Ok(Reading::known([(Metric::Total, Some(rate)), (Metric::Reads, Some(rate))]))
    }
}

/// One thread: how many tries succeeded in the measured phase.
fn work<L: Lock>(arena: &Arena<L>, seat: usize, load: u32, signal: &Signal) -> u64 {
    let lock = arena.lock(seat);
    let mut witness = arena.ward().witness();
    let mut done = 0;
    loop {
        let got = lock.try_reading(|| witness.read(|| pause(load))).is_some();
        if !got {
            std::hint::spin_loop();
        }
        match signal.phase() {
            Phase::WarmUp => {}
            Phase::Measure => done += u64::from(got),
            Phase::Over => return done,
        }
    }
}
