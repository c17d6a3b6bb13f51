//! Stops a thread just after the instruction that changes a word, by the processor's trap flag.
//!
//! With the flag on, each instruction ends in a signal. Its handler looks at the word. Once the
//! word has changed, the handler keeps the thread there until the thread may go on. So the acts of
//! other threads between two instructions of a thread are not left to chance.

use std::arch::asm;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{mem, ptr};

/// Stops the thread that steps when `word & bits` becomes 0.
pub(crate) struct Stop<'a> {
    pub(crate) word: &'a AtomicU64,
    pub(crate) bits: u64,
    /// The thread has been stopped.
    pub(crate) reached: AtomicBool,
    /// The thread may go on.
    pub(crate) go_on: AtomicBool,
}

const TRAP_FLAG: i64 = 1 << 8;

thread_local! {
    /// Without a destructor, so that the handler can read it.
    static STOP: Cell<*const Stop<'static>> = const { Cell::new(ptr::null()) };
}

impl<'a> Stop<'a> {
    pub(crate) fn new(word: &'a AtomicU64, bits: u64) -> Self {
        Self { word, bits, reached: AtomicBool::new(false), go_on: AtomicBool::new(false) }
    }
}

/// Whether the flag does what it should here. Some emulators do without.
pub(crate) fn works() -> bool {
    let word = AtomicU64::new(1);
    let stop = Stop::new(&word, 1);
    stop.go_on.store(true, Ordering::SeqCst);
    begin(&stop);
    word.store(0, Ordering::SeqCst);
    end();
    stop.reached.into_inner()
}

/// Steps the calling thread from here on, until [`end`].
pub(crate) fn begin(stop: &Stop<'_>) {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // SAFETY: an all-zero action is a valid one; the handler fits SA_SIGINFO.
        let done = unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            action.sa_sigaction = on_trap as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO;
            libc::sigaction(libc::SIGTRAP, &action, ptr::null_mut())
        };
        assert_eq!(done, 0);
    });
    STOP.set(ptr::from_ref(stop).cast());
    // SAFETY: the flag makes signals that `on_trap` handles.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
}

/// Ends the stepping, even if it has ended already.
pub(crate) fn end() {
    // SAFETY: without the flag all is as usual.
    unsafe { asm!("pushfq", "and qword ptr [rsp], ~0x100", "popfq") };
    STOP.set(ptr::null());
}

extern "C" fn on_trap(_: c_int, _: *mut libc::siginfo_t, context: *mut libc::ucontext_t) {
    // SAFETY: set by `begin` to a value that lives until `end`.
    let Some(stop) = (unsafe { STOP.get().as_ref() }) else { return };
    if stop.word.load(Ordering::SeqCst) & stop.bits != 0 {
        return;
    }
    // SAFETY: the kernel's own; without the flag the thread goes on without stops.
    unsafe { (*context).uc_mcontext.gregs[libc::REG_EFL as usize] &= !TRAP_FLAG };
    stop.reached.store(true, Ordering::SeqCst);
    while !stop.go_on.load(Ordering::SeqCst) {
        // SAFETY: sleeps.
        unsafe { libc::usleep(100) };
    }
}
