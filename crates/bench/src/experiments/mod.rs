//! The experiments. Each file says what the threads of one experiment do, and no more.
//!
//! [`run`](crate::run) starts threads, repeats samples and judges locks. [`stats`](crate::stats)
//! names and compares the figures. [`report`](crate::report) shows them.

mod changes;
mod company;
mod holds;
mod mail;
mod mixed;
mod plane;
mod readers;
#[cfg(target_os = "linux")]
pub(crate) mod revocation;
#[cfg(target_os = "linux")]
pub(crate) mod scenes;
mod trylock;
mod uncontended;
mod wakeups;

use std::sync::Arc;
use std::time::Duration;

pub(crate) use self::changes::Changes;
pub(crate) use self::holds::{Hold, Holds};
pub(crate) use self::mail::Mail;
pub(crate) use self::mixed::{Mix, Mixed};
pub(crate) use self::plane::{Cell, Plane};
pub(crate) use self::readers::{Mixture, Readers};
pub(crate) use self::trylock::TryLock;
pub(crate) use self::uncontended::Uncontended;
pub(crate) use self::wakeups::Wakeups;
use crate::run::{Arena, Crew, Fault, Instances};
use crate::stats::Reading;
use crate::subjects::Lock;

/// One kind of measurement.
pub(crate) trait Experiment {
    /// Its name in commands and files.
    const NAME: &'static str;

    /// How many locks its threads use.
    const INSTANCES: Instances = Instances::Shared;

    /// Where it is measured, in the line of progress.
    fn place(&self, threads: usize) -> String {
        threads.to_string()
    }

    /// How long a sample is measured, from the plan's length of each part of it.
    fn window(&self, part: Duration) -> Duration {
        part
    }

    /// Takes one sample: has `crew` work in `arena` and returns a reading of each metric.
    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault>;
}

/// Stays inside for `load` pauses, the sources' way to lengthen a critical section.
#[inline]
fn pause(load: u32) {
    for _ in 0..load {
        std::hint::spin_loop();
    }
}
