//! What is measured: one file an experiment, which says what its threads do and no more.
//!
//! How threads are started, samples repeated and locks judged is [`run`](crate::run)'s; what the
//! figures are called and compared by, [`stats`](crate::stats)'s; how they are shown,
//! [`report`](crate::report)'s.

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

    /// How long its sample is measured, where the plan says how long each part of it is.
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
