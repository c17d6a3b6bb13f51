//! Calls for signal handlers, and their registration.

use super::{Lock, PsRwLock, with};
use crate::answer::{Answer, is_place, refused};
use crate::errno::kept;
use libc::{EBUSY, EINVAL, ENOTSUP, EPERM, c_int, c_void};
use siftlock::context::{Interrupt, Irq, RegisterError};
use siftlock_core::platform::Raised as State;

/// What a handler's read has to remember until its unlock.
#[derive(Debug)]
#[repr(C)]
pub struct Raised {
    state: u64,
}

/// Has `handler` called for a signal from now on, as long as the process lives. It may read a
/// siftlock_psrw.
///
/// It is called with the signal's number, a const siginfo_t, and a ucontext_t, which may be null.
/// Like any handler it does only what is async-signal-safe. Such handlers do not interrupt each
/// other. System calls that it interrupts go on (SA_RESTART). A handler of SIGSEGV or SIGBUS runs
/// on the thread's alternate stack, if there is one (SA_ONSTACK). A handler unlocks what it reads
/// before it returns, or leaves by siglongjmp: otherwise this thread's signals are put off for
/// ever. The library that it stands in must stay loaded.
///
/// EINVAL: `handler` is null, or there is no such signal, or it has no handlers. EBUSY: the signal
/// is registered already. ENOTSUP: the library was loaded by dlopen, and its handlers would
/// allocate. That is never so with glibc on 64-bit x86 and Arm. Or an error of sigaction. Blocks
/// while another thread registers or forks. Allocates. Not for handlers.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_register(
    signal: c_int,
    handler: Option<unsafe extern "C" fn(signal: c_int, info: *const c_void, context: *mut c_void)>,
) -> c_int {
    let Some(handler) = handler else { return EINVAL };
    let call = move |interrupt: &Interrupt<'_, Irq>| {
        let info = std::ptr::from_ref(interrupt.info()).cast();
        // SAFETY: the caller gives a handler, and a handler's arguments are these.
        unsafe { handler(interrupt.signal(), info, interrupt.ucontext()) };
    };
    // SAFETY: the caller says that its handler is async-signal-safe.
    match kept(|| unsafe { siftlock::context::register(signal, call) }) {
        Ok(_registration) => 0,
        Err(RegisterError::Registered(_) | RegisterError::Differs(_)) => EBUSY,
        Err(RegisterError::LazyStorage(_)) => ENOTSUP,
        Err(RegisterError::System(error)) => error.raw_os_error().unwrap_or(EINVAL),
        Err(_) => EINVAL,
    }
}

/// Takes the lock for reading, in a registered handler. Waits, awake, while a writer writes, or
/// waits for handlers.
///
/// `raised` is for the unlock. A thread may call it, too: then handlers are kept away from it until
/// the unlock.
///
/// EINVAL: also if `raised` is null or not aligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_handler_read(
    lock: *mut PsRwLock,
    raised: *mut Raised,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller gives a place for it.
        unsafe { keep(raised, || lock.raw.read_until(Irq, None).map_err(refused)) }
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Takes the lock for reading, in a registered handler, or answers EBUSY where
/// siftlock_psrw_handler_read would wait.
///
/// Handlers of faults use it: a fault may interrupt a write.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_psrw_handler_try_read(
    lock: *mut PsRwLock,
    raised: *mut Raised,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller gives a place for it.
        unsafe { keep(raised, || lock.raw.try_read(Irq).ok_or(EBUSY)) }
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Unlocks the read that wrote `raised`. Does not block.
///
/// EPERM: no handler reads. EINVAL: also if `raised` is null or not aligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_handler_read_unlock(
    lock: *mut PsRwLock,
    raised: *mut Raised,
) -> c_int {
    let call = |lock: &Lock| {
        if !is_place(raised) {
            return Err(EINVAL);
        }
        if !lock.raw.is_locked_for_reading(Irq) {
            return Err(EPERM);
        }
        // SAFETY: the caller says that its read wrote this, and that it has that read.
        unsafe { lock.raw.read_unlock(Irq, State::new(raised.read().state)) };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Keeps in `place`, if it can be one, what a read has raised.
///
/// # Safety
/// `place` is null, unaligned or may be written.
unsafe fn keep(place: *mut Raised, read: impl FnOnce() -> Result<State, c_int>) -> Answer {
    if !is_place(place) {
        return Err(EINVAL);
    }
    let raised = read()?;
    // SAFETY: the caller's promise, and neither null nor unaligned.
    unsafe { place.write(Raised { state: raised.state() }) };
    Ok(())
}
