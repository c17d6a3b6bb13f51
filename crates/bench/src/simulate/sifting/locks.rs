//! The locks that handlers read, each with the calls that a delay is measured between.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use siftlock_core_sim::platform::{Class, Platform as _, Raised};
use siftlock_core_sim::psrw::{Irq, NonPreemptible, PsRwLock, Thread, policy::Standard};
use siftlock_sim::{AtomicU32, calls};

use super::super::platform::Simulated;

/// A reader-writer lock that threads write, and threads and handlers read.
pub(super) trait Placed: std::fmt::Debug + Default + 'static {
    const NAME: &'static str;

    fn read(&self, at: Class) -> Raised;
    fn try_read(&self, at: Class) -> Option<Raised>;
    /// The caller has the lock by a read at this class.
    fn read_unlock(&self, at: Class, raised: Raised);
    fn write(&self) -> Raised;
    fn try_write(&self) -> Option<Raised>;
    /// The caller has the lock by a write.
    fn write_unlock(&self, raised: Raised);
}

/// The priority-sifting lock that all contexts of the 2008 experiments read.
pub(super) type Psrw = PsRwLock<(Thread, NonPreemptible, Irq), Thread, Standard, Simulated>;

/// Calls with the class as a type.
macro_rules! at {
    ($class:expr, $context:ident => $call:expr) => {
        match $class {
            Class::Thread => {
                let $context = Thread;
                $call
            }
            Class::NonPreemptible => {
                let $context = NonPreemptible;
                $call
            }
            _ => {
                let $context = Irq;
                $call
            }
        }
    };
}

impl Placed for Psrw {
    const NAME: &'static str = "psrw";

    fn read(&self, at: Class) -> Raised {
        at!(at, context => Self::read(self, context))
    }

    fn try_read(&self, at: Class) -> Option<Raised> {
        at!(at, context => Self::try_read(self, context))
    }

    fn read_unlock(&self, at: Class, raised: Raised) {
        // SAFETY: the caller's read returned `raised`.
        at!(at, context => unsafe { Self::read_unlock(self, context, raised) });
    }

    fn write(&self) -> Raised {
        Self::write(self, Thread)
    }

    fn try_write(&self) -> Option<Raised> {
        Self::try_write(self, Thread)
    }

    fn write_unlock(&self, raised: Raised) {
        // SAFETY: the caller's write returned `raised`.
        unsafe { Self::write_unlock(self, Thread, raised) };
    }
}

/// The spinning lock of 2008. A reader adds itself, and keeps its processor. A writer keeps all
/// interrupts out for the whole write, the wait included.
#[derive(Debug)]
pub(super) struct Spinning(AtomicU32);

impl Default for Spinning {
    fn default() -> Self {
        Self(AtomicU32::new(0))
    }
}

const WRITER: u32 = 1 << 31;
/// Looks at a line that does not change, before the next look with care.
const LOOKS: u32 = 1_000;

impl Spinning {
    fn share(&self) -> bool {
        let is_in = self.0.fetch_add(1, Acquire) & WRITER == 0;
        if !is_in {
            self.0.fetch_sub(1, Relaxed);
        }
        is_in
    }

    fn claim(&self) -> bool {
        self.0.compare_exchange(0, WRITER, Acquire, Relaxed).is_ok()
    }

    fn spin_while(&self, keeps_out: fn(u32) -> bool) {
        while keeps_out(self.0.load(Relaxed)) {
            calls::spin(&self.0, LOOKS);
        }
    }
}

fn raise_to_read(at: Class) -> Raised {
    Simulated::raise(at.max(Class::NonPreemptible), Raised::NOTHING)
}

impl Placed for Spinning {
    const NAME: &'static str = "standard-rwlock";

    fn read(&self, at: Class) -> Raised {
        let raised = raise_to_read(at);
        while !self.share() {
            self.spin_while(|now| now & WRITER != 0);
        }
        raised
    }

    fn try_read(&self, at: Class) -> Option<Raised> {
        let raised = raise_to_read(at);
        if self.share() {
            return Some(raised);
        }
        Simulated::restore(raised);
        None
    }

    fn read_unlock(&self, _at: Class, raised: Raised) {
        self.0.fetch_sub(1, Release);
        Simulated::restore(raised);
    }

    fn write(&self) -> Raised {
        let raised = Simulated::raise(Class::Irq, Raised::NOTHING);
        while !self.claim() {
            self.spin_while(|now| now != 0);
        }
        raised
    }

    fn try_write(&self) -> Option<Raised> {
        let raised = Simulated::raise(Class::Irq, Raised::NOTHING);
        if self.claim() {
            return Some(raised);
        }
        Simulated::restore(raised);
        None
    }

    fn write_unlock(&self, raised: Raised) {
        self.0.fetch_sub(WRITER, Release);
        Simulated::restore(raised);
    }
}
