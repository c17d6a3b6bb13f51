//! A thread is inside of the library's slow path: meanwhile its lock calls go to the next library
//! unmeasured.
//!
//! Such calls come from an unwinder or an allocator that uses locks. Handlers do not come: the
//! thread may have a mutex of the library's, and another thread that waits for it may have the lock
//! that the handler asks for.

use crate::registry::Signals;
use crate::thread::Thread;
use crate::{local, registry};
use libc::c_int;

unsafe extern "C" {
    /// The `libc` crate lacks it. Inside, nothing is a cancellation point.
    safe fn pthread_setcancelstate(state: c_int, before: Option<&mut c_int>) -> c_int;
}

/// `PTHREAD_CANCEL_DISABLE` of Linux's C libraries.
const CANCEL_DISABLE: c_int = 1;

/// The calling thread is inside until this is dropped. `errno` is then what it was.
pub(crate) struct Inside {
    pub(crate) thread: &'static Thread,
    errno: c_int,
    /// Whether the thread may be cancelled, as the program has set it.
    cancel: c_int,
    /// All are blocked until this is dropped.
    signals: Option<Signals>,
}

impl Inside {
    /// Goes inside. `None`: the thread is there already.
    pub(crate) fn enter() -> Option<Self> {
        // SAFETY: the thread's own `errno`.
        let errno = unsafe { *libc::__errno_location() };
        let thread = match local::get() {
            Some(thread) if thread.is_inside.get() => return None,
            Some(thread) => thread,
            None => registry::register()?,
        };
        let signals = Some(Signals::block());
        thread.is_inside.set(true);
        let mut cancel = 0;
        pthread_setcancelstate(CANCEL_DISABLE, Some(&mut cancel));
        Some(Self { thread, errno, cancel, signals })
    }

    /// Does what is the program's again, such as its wait.
    pub(crate) fn outside<T>(&mut self, work: impl FnOnce() -> T) -> T {
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.errno };
        pthread_setcancelstate(self.cancel, None);
        self.thread.is_inside.set(false);
        self.signals = None;
        let done = work();
        self.signals = Some(Signals::block());
        self.thread.is_inside.set(true);
        pthread_setcancelstate(CANCEL_DISABLE, None);
        // SAFETY: as above. The program's work may change it.
        self.errno = unsafe { *libc::__errno_location() };
        done
    }
}

/// The signals come last, when the thread is outside.
impl Drop for Inside {
    fn drop(&mut self) {
        pthread_setcancelstate(self.cancel, None);
        self.thread.is_inside.set(false);
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.errno };
    }
}
