//! Read biases: the heavy fence is `membarrier(2)`, which makes every running thread of the process
//! pass a full fence, and costs those that do not run nothing.
//!
//! The process registers for it when it is prepared, which takes 3 to 9 µs in a process of one thread and
//! 7 to 15 ms with five: so no lock call does it. A child has that from its parent. A sandbox or an old
//! kernel may refuse, and then all readers are counted.
//!
//! **A sandbox that kills** a program for the call, from its first instruction on, has to be told of: by the
//! environment variable [`COUNT_READERS`].
//!
//! **A sandbox that comes later** may refuse as well. From then on no lock is biased any more. Those that
//! are have to be drained without the call, by [a wait](wait_for_stores), until a writer gets in.
//!
//! A forked child keeps the slots of threads that it does not have: what they read stays read there, as with
//! any lock that another thread holds. The thread that forks may have been lent a reference into the value.

use super::Linux;
use crate::platform::signals::errno::kept;
use siftlock_core::platform::{Bias, Platform as _};
use siftlock_core::sync::full_fence;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

static BIAS: Bias = Bias::new();

/// Whether the process is registered.
static REGISTERED: AtomicBool = AtomicBool::new(false);

/// What reads by slot need, if the system has it.
pub(super) fn bias() -> Option<&'static Bias> {
    // Relaxed: the system knows whether we are registered, and nothing else was written before.
    REGISTERED.load(Ordering::Relaxed).then_some(&BIAS)
}

/// Registers the process. Once on, it stays on: readers may be in slots on the strength of it.
pub(super) fn prepare() {
    // Relaxed, both: as above. Two threads may both get here; once more changes nothing.
    let wanted = !REGISTERED.load(Ordering::Relaxed) && std::env::var_os(COUNT_READERS).is_none();
    if wanted && register() {
        REGISTERED.store(true, Ordering::Relaxed);
    }
}

/// Where it is set, the process does not ask for the call, and all readers are counted.
const COUNT_READERS: &str = "SIFTLOCK_COUNT_READERS";

/// From now on no lock is biased.
pub(super) fn end() {
    BIAS.end();
}

thread_local! {
    /// Reads until the thread next asks whether a bias would pay.
    static LEFT: Cell<u32> = const { Cell::new(0) };
    /// What the last throw of a die was made from.
    static DIE: Cell<u32> = const { Cell::new(0) };
}

#[inline]
pub(super) fn is_time_to_ask(weight: u32) -> bool {
    let left = LEFT.get().checked_sub(weight);
    if let Some(left) = left {
        LEFT.set(left);
    }
    left.is_none()
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
    if !fence() {
        wait_for_stores();
    }
}

/// Nanoseconds. A processor's stores reach memory within microseconds, and its timer interrupts it at
/// least a hundred times in a second: this is more than two such times.
const STORES_TAKE: u64 = 25_000_000;

/// In place of the fence, which is refused now. What it is about are stores that other processors have made
/// and not shown yet, of readers that noted a lock and looked at it before the caller's mark. Each is shown in
/// a bounded time: no processor keeps a store to itself, and each interrupt drains them all. An argument,
/// and no guarantee of the architecture; so no lock is biased any more, and that is needed once for each
/// lock that is.
#[cold]
fn wait_for_stores() {
    end();
    full_fence();
    let end = Linux::now().after(STORES_TAKE);
    // What is refused as well makes this a spin.
    while Linux::now() < end {
        Linux::nap();
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
    kept(|| unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 })
}
