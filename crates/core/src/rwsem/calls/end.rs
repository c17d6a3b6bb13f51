//! The end of a lock.

use crate::platform::Platform;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

/// A guard that was leaked leaves its slot in use; the next lock at this address could never be
/// drained. And it leaves its note, if its share stands in the count: its thread would pass the
/// writers of that next lock.
impl<P: Platform, L: Policy> Drop for RwSem<P, L> {
    fn drop(&mut self) {
        if self.has_bias() && !mutated!(SlotsOutliveTheLock) {
            self.forget_slots();
        }
        if L::NOTE_READS && self.look().readers() != 0 && !mutated!(NotesOutliveTheLock) {
            self.forget_notes();
        }
    }
}
