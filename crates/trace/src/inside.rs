//! While a thread is inside the library's slow path, its lock calls go to the next library
//! unmeasured.
//!
//! Such calls come from an unwinder or an allocator that uses locks. They do not come from
//! handlers: all signals are blocked. Otherwise the thread might have one of the library's mutexes
//! while another thread waits for it and has the very lock that the handler asks for.

use crate::registry::Signals;
use crate::thread::Thread;
use crate::{local, registry};
use libc::c_int;

unsafe extern "C" {
    /// The `libc` crate lacks it. A thread that is inside must not be cancelled.
    safe fn pthread_setcancelstate(state: c_int, before: Option<&mut c_int>) -> c_int;
}

/// `PTHREAD_CANCEL_DISABLE` of Linux's C libraries.
const CANCEL_DISABLE: c_int = 1;

/// The calling thread is inside until this is dropped. The drop restores `errno`.
pub(crate) struct Inside {
    pub(crate) thread: &'static Thread,
    errno: c_int,
    /// Whether the thread may be cancelled, as the program has set it.
    cancel: c_int,
    /// All signals are blocked until this is dropped.
    signals: Option<Signals>,
}

impl Inside {
    /// Goes inside. `None`: the thread is inside already, or has no table and gets none.
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

    /// Does the program's own work, such as its wait, outside.
    pub(crate) fn outside<T>(&mut self, work: impl FnOnce() -> T) -> T {
        // SAFETY: the thread's own `errno`.
        unsafe { *libc::__errno_location() = self.errno };
        pthread_setcancelstate(self.cancel, None);
        self.thread.is_inside.set(false);
        self.signals = None;
        let done = work();
        self.signals = Some(Signals::block());
        self.thread.is_inside.set(true);
        pthread_setcancelstate(CANCEL_DISABLE, None);
        // SAFETY: the thread's own `errno`. The program's work may change it.
        self.errno = unsafe { *libc::__errno_location() };
        done
    }
}

/// The field `signals` is dropped last: signals arrive when the thread is outside.
impl Drop for Inside {
    fn drop(&mut self) {
        pthread_setcancelstate(self.cancel, None);
        self.thread.is_inside.set(false);
        // SAFETY: the thread's own `errno`.
        unsafe { *libc::__errno_location() = self.errno };
    }
}
