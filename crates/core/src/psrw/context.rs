//! Contexts as types: which class writes a lock, and which classes read it.
//!
//! All that depends on the contexts is a constant here. So a class that a lock does not name costs
//! nothing at run time: its stage folds away.

use super::word::{WRITER, closed};
use crate::platform::Class;
use core::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// A class of contexts, as a type. A value of it says that the caller is in such a context, or may
/// be raised to it.
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
    const NONE: Self = Self(0);

    const fn of(class: Class) -> Self {
        Self(1 << class as u8)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `class` is in the set.
    #[must_use]
    pub const fn has(self, class: Class) -> bool {
        self.0 & Self::of(class).0 != 0
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

    /// The CLOSED bits of all classes in the set.
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

/// The classes that read a lock: one context, or a tuple of up to four, the lowest first.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of classes that read a lock",
    note = "name one class, or a tuple of classes: each of them once, the lowest first. They are \
            `Thread`, `NonPreemptible`, `SoftIrq`, `Irq`"
)]
pub trait Readers: sealed::Sealed + 'static {
    /// The classes.
    const SET: Classes;
}

/// Contexts that read a lock with the readers `R`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not read this lock",
    label = "read by `{R}`",
    note = "name `{Self}` among the classes in the lock's type, or read from one that is named"
)]
pub trait Reads<R: Readers>: Context {}

/// Contexts that may write a lock with the readers `R`. No reader's class is below the writing
/// class: a handler of the writing class could interrupt such a reader, and wait for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot write a lock that `{R}` reads",
    label = "a reading class is below the writing one",
    note = "let the lowest class that reads write, or one below it; threads read what handlers write \
            under `Masked`, in the handlers' class"
)]
pub trait Writes<R: Readers>: Context {}

/// Implements [`Readers`], [`Reads`] and [`Writes`] for the sets of each line. The contexts in
/// front of a line may write its sets.
macro_rules! sets {
    ($($writers:tt: [$($set:tt)*])*) => {$($(sets!(@$writers $set);)*)*};
    (@[$($writer:ident)*] ($only:ident)) => {
        sets!(@[$($writer)*] $only = $only);
    };
    (@[$($writer:ident)*] ($($class:ident)*)) => {
        impl sealed::Sealed for ($($class),*) {}
        sets!(@[$($writer)*] ($($class),*) = $($class)*);
    };
    (@[$($writer:ident)*] $set:ty = $($class:ident)*) => {
        impl Readers for $set {
            const SET: Classes = Classes::NONE$(.and(Classes::of(Class::$class)))*;
        }

        $(impl Reads<$set> for $class {})*
        $(impl Writes<$set> for $writer {})*
    };
}

sets! {
    [Thread]: [
        (Thread) (Thread NonPreemptible) (Thread SoftIrq) (Thread Irq)
        (Thread NonPreemptible SoftIrq) (Thread NonPreemptible Irq) (Thread SoftIrq Irq)
    ]
    [Thread NonPreemptible]: [
        (NonPreemptible) (NonPreemptible SoftIrq) (NonPreemptible Irq) (NonPreemptible SoftIrq Irq)
    ]
    [Thread NonPreemptible SoftIrq]: [(SoftIrq) (SoftIrq Irq)]
    [Thread NonPreemptible SoftIrq Irq]: [(Irq)]
}

/// All classes. Code that is generic over its context may read such a lock.
type All = (Thread, NonPreemptible, SoftIrq, Irq);

impl sealed::Sealed for All {}

impl Readers for All {
    const SET: Classes = <(Thread, NonPreemptible)>::SET.and(<(SoftIrq, Irq)>::SET);
}

impl<C: Context> Reads<All> for C {}

impl Writes<All> for Thread {}

/// Constants of a lock's two types.
pub(super) struct Shape<W, R>(PhantomData<(W, R)>);

impl<W: Context, R: Readers> Shape<W, R> {
    pub(super) const THREADS_WRITE: bool = matches!(W::CLASS, Class::Thread);
    pub(super) const THREADS_READ: bool = R::SET.has(Class::Thread);

    /// The highest class that reads. A writer inside is raised to it.
    pub(super) const TOP: Class = R::SET.highest();

    /// A writer's bits in the word when it begins to sift.
    pub(super) const BEGUN: u64 =
        WRITER | if Self::THREADS_READ { closed(Class::Thread) } else { 0 };

    /// A writer's bits in the word when it is inside.
    pub(super) const INSIDE: u64 = WRITER | R::SET.closed();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_of_thread_and_irq_readers() {
        type Both = Shape<Thread, (Thread, Irq)>;
        assert_eq!(Both::TOP, Class::Irq);
        assert_eq!(Both::BEGUN, WRITER | closed(Class::Thread));
        assert_eq!(Both::INSIDE, WRITER | closed(Class::Thread) | closed(Class::Irq));
    }

    #[test]
    fn shape_of_high_readers_closes_nothing_at_first() {
        type High = Shape<NonPreemptible, (NonPreemptible, SoftIrq)>;
        assert_eq!((High::TOP, High::BEGUN), (Class::SoftIrq, WRITER));
    }

    #[test]
    fn shape_of_thread_readers_stands_at_thread() {
        type Low = Shape<Thread, Thread>;
        assert_eq!((Low::TOP, Low::BEGUN, Low::INSIDE), (Class::Thread, 0b11, 0b11));
        let all = Classes::of(Class::Irq).and(All::SET);
        assert_eq!(
            (all, all.highest()),
            (All::SET, Class::Irq),
            "a class that is twice in a set is in it"
        );
    }

    #[test]
    fn classes_of_a_set_are_those_that_it_names() {
        let classes = [Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq];
        assert_eq!(classes.map(|class| All::SET.has(class)), [true; 4]);
        let set = <(NonPreemptible, Irq)>::SET;
        assert_eq!(classes.map(|class| set.has(class)), [false, true, false, true]);
        assert_eq!(classes.map(|class| SoftIrq::SET.has(class)), [false, false, true, false]);
    }
}
