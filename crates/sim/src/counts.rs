//! What each thread did, counted.

use std::ops::{AddAssign, Sub};

macro_rules! counts {
    ($($(#[$meta:meta])* $name:ident)*) => {
        /// What one thread did, or all of them.
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
    /// Read-modify-writes that changed nothing.
    failed
    /// Lines that came from another core, or from memory.
    transfers
    /// Lines that came from another socket.
    far
    /// Copies in other cores that a write ended.
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
    /// Calls of the system to sleep or to wake.
    calls
    /// Looks at the clock.
    clocks
    /// Times when the thread was put off its processor.
    preempted
    /// Interrupts.
    interrupts
}
