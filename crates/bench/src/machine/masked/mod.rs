//! How long a lock keeps contexts out: a platform that looks at the clock whenever a thread raises
//! itself and whenever it lowers itself again.

mod log;

use std::cell::Cell;
use std::marker::PhantomData;

use siftlock_core::forward_platform;
use siftlock_core::platform::{Class, Platform, Raised};

pub(crate) use self::log::{Masked, begin, clear, end};

thread_local! {
    /// A handler runs on this thread. It is not logged: it stands already at the class that it
    /// raises itself to, and the log of the thread beneath may be in use.
    static IN_HANDLER: Cell<bool> = const { Cell::new(false) };
}

/// Does the work of a handler that uses locks over [`Timed`] platforms.
pub(crate) fn in_handler(work: impl FnOnce()) {
    let before = IN_HANDLER.replace(true);
    work();
    IN_HANDLER.set(before);
}

/// The platform `P`, with a log for each thread that has [begun](begin) one. It logs, for each
/// class, the times from raising itself *to at least* the class to standing below it again: from
/// the moment when `P` has masked the class to the moment before `P` lets it in, as a kernel traces
/// it.
#[derive(Debug)]
pub(crate) struct Timed<P>(PhantomData<P>);

// SAFETY: every answer comes from `P`, which makes the promises.
unsafe impl<P: Platform> Platform for Timed<P> {
    forward_platform!(P: records, sleep, wake, bias, time, processors, level);

    #[inline]
    fn raise(to: Class, held: Raised) -> Raised {
        if IN_HANDLER.get() { P::raise(to, held) } else { log::raise::<P>(to, held) }
    }

    #[inline]
    fn restore(held: Raised) {
        if IN_HANDLER.get() {
            P::restore(held);
        } else {
            log::restore::<P>(held);
        }
    }
}
