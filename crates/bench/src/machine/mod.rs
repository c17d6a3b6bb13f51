//! The machine that a result belongs to, and what it can show at all.
//!
//! Every run looks at it first: what it is ([`host`]), how its clock counts ([`clock`]) and how
//! long a cache line takes from one of its processors to another ([`pingpong`]).

pub(crate) mod clock;
mod host;
mod pingpong;
mod pinning;
mod usage;

use serde::Serialize;

pub(crate) use self::clock::Clock;
pub(crate) use self::host::Host;
pub(crate) use self::pingpong::{Lines, Sharing, Way};
pub(crate) use self::pinning::Pinning;
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
