//! A bias to the owner: the thread that wrote last reads by slot, and writes again without a fence.
//!
//! A [bias to all readers](super) has to be revoked by every writer, with a fence in each running
//! thread. Where one thread uses a lock for a while, reading and writing as it comes, that is in
//! vain: nobody else is in a slot. So a lock may be biased to one thread alone, the one that the owner
//! word names:
//!
//! * **Its reads** go by its slots, as with the other bias; but after the look at the count it looks at the
//!   owner word once more. (Its name there before says little: another may have come and gone meanwhile.)
//! * **Its writes** set WRITER like any other. Then the name stands there with BIASED, and it needs no fence: of
//!   the only thread that may be in a slot it knows where it is. It looks at its own slots all the same,
//!   since it may read already: then it does not get in.
//! * **Others** read by shares. Who writes sets WRITER, finds the name with BIASED, and revokes: the heavy
//!   fence; a look at the slots of that one thread; then, and not before, its own name. A writer that
//!   gives up leaves name and bias as they were.
//! * **On** with a counted read of the thread whose name stands there as the last writer's: BIASED beside
//!   the name.
//! * **Off** with another writer's name; with a bias to all readers; or with the next write of the thread
//!   itself, if others have asked for a bias in the meantime: they read as well, and their shares take the
//!   line from it.
//!
//! # Invariant
//! R8. For BIASED comes to a name only by its own thread, inside by a share; and nobody takes such a name
//! away but a writer that has looked through its slots, or a reader inside, for a bias to all.
//!
//! # When it pays
//! As with the other bias: it comes on when the reads that this thread alone has made since another
//! wrote have lost what a revocation costs, as far as a few bits can count them.

use crate::events::{Event, count};
use crate::platform::{Bias, Platform};
use crate::rwsem::slots::reads;
use crate::rwsem::word::owner::{Hint, MOST_ASKED};
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

/// Nanoseconds that a read by slot saves where no other thread takes the lock's line away.
const OWNER_READ_SAVES: u64 = 10;

/// Whether locks of this policy are ever read by slot.
pub(in crate::rwsem) const fn has_slots<L: Policy>() -> bool {
    // A lock may come about by zeroed memory alone.
    crate::rwsem::word::guards::check::<L>();
    L::READ_BIAS.is_on() || L::OWNER_BIAS.is_on()
}

/// What so many askings of the owner alone say that it has lost, in nanoseconds. More than some are not
/// counted, and then it is enough, whatever a revocation costs.
pub(in crate::rwsem) fn lost_by_owner<L: Policy>(asked: u32) -> u64 {
    if asked == MOST_ASKED { u64::MAX } else { reads::<L>(asked) * OWNER_READ_SAVES }
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether the bias is to the calling thread.
    #[inline]
    pub(in crate::rwsem) fn is_biased_to_me(hint: Hint) -> bool {
        L::OWNER_BIAS.is_on() && hint.is_biased_to(P::current_number())
    }

    /// The caller, who is inside by a share, has its bias from now on if it wrote last.
    pub(in crate::rwsem) fn switch_on_for_owner(&self) -> bool {
        let may = L::OWNER_BIAS.is_on() && P::bias().is_some_and(Bias::is_open);
        let is_on = may && self.owner.bias_to_writer(P::current().id());
        if is_on {
            count(Event::RwsemBiasOn);
        }
        is_on
    }

    /// The caller has set WRITER: the only thread that may be in a slot is itself, and is not.
    #[inline]
    pub(in crate::rwsem) fn is_drained_by_owner(&self, hint: Hint) -> bool {
        let mine = hint.was_biased_to(P::current_number()) || mutated!(OwnerIsAnybody);
        let key = self.key();
        let in_a_slot = || {
            let slots = P::current().slots();
            slots.find(|slot| !slot.is_cleared(key)).is_some() && !mutated!(OwnSlotsNotLookedAt)
        };
        mine && !in_a_slot()
    }
}
