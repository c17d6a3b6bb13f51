//! Read biases: the heavy fence is `membarrier(2)`, which makes every running thread of the process
//! pass a full fence.
//!
//! The constructor registers the process for it: that takes microseconds in a process of one
//! thread, and milliseconds with five, so no lock call does it. A sandbox or an old kernel may
//! refuse. Then readers by slot note their lock by a swap, which needs no such fence. A sandbox
//! that comes later may refuse as well: see [`wait_for_stores`].

use crate::platform::System;
use crate::system::{call, now};
use siftlock_core::platform::{Bias, Platform as _};
use siftlock_core::sync::full_fence;

static BIAS: Bias = Bias::new();

/// What reads by slot need.
#[inline]
pub(crate) fn bias() -> &'static Bias {
    &BIAS
}

/// Registers the process.
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

/// Nanoseconds. A processor's stores reach memory within microseconds, and its timer interrupts it
/// at least a hundred times in a second: this is more than two such times.
const STORES_TAKE: u64 = 25_000_000;

/// In place of the fence, which is refused now. Each store of other processors is shown in a
/// bounded time: an argument, and no guarantee of the architecture. So that form of a bias comes on
/// no more, and the wait is needed once for each lock that has it.
#[cold]
fn wait_for_stores() {
    BIAS.end_heavy_fence();
    full_fence();
    let end = now().after(STORES_TAKE);
    // What is refused as well makes this a spin.
    while now() < end {
        System::nap();
    }
}
