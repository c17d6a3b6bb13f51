//! When a thread asks whether a read bias would pay.

use super::current::Records;
use super::mine::mine;

impl<const PLACE: usize> Records<PLACE> {
    /// See [`Platform::is_time_to_ask`](siftlock_core::platform::Platform::is_time_to_ask).
    #[inline]
    pub(super) fn is_time_to_ask(&self, weight: u32) -> bool {
        mine(|mine| {
            let left = mine.left[PLACE].get().checked_sub(weight);
            if let Some(left) = left {
                mine.left[PLACE].set(left);
            }
            left.is_none()
        })
    }

    /// About so many, an eighth less to an eighth more. With a fixed number a thread that goes
    /// through the same locks in turn would ask about the same one each time, and never about the
    /// others.
    pub(super) fn ask_again_after(&self, reads: u32) {
        if self.current_number() == 0 {
            return;
        }
        // A linear congruence: its upper bits are good enough.
        mine(|mine| {
            let thrown = mine.die.get().wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            mine.die.set(thrown);
            let span = u64::from(reads / 4) + 1;
            let more = ((span * u64::from(thrown)) >> u32::BITS) as u32;
            mine.left[PLACE].set((reads - reads / 8).saturating_add(more));
        });
    }
}
