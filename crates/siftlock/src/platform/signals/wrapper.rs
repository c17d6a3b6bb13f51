//! The function that the system calls for every registered signal.

use super::system::{Frame, System, mine};
use super::{errno, info, pending};
use siftlock_core::defer::Signal;

/// The handler of all registered signals, as the system sees it.
///
/// A handler may leave it by `longjmp`: nothing in here has a destructor.
pub(super) unsafe extern "C" fn wrapper(
    number: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    let Some(signal) = Signal::new(number) else { return };
    errno::kept(|| {
        // SAFETY: this is what the system gave to a wrapper, which has not returned.
        let mut frame = unsafe { Frame::new(context) };
        // SAFETY: likewise.
        let arrival = unsafe { info::arrival(signal, info, frame.program_counter(), mine()) };
        pending(|pending| pending.arrive::<System>(signal, arrival, &mut frame));
    });
}
