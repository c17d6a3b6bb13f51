//! Whether a thread sleeps, and so is in the queue of a lock.

use crate::support::{Platform, until};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// A thread that is looked at from outside.
#[derive(Clone)]
pub(crate) struct Sleeper(Arc<Seen>);

#[derive(Default)]
struct Seen {
    thread: AtomicI32,
    /// How often in a row it was seen asleep.
    asleep: AtomicU32,
}

impl Sleeper {
    pub(crate) fn new() -> Self {
        Self(Arc::default())
    }

    /// The calling thread is about to wait for a lock, and for nothing else.
    pub(crate) fn is_me<P: Platform>(&self) {
        P::current(); // which may have to wait for memory
        #[cfg(target_os = "linux")]
        // SAFETY: touches no memory.
        self.0.thread.store(unsafe { libc::gettid() }, Ordering::SeqCst);
    }

    /// It sleeps, and did so at the looks before: it is in the queue.
    #[cfg(target_os = "linux")]
    fn sleeps_on(&self) -> bool {
        let Seen { thread, asleep } = &*self.0;
        let stat = format!("/proc/self/task/{}/stat", thread.load(Ordering::SeqCst));
        let is_asleep = |stat: String| stat.rsplit(") ").next()?.starts_with('S').then_some(());
        if std::fs::read_to_string(stat).ok().and_then(is_asleep).is_none() {
            asleep.store(0, Ordering::SeqCst);
            return false;
        }
        asleep.fetch_add(1, Ordering::SeqCst) >= 2
    }

    /// Elsewhere nobody can tell.
    #[cfg(not(target_os = "linux"))]
    fn sleeps_on(&self) -> bool {
        false
    }

    /// Until it sleeps in the queue, as far as can be known.
    pub(crate) fn wait(&self) {
        #[cfg(not(target_os = "linux"))]
        thread::sleep(crate::support::A_WHILE);
        #[cfg(target_os = "linux")]
        until(|| self.sleeps_on());
    }
}
