//! Whether a thread sleeps, and so is in the queue of a lock.

pub(crate) use self::system::Sleeper;

#[cfg(target_os = "linux")]
mod system {
    use crate::support::{Platform, until};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

    /// A thread that others watch from outside.
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
            // SAFETY: touches no memory.
            self.0.thread.store(unsafe { libc::gettid() }, Ordering::SeqCst);
        }

        /// The thread sleeps, and did so at the looks before, so it is in the queue.
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

        /// Waits until the thread sleeps in the queue.
        pub(crate) fn wait(&self) {
            until(|| self.sleeps_on());
        }
    }
}

/// Other systems do not show whether a thread sleeps.
#[cfg(not(target_os = "linux"))]
mod system {
    use crate::support::{A_WHILE, Platform};

    #[derive(Clone)]
    pub(crate) struct Sleeper;

    impl Sleeper {
        pub(crate) fn new() -> Self {
            Self
        }

        pub(crate) fn is_me<P: Platform>(&self) {
            P::current();
        }

        pub(crate) fn wait(&self) {
            std::thread::sleep(A_WHILE);
        }
    }
}
