//! The end of a thread, and of its notes.

use super::system::System;
use super::{info, memory, pending, set, table};
use crate::platform::exit::SIGNALS;
use siftlock_core::platform::Class;

/// Has the calling thread's notes handed on when it ends. It may be called in a handler.
///
/// If the program has made 32 keys for thread-specific data before the first registration, it does
/// nothing, since it would allocate. There the notes are lost, and no other thread uses their
/// memory.
pub(super) fn call_at_thread_exit() {
    SIGNALS.call_if_light(at_thread_exit);
}

/// A signal to the process, which this thread happened to get, is sent to the process once more. A
/// signal to this thread ends with it.
fn at_thread_exit() {
    // Other threads handle the signals that arrive from now on.
    set::block(table::above(Class::Thread).without(set::FAULTS));
    pending(|pending| {
        pending.end::<System>(|signal, left| {
            if !left.is_for_one_thread() {
                info::send_to_process(signal, left);
            }
        });
    });
    memory::close();
}
