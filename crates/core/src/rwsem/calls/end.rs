//! The end of a lock.

use crate::platform::Platform;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;

/// A leaked guard leaves its slot in use, so the next lock at this address could never be drained.
/// A leaked guard whose share stands in the count also leaves its note: its thread would pass the
/// waiting writers of that next lock.
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
