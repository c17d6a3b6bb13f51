//! Where a call is made from, as a value: it shows that the call may be made.

#[cfg(target_os = "linux")]
use crate::context::Interrupt;
use crate::context::{Context, Masked, NonPreemptible, Thread};

mod sealed {
    pub trait Sealed {
        /// Whether a call may wait here. False if this very thread may hold the lock.
        #[inline]
        fn may_wait(&self) -> bool {
            true
        }
    }
}

/// Where code runs, or the class to which it may be raised: the argument of the `…_at` calls of
/// [`PsRwLock`](super::PsRwLock).
///
/// | place | said by |
/// | --- | --- |
/// | [`Thread`], [`NonPreemptible`] | any thread: write down the name |
/// | [`&Interrupt<C>`](Interrupt) | a registered handler of class `C`, which is lent it |
/// | [`&Masked<C>`](Masked) | a thread that keeps handlers of class `C` and below away |
///
/// In the handler of a fault, pass the `Interrupt`, not a `Masked`: only with the `Interrupt` does
/// the call check whether the fault has interrupted a raised thread.
///
/// Sealed: there are no other places. A wrong place can cause a deadlock, so none can be made up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where this call is made",
    note = "a handler passes the `&Interrupt` that it is lent, a thread `Thread` or `NonPreemptible`, and \
            one that keeps handlers away its `&Masked`"
)]
pub trait Place: sealed::Sealed {
    /// The class that the call is made in.
    type Class: Context;
}

impl sealed::Sealed for Thread {}
impl Place for Thread {
    type Class = Self;
}

impl sealed::Sealed for NonPreemptible {}
impl Place for NonPreemptible {
    type Class = Self;
}

impl<C: Context> sealed::Sealed for &Masked<C> {}
impl<C: Context> Place for &Masked<C> {
    type Class = C;
}

#[cfg(target_os = "linux")]
impl<C: Context> sealed::Sealed for &Interrupt<'_, C> {
    /// False where a fault has interrupted a thread that keeps this class away, perhaps in its own
    /// write.
    #[inline]
    fn may_wait(&self) -> bool {
        !self.is_fault_when_raised()
    }
}

#[cfg(target_os = "linux")]
impl<C: Context> Place for &Interrupt<'_, C> {
    type Class = C;
}

/// The class of a place from which a call may wait.
#[inline]
#[track_caller]
pub(super) fn where_it_waits<Q: Place>(place: Q) -> Q::Class {
    if !place.may_wait() {
        refuse();
    }
    Q::Class::default()
}

/// Ends the process, with a message.
#[cold]
#[track_caller]
fn refuse() -> ! {
    #[cfg(target_os = "linux")]
    crate::platform::signals::abort(format_args!(
        "this handler's fault has interrupted a raised thread, and what a lock's waiting form would \
         wait for may be that thread: use try_read_at or try_write_at"
    ));
    #[cfg(not(target_os = "linux"))]
    unreachable!("no place refuses without registered handlers")
}

/// The class of a place from which a call does not wait, or not for ever.
#[inline]
pub(super) fn class_of<Q: Place>(_place: Q) -> Q::Class {
    Q::Class::default()
}
