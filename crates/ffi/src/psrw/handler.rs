//! Calls for signal handlers, and the registration of handlers.

use super::{Lock, PsRwLock, with};
use crate::answer::{Answer, is_place, refused};
use crate::errno::kept;
use libc::{EBUSY, EINVAL, ENOTSUP, EPERM, c_int, c_void};
use siftlock::context::{Interrupt, Irq, RegisterError};
use siftlock_core::platform::Raised as State;

/// The state that a handler's read keeps for its unlock.
#[derive(Debug)]
#[repr(C)]
pub struct Raised {
    state: u64,
}

/// Registers `handler` for a signal, for as long as the process lives. The handler may read a
/// siftlock_psrw.
///
/// The handler gets the signal's number, a const siginfo_t, and a ucontext_t, which may be null.
/// Like any handler, it does only what is async-signal-safe. Registered handlers do not interrupt
/// each other, except that those of SIGABRT and of faults interrupt any other. Interrupted system
/// calls are restarted (SA_RESTART). A handler of SIGSEGV or SIGBUS runs on the thread's alternate
/// stack, if there is one (SA_ONSTACK).
///
/// The handler unlocks each lock that it reads before it returns. Otherwise the thread's signals
/// are put off for ever. It leaves by siglongjmp only if it has not interrupted a call of this
/// library. A signal that was put off is handled inside such a call: the unlock that let it come.
/// The library that contains the handler must stay loaded.
///
/// EINVAL: `handler` is null, or the signal does not exist or cannot have a handler. EBUSY: the
/// signal is registered already. ENOTSUP: this library was loaded by dlopen, and a handler's first
/// call of it could allocate. That never happens with glibc on 64-bit x86 and Arm. Any other error
/// is the system's, such as one of sigaction. Blocks while another thread registers or forks.
/// Allocates. Not for handlers.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_register(
    signal: c_int,
    handler: Option<unsafe extern "C" fn(signal: c_int, info: *const c_void, context: *mut c_void)>,
) -> c_int {
    let Some(handler) = handler else { return EINVAL };
    let call = move |interrupt: &Interrupt<'_, Irq>| {
        let info = std::ptr::from_ref(interrupt.info()).cast();
        // SAFETY: the caller gives a function that takes these arguments.
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

/// Takes the lock for reading, in a registered handler. Waits awake while a writer writes, or shuts
/// handlers out. Not for handlers of faults: see siftlock_psrw_handler_try_read.
///
/// The unlock needs what this call writes to `raised`. A thread may call this function, too. Then
/// registered handlers are kept away from that thread until the unlock.
///
/// EINVAL: also if `raised` is null or not aligned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_handler_read(
    lock: *mut PsRwLock,
    raised: *mut Raised,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller gives a place for the state.
        unsafe { keep(raised, || lock.raw.read_until(Irq, None).map_err(refused)) }
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Takes the lock for reading, in a registered handler, or answers EBUSY where
/// siftlock_psrw_handler_read would wait.
///
/// Handlers of faults have to use it: a fault may interrupt a write, and a wait for that write
/// would never end. The unlock needs what this call writes to `raised`.
///
/// EINVAL: also if `raised` is null or not aligned.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_psrw_handler_try_read(
    lock: *mut PsRwLock,
    raised: *mut Raised,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller gives a place for the state.
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
        // SAFETY: the caller says that its read wrote this state, and is not unlocked.
        unsafe { lock.raw.read_unlock(Irq, State::new(raised.read().state)) };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Writes the state that `read` returns to `place`.
///
/// # Errors
/// Those of `read`. `EINVAL`, before `read` is called: `place` is null or not aligned.
///
/// # Safety
/// `place` is null, unaligned, or valid for a write.
unsafe fn keep(place: *mut Raised, read: impl FnOnce() -> Result<State, c_int>) -> Answer {
    if !is_place(place) {
        return Err(EINVAL);
    }
    let raised = read()?;
    // SAFETY: the caller's promise, and neither null nor unaligned.
    unsafe { place.write(Raised { state: raised.state() }) };
    Ok(())
}
