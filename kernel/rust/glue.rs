//! The C side of the platform: `module/platform.c` and `module/records.c`. The comments here name
//! the conditions that a caller has to keep.

use siftlock_core::record::{Record, RecordId};

/// A record in a page of the C side, which knows only its size.
#[derive(Debug)]
#[repr(transparent)]
pub struct Place([Record; 1]);

const _: () = assert!(size_of::<Place>() == 256 && align_of::<Place>() == 128);

impl Place {
    /// The record.
    #[inline]
    pub const fn record(&self) -> &Record {
        let Self([record]) = self;
        record
    }
}

/// Makes the record with this number in a new page. A number that is no record id, such as 0, gets
/// no record.
///
/// # Safety
/// `place` is 256 bytes, aligned to 128, that no thread uses yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_r_make_record(place: *mut core::ffi::c_void, number: u32) {
    if let Some(id) = RecordId::new(number) {
        // SAFETY: by the caller's promise.
        unsafe { place.cast::<Record>().write(Record::new(id)) };
    }
}

#[expect(improper_ctypes, reason = "C hands records around and never looks into one")]
unsafe extern "C" {
    /// The calling task's number. Safe in every context.
    pub safe fn siftlock_k_number() -> u32;

    /// The calling task's record. The call may sleep if the record's page has to be made.
    pub safe fn siftlock_k_current() -> &'static Place;

    /// The calling task's record, without sleep. If there is no memory for it, the first task's.
    pub safe fn siftlock_k_current_or_first() -> &'static Place;

    /// The calling task's record, if its page is made already.
    pub safe fn siftlock_k_current_or_null() -> Option<&'static Place>;

    /// The record of a task's number. The call waits until the page of that number is made.
    pub safe fn siftlock_k_record(number: u32) -> &'static Place;

    /// Sleeps while `*word == seen`, at most until the monotonic clock shows `until`.
    ///
    /// # Safety
    /// `number` is the calling task's, and it may sleep; `word` is valid for the call.
    pub fn siftlock_k_wait(number: u32, word: *const u32, seen: u32, until: u64);

    /// Ends the sleep of the task with this number, if it sleeps in [`siftlock_k_wait`].
    pub safe fn siftlock_k_wake(number: u32);

    /// Lets another task run, whatever the priority of the caller.
    ///
    /// # Safety
    /// The caller may sleep.
    pub fn siftlock_k_yield();

    /// The monotonic clock in nanoseconds.
    pub safe fn siftlock_k_now() -> u64;

    /// How many processors are online.
    pub safe fn siftlock_k_processors() -> u32;

    /// Whether the task with this number runs at this moment, and the caller may go on running.
    pub safe fn siftlock_k_running(number: u32) -> bool;

    /// Whether the calling task is a real-time one.
    pub safe fn siftlock_k_urgent() -> bool;

    /// Raises the caller to a class from 1 to 3. Returns `held` and what this call raised.
    pub safe fn siftlock_k_raise(class: u32, held: u64) -> u64;

    /// Takes back all that `held` says, which [`siftlock_k_raise`] returned.
    pub safe fn siftlock_k_restore(held: u64);
}
