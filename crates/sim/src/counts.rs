//! Counts of each thread's actions.

use std::ops::{AddAssign, Sub};

macro_rules! counts {
    ($($(#[$meta:meta])* $name:ident)*) => {
        /// Counts of the actions of one thread, or of all threads together.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counts {
            $($(#[$meta])* pub $name: u64,)*
        }

        impl Counts {
            /// Each count with its name.
            pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name)),*].into_iter()
            }
        }

        impl AddAssign for Counts {
            fn add_assign(&mut self, other: Self) {
                $(self.$name += other.$name;)*
            }
        }

        impl Sub for Counts {
            type Output = Self;
            fn sub(self, before: Self) -> Self {
                Self { $($name: self.$name - before.$name,)* }
            }
        }
    };
}

counts! {
    /// Loads, without the looks of spin loops.
    loads
    /// Plain stores.
    stores
    /// Read-modify-writes.
    steps
    /// Compare-exchanges that failed.
    failed
    /// Lines that came from another core, or from memory.
    transfers
    /// Lines that came from another socket.
    far
    /// Copies in other cores that were invalidated.
    invalidated
    /// Full fences of this processor.
    fences
    /// Fences in all threads.
    barriers
    /// Looks of spin loops, nearly all of them at a line that did not change.
    polls
    /// Sleeps.
    parks
    /// Threads that were woken.
    wakes
    /// System calls: to sleep, to wake, to give the processor away.
    calls
    /// Looks at the clock.
    clocks
    /// How often the thread was preempted.
    preempted
    /// Interrupts.
    interrupts
}
