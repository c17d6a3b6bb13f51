//! Which readers are granted together, and which waiter is first when they have gone.

use crate::platform::Platform;
use crate::rwsem::Policy;
use crate::rwsem::word::count::Count;
use crate::sync::mutated;
use crate::wait::{Kind, Locked, Name};

/// At most so many nodes are looked at for one batch, or for the reader that follows a writer: with
/// few readers among many writers the walk must not hold the list lock for long.
pub(super) const MAX_NODES_LOOKED_AT: usize = 4096;

/// Readers that are granted together: the first so many of the list.
pub(super) struct Batch {
    pub(super) readers: u32,
    /// The waiter that is first when they have gone.
    pub(super) next: Option<Name>,
    /// `next` stands behind readers that are left for later.
    pub(super) paced: bool,
}

impl Batch {
    /// The list's first readers, as many as the policy allows. The first of the list is one of
    /// them.
    pub(super) fn choose<P: Platform, L: Policy>(list: &Locked<'_, P>) -> Self {
        const {
            // Otherwise the first would take no share, or a walk over readers alone would end
            // without having found `next`.
            assert!(
                0 < L::MAX_READERS_WAKEUP && (L::MAX_READERS_WAKEUP as usize) < MAX_NODES_LOOKED_AT,
                "Policy::MAX_READERS_WAKEUP must be 1 to 4095"
            );
        }
        let pace = pace::<P, L>();
        let paces = pace < L::MAX_READERS_WAKEUP;
        let most = L::MAX_READERS_WAKEUP + u32::from(mutated!(BatchTakesOneTooMany));
        let (mut readers, mut next, mut other) = (0, None, None);
        for node in list.iter().take(MAX_NODES_LOOKED_AT) {
            if node.kind() == Kind::Reader && readers < most {
                readers += 1;
            } else {
                next.get_or_insert(node.name());
            }
            if node.kind() != Kind::Reader {
                other.get_or_insert(node.name());
            }
            if readers > pace && other.is_some() {
                return Self { readers: pace, next: other, paced: true };
            }
            let full = readers == L::MAX_READERS_WAKEUP && next.is_some() && !paces;
            if full || other.is_some() && !L::BATCH_WHOLE_QUEUE {
                break;
            }
        }
        Self { readers, next, paced: false }
    }

    /// The list's first readers, behind a first waiter that is no reader and stays the first. As
    /// many as the pace allows, or as are `inside` already, so that all are in soon if those inside
    /// stay for long.
    pub(super) fn behind<P: Platform, L: Policy>(list: &Locked<'_, P>, inside: u32) -> Self {
        let behind = list.iter().skip(1).take(MAX_NODES_LOOKED_AT);
        let most = pace::<P, L>().max(inside).min(L::MAX_READERS_WAKEUP);
        let readers = behind.filter(|node| node.kind() == Kind::Reader).take(most as usize);
        Self { readers: readers.count() as u32, next: None, paced: false }
    }

    /// The count once they all hold the lock, with the same first waiter.
    pub(super) fn joined(&self, v: Count) -> Count {
        v.plus_readers(if mutated!(RefillTakesNoShares) { 0 } else { self.readers })
    }

    /// The count once they all hold the lock, and `next` is the first waiter.
    pub(super) fn taken(&self, v: Count) -> Count {
        let readers = if mutated!(GrantsBeforeCount) { 1 } else { self.readers };
        v.plus_readers(readers).with_head(self.next)
    }
}

/// How many readers a batch grants at most where a waiter of another kind waits, too.
fn pace<P: Platform, L: Policy>() -> u32 {
    match L::READERS_PER_PROCESSOR {
        0 => u32::MAX,
        each => P::processors().saturating_mul(each).max(1),
    }
}
