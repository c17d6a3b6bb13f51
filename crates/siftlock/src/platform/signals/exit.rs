//! The end of a thread: what it has noted and not handled.

use super::system::System;
use super::{DESK, info, memory, set, table};
use crate::platform::exit::SIGNALS;
use siftlock_core::platform::Class;

/// Has the calling thread's notes seen to when it ends. Perhaps in a handler.
///
/// Where that is not safe in a handler (a program that has made 32 keys for thread-specific data before
/// the first registration), nobody sees to them, and no other thread uses their memory.
pub(super) fn call_at_thread_exit() {
    SIGNALS.call_if_light(at_thread_exit);
}

/// A signal to the process, which this thread happened to get, is sent to it once more; one to this
/// thread ends with it.
fn at_thread_exit() {
    // Whatever arrives from now on is others' to handle.
    set::block(table::above(Class::Thread).without(set::FAULTS));
    DESK.with(|desk| {
        desk.end::<System>(|signal, left| {
            if !left.is_for_one_thread() {
                info::send_to_process(signal, left);
            }
        });
    });
    memory::close();
}
