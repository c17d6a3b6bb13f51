//! The priority-sifting locks: raw calls that return what they have raised.

use psrw_2008::PsRw2008;
use siftlock_core::platform::Platform;
use siftlock_core::psrw::policy::Standard;
use siftlock_core::psrw::{Context, Irq, NonPreemptible, PsRwLock, SoftIrq, Thread};

use super::Placed;

/// Every class reads, as in the module of 2008.
type Everybody = (Thread, NonPreemptible, SoftIrq, Irq);

/// Our lock.
pub(crate) type Psrw<P> = PsRwLock<Everybody, Thread, Standard, P>;

/// The lock in its form of 2008.
pub(crate) type Psrw2008<P> = PsRw2008<Everybody, Thread, P>;

/// Implements [`Placed`] by the raw calls that the sifting locks have in common.
macro_rules! sifting {
    ($lock:ty) => {
        impl<P: Platform> Placed for $lock {
            fn unlocked() -> Self {
                Self::new()
            }

            #[inline]
            fn reading<C: Context, T>(&self, at: C, section: impl FnOnce() -> T) -> T {
                let raised = self.read(at);
                let out = section();
                // SAFETY: taken two lines up, in this class, by this thread.
                unsafe { self.read_unlock(at, raised) };
                out
            }

            #[inline]
            fn try_reading<C: Context, T>(&self, at: C, section: impl FnOnce() -> T) -> Option<T> {
                let raised = self.try_read(at)?;
                let out = section();
                // SAFETY: the try succeeded, in this class, in this thread.
                unsafe { self.read_unlock(at, raised) };
                Some(out)
            }

            #[inline]
            fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
                let raised = self.write(Thread);
                let out = section();
                // SAFETY: taken two lines up by this thread.
                unsafe { self.write_unlock(Thread, raised) };
                out
            }

            #[inline]
            fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
                let raised = self.try_write(Thread)?;
                let out = section();
                // SAFETY: the try succeeded, in this thread.
                unsafe { self.write_unlock(Thread, raised) };
                Some(out)
            }
        }
    };
}

sifting!(Psrw<P>);
sifting!(Psrw2008<P>);
