//! Read biases: the heavy fence is `membarrier(2)`, which makes every running thread of the process
//! pass a full fence.
//!
//! The constructor registers the process for it. No lock call does: registering takes microseconds
//! in a process of one thread, and milliseconds with five. A sandbox or an old kernel may refuse
//! it. Then readers by slot note their lock by a swap, which needs no such fence. A later sandbox
//! may refuse the fence itself: see [`wait_for_stores`].

use crate::platform::System;
use crate::system::{call, now};
use siftlock_core::platform::{Bias, Platform as _};
use siftlock_core::sync::full_fence;

static BIAS: Bias = Bias::new();

/// The state of reads by slot, one for all locks.
#[inline]
pub(crate) fn bias() -> &'static Bias {
    &BIAS
}

/// Registers the process for the heavy fence.
pub(crate) fn prepare() {
    BIAS.begin_heavy_fence(|| membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED as usize));
}

/// A full fence in every running thread of the process.
pub(crate) fn heavy_fence() {
    if !membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED as usize) {
        wait_for_stores();
    }
}

fn membarrier(command: usize) -> bool {
    // SAFETY: touches no memory.
    unsafe { call(libc::SYS_membarrier, [command, 0, 0, 0, 0, 0]) == 0 }
}

/// Nanoseconds in which each processor's earlier stores become visible. They reach memory within
/// microseconds, and a timer interrupts each processor at least a hundred times a second. This is
/// more than two intervals of that timer.
const STORES_TAKE: u64 = 25_000_000;

/// Replaces a fence that the kernel has refused: other processors' stores become visible within a
/// bounded time. That is an argument, not a guarantee of the architecture. So no lock is given the
/// asymmetric form of a bias from now on. Each lock that has this form needs the wait once.
#[cold]
fn wait_for_stores() {
    BIAS.end_heavy_fence();
    full_fence();
    let end = now().after(STORES_TAKE);
    // If the sandbox also refuses the nap, the loop spins.
    while now() < end {
        System::nap();
    }
}
