//! Where the guards of a lock may end: in the thread that took them, or in any.
//!
//! A slot and a note belong to a thread; a guard that may be sent does not. So a policy chooses:
//! readers that may use slots or notes, and guards that stay in their thread; or guards that may be
//! sent, and readers that are all counted. The choice is a type, since `Send` depends on types.

use crate::record::Slot;
use crate::rwsem::Policy;
use core::marker::PhantomData;

/// Where the guards of a lock may end: [`Local`] or [`Sendable`].
///
/// A guard carries a value of this type, which makes the guard `Send` or not.
pub trait Guards: Default + Sync + sealed::Kind {}

/// Guards stay in the thread that took them. Like the guards of `std`, they are not `Send`, and a
/// reference to one may be shared.
#[derive(Debug, Default)]
pub struct Local(PhantomData<*mut ()>);

// SAFETY: the type has no content. Its marker is there only so that the type is not `Send`.
unsafe impl Sync for Local {}

impl Guards for Local {}

/// Guards may be sent to other threads and end there. Every reader is counted: the policy has
/// neither [slots](Policy::READ_BIAS) nor [notes](Policy::NOTE_READS), or it does not compile.
#[derive(Debug, Default)]
pub struct Sendable;

impl Guards for Sendable {}

/// Refuses a policy whose guards may be sent and whose reads belong to a thread.
pub(in crate::rwsem) const fn check<L: Policy>() {
    const {
        assert!(
            !<L::Guards as sealed::Kind>::TRAVEL || !L::READ_BIAS.is_on() && !L::NOTE_READS,
            "guards that may be sent exclude reads by slot and reads that are noted: choose \
             `type Guards = Local`, or READ_BIAS off and no NOTE_READS"
        );
    }
}

/// What `Local` and `Sendable` say to a token. Not public, so there are only these two.
mod sealed {
    use super::{Local, PhantomData, Sendable, Slot};

    pub trait Kind: 'static + Sized {
        /// Whether guards may be sent.
        const TRAVEL: bool;
        /// The value that a token carries.
        const MARK: Self;
        /// How a read is held: by a slot, or by a share in the count.
        type Hold: core::fmt::Debug + Sync;
        const SHARE: Self::Hold;
        /// By a slot or by a share: not known.
        #[cfg(not(siftlock_model))]
        const UNKNOWN: Self::Hold;
        fn of(slot: &'static Slot) -> Self::Hold;
        fn slot(hold: &Self::Hold) -> Option<&'static Slot>;
    }

    impl Kind for Local {
        const TRAVEL: bool = false;
        const MARK: Self = Self(PhantomData);
        type Hold = Option<&'static Slot>;
        const SHARE: Self::Hold = None;
        /// A slot of no thread.
        #[cfg(not(siftlock_model))]
        const UNKNOWN: Self::Hold = {
            static NO_THREADS: Slot = Slot::new();
            Some(&NO_THREADS)
        };

        #[inline]
        fn of(slot: &'static Slot) -> Self::Hold {
            Some(slot)
        }

        #[inline]
        fn slot(hold: &Self::Hold) -> Option<&'static Slot> {
            *hold
        }
    }

    impl Kind for Sendable {
        const TRAVEL: bool = true;
        const MARK: Self = Self;
        type Hold = ();
        const SHARE: Self::Hold = ();
        #[cfg(not(siftlock_model))]
        const UNKNOWN: Self::Hold = ();

        fn of(_slot: &'static Slot) -> Self::Hold {
            unreachable!("a policy of such guards has no slots")
        }

        #[inline]
        fn slot((): &Self::Hold) -> Option<&'static Slot> {
            None
        }
    }
}
