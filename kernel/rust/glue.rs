//! The C side of the platform, `module/platform.c`. Each function says there what it does; here is
//! only what a caller has to keep.

use siftlock_core::record::{Record, RecordId};

/// A record in a page of the C side, which knows its size alone.
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

/// Makes the record with this number in a new page. Numbers are 1 to 2^22.
///
/// # Safety
/// `place` is 256 bytes that nobody else uses yet.
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

    /// The calling task's record; may sleep where the record's page is still to be made.
    pub safe fn siftlock_k_current() -> &'static Place;

    /// The same without sleep; where there is no memory for it, the first task's.
    pub safe fn siftlock_k_current_or_first() -> &'static Place;

    /// The same, if the record's page is made already.
    pub safe fn siftlock_k_current_or_null() -> Option<&'static Place>;

    /// The record of a task's number that [`siftlock_k_current`] was asked for before.
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

    /// Raises the caller to a class from 1 to 3; what was raised is the answer, together with
    /// `held`.
    pub safe fn siftlock_k_raise(class: u32, held: u64) -> u64;

    /// Takes back what [`siftlock_k_raise`] answered.
    pub safe fn siftlock_k_restore(held: u64);

    /// The class at which the caller stands, 0 to 3.
    pub safe fn siftlock_k_level() -> u32;
}
