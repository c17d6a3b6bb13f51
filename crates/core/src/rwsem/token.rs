//! How a read lock is held: by a share in the lock's count, noted in a thread's record or not, or by a
//! slot there.
//!
//! One pointer, and two bits of it that say to what:
//!
//! | bits | it points to |
//! | --- | --- |
//! | 00 | nothing, for a share; or a slot |
//! | 01 | a note, for a share that is noted by name |
//! | 10 | the number of shares that a thread has noted without a name |
//!
//! The last two come about only where the policy is to note reads; elsewhere nobody asks for the bits.

use crate::wait::{Note, Noted, Rest, Slot};
use core::ptr::NonNull;

const NOTE: usize = 1;
const REST: usize = 2;
const TAG: usize = NOTE | REST;

// The bits are free.
const _: () = assert!(align_of::<Slot>() > TAG && align_of::<Note>() > TAG);
const _: () = assert!(align_of::<Rest>() > TAG);

/// What a read returns and its unlock wants back. Belongs to the one lock, not to a thread.
///
/// [`COUNTED`](Self::COUNTED) is that of every read of a lock whose policy has no read bias and notes
/// no reads, so there a caller need not keep it.
#[derive(Debug)]
#[must_use = "a read lock is released by its token"]
pub struct ReadToken(Option<NonNull<()>>);

// SAFETY: all that it points to is `Sync` and never freed.
unsafe impl Send for ReadToken {}
// SAFETY: as above.
unsafe impl Sync for ReadToken {}

impl ReadToken {
    /// A share in the lock's count.
    pub const COUNTED: Self = Self(None);

    /// Not known: the token was lost, or the caller's interface has no place for one. Only the thread
    /// that read may hand it back, and it costs a look at that thread's slots.
    #[cfg(not(siftlock_model))]
    pub const UNKNOWN: Self = {
        static NO_THREADS: Slot = Slot::new();
        Self::of(&NO_THREADS)
    };

    #[inline]
    pub(super) const fn of(slot: &'static Slot) -> Self {
        Self(Some(NonNull::from_ref(slot).cast()))
    }

    /// Of a share that is noted there.
    #[inline]
    pub(super) fn noted(noted: Noted) -> Self {
        let (place, tag) = match noted {
            Noted::Here(note) => (NonNull::from_ref(note).cast(), NOTE),
            Noted::Rest(rest) => (NonNull::from_ref(rest).cast(), REST),
        };
        Self(Some(place.map_addr(|address| address | tag)))
    }

    /// The slot of a token that is not noted.
    #[inline]
    pub(super) fn slot(&self) -> Option<&'static Slot> {
        debug_assert!(self.tag() == 0);
        // SAFETY: without a tag it was made by `of`.
        self.0.map(|slot| unsafe { slot.cast().as_ref() })
    }

    /// Where a share is noted.
    #[inline]
    pub(super) fn note(&self) -> Option<Noted> {
        let place = self.0?.as_ptr().map_addr(|address| address & !TAG);
        // SAFETY: what carries a tag was made by `noted`, and is what the tag says.
        unsafe {
            match self.tag() {
                NOTE => Some(Noted::Here(&*place.cast())),
                REST => Some(Noted::Rest(&*place.cast())),
                _ => None,
            }
        }
    }

    #[inline]
    fn tag(&self) -> usize {
        self.0.map_or(0, |place| place.addr().get() & TAG)
    }

    /// Whether the lock was taken without a step on its count.
    #[inline]
    #[must_use]
    pub fn is_slot(&self) -> bool {
        self.0.is_some() && self.tag() == 0
    }
}
