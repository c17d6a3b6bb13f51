//! The placed lock of each subject.

use siftlock::platform::{Native, Strict};

use super::{MaskedLimit, Placed, PlacedVisitor, Psrw, Psrw2008, StandardRwLock, Unplaced};
use crate::machine::Timed;
use crate::subjects::{Lock, Role, Subject, Visitor};

impl Subject {
    /// Does the visitor's work with this subject's lock.
    pub(crate) fn place<V: PlacedVisitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Psrw => visitor.visit::<Psrw<Native>>(),
            Self::PsrwStrict => visitor.visit::<Psrw<Strict>>(),
            Self::Psrw2008 => visitor.visit::<Psrw2008<Native>>(),
            Self::StandardRwLock => visitor.visit::<StandardRwLock<Native>>(),
            other => other.visit(Unplacing(visitor)),
        }
    }

    /// Does the visitor's work with this subject's lock over a platform that logs how long it keeps
    /// contexts out. A lock that keeps none out has nothing to log. The floor is made to keep
    /// contexts out.
    pub(crate) fn place_timed<V: PlacedVisitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Psrw => visitor.visit::<Psrw<Timed<Native>>>(),
            Self::PsrwStrict => visitor.visit::<Psrw<Timed<Strict>>>(),
            Self::Psrw2008 => visitor.visit::<Psrw2008<Timed<Native>>>(),
            Self::StandardRwLock => visitor.visit::<StandardRwLock<Timed<Native>>>(),
            Self::Limit => visitor.visit::<MaskedLimit<Timed<Native>>>(),
            other => other.visit(Unplacing(visitor)),
        }
    }

    /// Whether this subject keeps contexts out, or is the hidden lock, which may try.
    pub(crate) fn masks(self) -> bool {
        matches!(self.role(), Role::Placed | Role::Hidden) || self == Self::Limit
    }

    /// Whether a handler may read this subject's lock.
    pub(crate) fn serves_handlers(self) -> bool {
        self.place(Serves).handlers
    }

    /// Whether threads read it without being raised.
    pub(crate) fn serves_threads(self) -> bool {
        self.place(Serves).threads
    }

    /// Whether it knows threads that must not sleep.
    pub(crate) fn serves_non_preemptibles(self) -> bool {
        self.place(Serves).non_preemptibles
    }
}

/// Makes a visitor of placed locks a visitor of locks that know no contexts.
struct Unplacing<V>(V);

impl<V: PlacedVisitor> Visitor for Unplacing<V> {
    type Output = V::Output;

    fn visit<L: Lock>(self) -> V::Output {
        self.0.visit::<Unplaced<L>>()
    }
}

/// Asks which readers a lock serves.
struct Serves;

/// The kinds of readers that a lock serves as such.
struct Served {
    threads: bool,
    non_preemptibles: bool,
    handlers: bool,
}

impl PlacedVisitor for Serves {
    type Output = Served;

    fn visit<L: Placed>(self) -> Served {
        Served { threads: L::THREADS, non_preemptibles: L::NON_PREEMPTIBLES, handlers: L::HANDLERS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use siftlock_core::psrw::{Irq, NonPreemptible, SoftIrq, Thread};

    /// Takes a lock in each way, and inside a write tries what must not succeed.
    struct TakeEachWay;

    impl PlacedVisitor for TakeEachWay {
        type Output = ([i32; 5], bool);

        fn visit<L: Placed>(self) -> Self::Output {
            let lock = L::unlocked();
            let got = [
                lock.reading(Thread, || 1),
                lock.reading(NonPreemptible, || 2),
                lock.reading(SoftIrq, || 3),
                lock.reading(Irq, || 4),
                lock.writing(|| 5),
            ];
            let kept_out = lock.writing(|| lock.try_reading(Irq, || ()).is_none());
            (got, kept_out || !L::EXCLUDES)
        }
    }

    #[test]
    fn table_locks_are_read_from_every_context_and_written() {
        for &subject in Subject::ALL.iter().filter(|one| one.role() != Role::Hidden) {
            for taken in [subject.place(TakeEachWay), subject.place_timed(TakeEachWay)] {
                assert_eq!(taken, ([1, 2, 3, 4, 5], true), "{}", subject.name());
            }
        }
    }

    #[test]
    fn table_knows_which_locks_a_handler_may_read() {
        let serves = [Subject::Psrw, Subject::Psrw2008, Subject::StandardRwLock, Subject::Limit];
        assert!(serves.into_iter().all(Subject::serves_handlers));
        assert!(![Subject::Std, Subject::Rwsem].into_iter().any(Subject::serves_handlers));
        assert!(!Subject::StandardRwLock.serves_threads());
    }
}
