//! The locks that handlers read, with the calls whose delays are measured.

use siftlock_core_sim::platform::{Class, Platform as _, Raised};
use siftlock_core_sim::psrw::{Irq, NonPreemptible, PsRwLock, Thread, policy::Standard};

use super::super::peers::StandardRwLock;
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

/// Makes the call with the class as a type.
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

/// Raises a reader of the spinning lock at least to `NonPreemptible`: it keeps its processor.
fn raise_to_read(at: Class) -> Raised {
    Simulated::raise(at.max(Class::NonPreemptible), Raised::NOTHING)
}

/// The spinning lock of 2008. A writer keeps all interrupts out for the whole write, the wait
/// included.
impl Placed for StandardRwLock {
    const NAME: &'static str = "standard-rwlock";

    fn read(&self, at: Class) -> Raised {
        let raised = raise_to_read(at);
        Self::read(self);
        raised
    }

    fn try_read(&self, at: Class) -> Option<Raised> {
        held(raise_to_read(at), Self::try_read(self))
    }

    fn read_unlock(&self, _at: Class, raised: Raised) {
        Self::read_unlock(self);
        Simulated::restore(raised);
    }

    fn write(&self) -> Raised {
        let raised = Simulated::raise(Class::Irq, Raised::NOTHING);
        Self::write(self);
        raised
    }

    fn try_write(&self) -> Option<Raised> {
        held(Simulated::raise(Class::Irq, Raised::NOTHING), Self::try_write(self))
    }

    fn write_unlock(&self, raised: Raised) {
        Self::write_unlock(self);
        Simulated::restore(raised);
    }
}

/// The result of a try, with the state that it raised. A try that failed restores that state.
fn held(raised: Raised, is_in: bool) -> Option<Raised> {
    if !is_in {
        Simulated::restore(raised);
    }
    is_in.then_some(raised)
}
