//! Read biases. The heavy fence is `membarrier(2)`: every running thread of the process passes a
//! full fence, and a thread that does not run pays nothing.
//!
//! The process registers for it when it is prepared. That takes 3 to 9 µs in a process of one
//! thread, and 7 to 15 ms with five, so no lock call does it. A child inherits the registration. A
//! sandbox or an old kernel may refuse it. Then readers by slot note their lock by a swap, which
//! needs no such fence.
//!
//! **A sandbox that kills** the program for the call, from its first instruction on: set the
//! environment variable [`AVOID_MEMBARRIER`].
//!
//! **A sandbox that comes later** may refuse as well. From then on no lock is given the asymmetric
//! form of a bias. A lock that has it keeps it until a writer gets in: that writer drains the lock
//! without the call, by [a wait](wait_for_stores).
//!
//! A forked child keeps the slots of threads that it does not have: their locks stay read there,
//! like any lock that another thread holds. One of those threads may have lent the forking thread a
//! reference into the value.

use super::Linux;
use crate::platform::signals::errno::kept;
use siftlock_core::platform::{Bias, Platform as _};
use siftlock_core::sync::full_fence;

static BIAS: Bias = Bias::new();

/// The process's state of read biases.
pub(super) fn bias() -> &'static Bias {
    &BIAS
}

/// Registers the process, once.
pub(super) fn prepare() {
    BIAS.begin_heavy_fence(|| std::env::var_os(AVOID_MEMBARRIER).is_none() && register());
}

/// If this environment variable is set, the process does not use the call.
const AVOID_MEMBARRIER: &str = "SIFTLOCK_AVOID_MEMBARRIER";

/// A full fence in every running thread of the process.
pub(super) fn heavy_fence() {
    if !fence() {
        wait_for_stores();
    }
}

/// Nanoseconds. A processor's stores reach memory within microseconds, and its timer interrupts it
/// at least a hundred times in a second: this is more than two such periods.
const STORES_TAKE: u64 = 25_000_000;

/// Waits in place of the fence, which is refused now. Readers may have noted a lock, and looked at
/// it, before the caller's mark, by stores that their processors have not shown yet. Each store is
/// shown in a bounded time: no processor keeps a store to itself, and each interrupt drains them
/// all. This is an argument, and no guarantee of the architecture. So that form comes on no more,
/// and each lock that has it needs the wait once.
#[cold]
fn wait_for_stores() {
    BIAS.end_heavy_fence();
    full_fence();
    let end = Linux::now().after(STORES_TAKE);
    // If the nap's call is refused as well, this is a spin.
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
