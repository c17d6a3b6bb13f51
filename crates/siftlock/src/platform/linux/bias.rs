//! Read biases: the heavy fence is `membarrier(2)`, which makes every running thread of the process
//! pass a full fence, and costs those that do not run nothing.
//!
//! Registered once, when the first lock asks; a sandbox or an old kernel may refuse, and then
//! all readers are counted.
//!
//! A forked child keeps the slots of threads that it does not have: what they read stays read there, as with
//! any lock that another thread holds. The thread that forks may have been lent a reference into the value.

use siftlock_core::platform::Bias;
use std::cell::Cell;
use std::io::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};

static BIAS: Bias = Bias::new();

const UNKNOWN: u8 = 0;
const GRANTED: u8 = 1;
const REFUSED: u8 = 2;

/// What reads by slot need, if the system has it.
pub(super) fn bias() -> Option<&'static Bias> {
    static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);
    // Relaxed, all: the system knows whether we are registered.
    let mut state = STATE.load(Ordering::Relaxed);
    if state == UNKNOWN {
        let mine = if register() { GRANTED } else { REFUSED };
        // The first answer stands: readers may be in slots on the strength of it.
        let first = STATE.compare_exchange(UNKNOWN, mine, Ordering::Relaxed, Ordering::Relaxed);
        state = first.map_or_else(|theirs| theirs, |_| mine);
    }
    (state == GRANTED).then_some(&BIAS)
}

thread_local! {
    /// Counted reads until the thread next asks whether a bias would pay.
    static LEFT: Cell<u32> = const { Cell::new(0) };
    /// What the last throw of a die was made from.
    static DIE: Cell<u32> = const { Cell::new(0) };
}

#[inline]
pub(super) fn is_time_to_ask() -> bool {
    let left = LEFT.get();
    LEFT.set(left.wrapping_sub(1));
    left == 0
}

/// About so many, an eighth less to an eighth more. With a fixed number a thread that goes through the
/// same locks in turn would ask about the same one each time, and never about the others.
pub(super) fn ask_again_after(reads: u32) {
    // A linear congruence: its upper bits are good enough.
    let thrown = DIE.get().wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    DIE.set(thrown);
    let span = u64::from(reads / 4) + 1;
    let more = ((span * u64::from(thrown)) >> u32::BITS) as u32;
    LEFT.set((reads - reads / 8).saturating_add(more));
}

/// A full fence in every running thread of the process.
pub(super) fn heavy_fence() {
    // A child's registration may have been lost with `fork`.
    let done = fence() || register() && fence();
    if !done {
        refused_too_late();
    }
}

fn register() -> bool {
    call(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
}

fn fence() -> bool {
    call(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED)
}

fn call(command: libc::c_int) -> bool {
    // SAFETY: touches no memory of ours.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// Readers may be inside whom nobody sees, and others may come: no way on is right.
#[cold]
fn refused_too_late() -> ! {
    // Not `eprintln`, which would unwind out of a half-made write if it cannot print.
    let _ = writeln!(
        std::io::stderr(),
        "siftlock: membarrier(2), granted at first, is refused now. Enter the sandbox before the \
         first lock is read, allow the call there, or use `policy::Counted`."
    );
    std::process::abort();
}
