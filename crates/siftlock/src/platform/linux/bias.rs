//! Read biases: the heavy fence is `membarrier(2)`, which makes every running thread of the process
//! pass a full fence, and costs those that do not run nothing.
//!
//! The process registers for it when it is prepared, which takes 3 to 9 µs in a process of one
//! thread and 7 to 15 ms with five: so no lock call does it. A child has that from its parent. A
//! sandbox or an old kernel may refuse, and then readers by slot note their lock by a swap, which
//! needs no such fence.
//!
//! **A sandbox that kills** a program for the call, from its first instruction on, has to be told
//! of: by the environment variable [`AVOID_MEMBARRIER`].
//!
//! **A sandbox that comes later** may refuse as well. From then on no lock is given the asymmetric
//! form of a bias. Those that have it are drained without the call, by [a wait](wait_for_stores),
//! until a writer gets in.
//!
//! A forked child keeps the slots of threads that it does not have: what they read stays read
//! there, as with any lock that another thread holds. The thread that forks may have been lent a
//! reference into the value.

use super::Linux;
use crate::platform::signals::errno::kept;
use siftlock_core::platform::{Bias, Platform as _};
use siftlock_core::sync::full_fence;

static BIAS: Bias = Bias::new();

/// What reads by slot need.
pub(super) fn bias() -> &'static Bias {
    &BIAS
}

/// Registers the process, once.
pub(super) fn prepare() {
    BIAS.begin_heavy_fence(|| std::env::var_os(AVOID_MEMBARRIER).is_none() && register());
}

/// Where it is set, the process does not ask for the call.
const AVOID_MEMBARRIER: &str = "SIFTLOCK_AVOID_MEMBARRIER";

/// A full fence in every running thread of the process.
pub(super) fn heavy_fence() {
    if !fence() {
        wait_for_stores();
    }
}

/// Nanoseconds. A processor's stores reach memory within microseconds, and its timer interrupts it
/// at least a hundred times in a second: this is more than two such times.
const STORES_TAKE: u64 = 25_000_000;

/// In place of the fence, which is refused now. What it is about are stores that other processors
/// have made and not shown yet, of readers that noted a lock and looked at it before the caller's
/// mark. Each is shown in a bounded time: no processor keeps a store to itself, and each interrupt
/// drains them all. An argument, and no guarantee of the architecture; so that form comes on no
/// more, and the wait is needed once for each lock that has it.
#[cold]
fn wait_for_stores() {
    BIAS.end_heavy_fence();
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
