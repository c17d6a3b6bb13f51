//! Steps into the wrapper of a registered signal: a handler of the test's own in front of it.

use crate::trap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{mem, ptr};

/// The wrapper, which all signals share.
static WRAPPER: AtomicUsize = AtomicUsize::new(0);

/// From now on `signal`, which is registered, is handled step by step.
pub(crate) fn step_into(signal: libc::c_int) {
    // SAFETY: reads an action, and puts it back with another function of the same form.
    unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        assert_eq!(libc::sigaction(signal, ptr::null(), &mut action), 0);
        WRAPPER.store(action.sa_sigaction, Ordering::SeqCst);
        action.sa_sigaction = in_front as *const () as usize;
        assert_eq!(libc::sigaction(signal, &action, ptr::null_mut()), 0);
    }
}

extern "C" fn in_front(
    number: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    type Wrapper = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
    trap::enter_handler();
    // SAFETY: stored above.
    let wrapper = unsafe { mem::transmute::<usize, Wrapper>(*WRAPPER.as_ptr()) };
    wrapper(number, info, context);
    trap::leave_handler();
}
