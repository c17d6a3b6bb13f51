//! Contexts as types: which class writes a lock, and which classes read it.
//!
//! Everything that depends on them is a constant here, so a class that a lock does not name costs
//! it nothing at run time: its stage folds away.

use super::word::{WRITER, closed};
use crate::platform::Class;
use core::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// A class of contexts, as a type; its value says that the caller is in such a context, or may be
/// raised to it.
pub trait Context: Copy + Default + sealed::Sealed + 'static {
    /// The class.
    const CLASS: Class;
}

macro_rules! contexts {
    ($($(#[$meta:meta])* $name:ident)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl sealed::Sealed for $name {}

        impl Context for $name {
            const CLASS: Class = Class::$name;
        }

        impl Readers for $name {
            const SET: Classes = Classes::of(Class::$name);
        }
    )*};
}

contexts! {
    /// Any thread. It may sleep.
    Thread
    /// A thread that must not block: it spins for a bounded time, then polls with short naps.
    NonPreemptible
    /// A bottom half, or a handler of signals of the lower level.
    SoftIrq
    /// A handler that interrupts all others.
    Irq
}

/// A set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes(u8);

impl Classes {
    const fn of(class: Class) -> Self {
        Self(1 << class as u8)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `class` is one of them.
    #[must_use]
    pub const fn has(self, class: Class) -> bool {
        self.0 & Self::of(class).0 != 0
    }

    /// Whether none of them is below `class`.
    const fn all_reach(self, class: Class) -> bool {
        self.0 & (Self::of(class).0 - 1) == 0
    }

    const fn highest(self) -> Class {
        let mut place = Class::HIGH.len();
        while place > 0 {
            place -= 1;
            if self.has(Class::HIGH[place]) {
                return Class::HIGH[place];
            }
        }
        Class::Thread
    }

    /// CLOSED of all of them.
    const fn closed(self) -> u64 {
        let mut bits = if self.has(Class::Thread) { closed(Class::Thread) } else { 0 };
        let mut place = 0;
        while place < Class::HIGH.len() {
            if self.has(Class::HIGH[place]) {
                bits |= closed(Class::HIGH[place]);
            }
            place += 1;
        }
        bits
    }
}

/// The classes that read a lock: one context, or a tuple of up to four.
pub trait Readers: 'static {
    /// The classes.
    const SET: Classes;
}

impl<A: Context, B: Context> Readers for (A, B) {
    const SET: Classes = Classes::of(A::CLASS).and(Classes::of(B::CLASS));
}

impl<A: Context, B: Context, C: Context> Readers for (A, B, C) {
    const SET: Classes = <(A, B)>::SET.and(Classes::of(C::CLASS));
}

impl<A: Context, B: Context, C: Context, D: Context> Readers for (A, B, C, D) {
    const SET: Classes = <(A, B, C)>::SET.and(Classes::of(D::CLASS));
}

/// What a lock's two types come to.
pub(super) struct Shape<W, R>(PhantomData<(W, R)>);

impl<W: Context, R: Readers> Shape<W, R> {
    /// Fails to compile where a handler of a reading class could wait for its own thread's write.
    pub(super) const SOUND: () = assert!(
        R::SET.all_reach(W::CLASS),
        "a class that reads is below the class that writes: let a lower class write"
    );

    pub(super) const THREADS_WRITE: bool = matches!(W::CLASS, Class::Thread);
    pub(super) const THREADS_READ: bool = R::SET.has(Class::Thread);

    /// The highest class that reads: a writer that is inside stands there.
    pub(super) const TOP: Class = R::SET.highest();

    /// What a writer has in the word as it begins to sift.
    pub(super) const BEGUN: u64 =
        WRITER | if Self::THREADS_READ { closed(Class::Thread) } else { 0 };

    /// What a writer has in the word when it is inside.
    pub(super) const INSIDE: u64 = WRITER | R::SET.closed();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_of_thread_and_irq_readers() {
        type Both = Shape<Thread, (Irq, Thread)>;
        let () = Both::SOUND;
        assert_eq!(Both::TOP, Class::Irq);
        assert_eq!(Both::BEGUN, WRITER | closed(Class::Thread));
        assert_eq!(Both::INSIDE, WRITER | closed(Class::Thread) | closed(Class::Irq));
    }

    #[test]
    fn shape_of_high_readers_closes_nothing_at_first() {
        type High = Shape<NonPreemptible, (NonPreemptible, SoftIrq)>;
        let () = High::SOUND;
        assert_eq!((High::TOP, High::BEGUN), (Class::SoftIrq, WRITER));
    }

    #[test]
    fn classes_all_reach_the_lowest_of_them() {
        let set = <(SoftIrq, Irq)>::SET;
        let reached = [Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq]
            .map(|class| set.all_reach(class));
        assert_eq!(reached, [true, true, true, false]);
    }
}
