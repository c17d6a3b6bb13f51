//! The machine that a result belongs to, and the limits of its figures.
//!
//! Every run first looks at its facts ([`host`]) and at the processor time that a container grants
//! ([`quota`]). It calibrates the clock ([`clock`]), and times a cache line's way from one
//! processor to another ([`pingpong`]). At its end a run tells how busy other programs kept the
//! processors ([`others`]). The threads' side is here too: the processor that they are bound to
//! ([`pinning`]), their scheduling ([`scheduling`]), their usage ([`usage`], [`cpu_time`]), and the
//! contexts that they keep out ([`masked`]).

pub(crate) mod clock;
#[cfg(target_os = "linux")]
mod cpu_time;
mod facts;
mod host;
#[cfg(target_os = "linux")]
pub(crate) mod masked;
#[cfg(target_os = "linux")]
mod membarrier;
mod others;
mod pingpong;
mod pinning;
mod quota;
#[cfg(target_os = "linux")]
mod scheduling;
#[cfg(target_os = "linux")]
mod timer;
mod usage;

use serde::Serialize;

pub(crate) use self::clock::Clock;
#[cfg(target_os = "linux")]
pub(crate) use self::cpu_time::{CpuClock, Mark, Spell};
pub(crate) use self::facts::Facts;
pub(crate) use self::host::Host;
#[cfg(target_os = "linux")]
pub(crate) use self::masked::Timed;
#[cfg(target_os = "linux")]
pub(crate) use self::membarrier::{Membarrier, while_another_runs};
pub(crate) use self::others::{Disturbance, Others};
pub(crate) use self::pingpong::{Lines, Sharing, Way};
pub(crate) use self::pinning::Pinning;
#[cfg(target_os = "linux")]
pub(crate) use self::scheduling::Scheduling;
#[cfg(target_os = "linux")]
pub(crate) use self::timer::Timer;
pub(crate) use self::usage::Usage;

/// Everything about the machine that goes into a result.
#[derive(Serialize)]
pub(crate) struct Machine {
    #[serde(flatten)]
    pub(crate) host: Host,
    /// Whether each thread is bound to a processor.
    pub(crate) pinned: bool,
    pub(crate) clock: Clock,
    #[serde(rename = "ping_pong")]
    pub(crate) lines: Lines,
}

impl Machine {
    /// Looks at this machine; takes about a tenth of a second and a little for each pair of
    /// processors.
    pub(crate) fn look(pinning: &Pinning) -> Self {
        Self {
            host: Host::look(),
            pinned: pinning.is_on(),
            clock: Clock::calibrate(),
            lines: Lines::measure(),
        }
    }
}
