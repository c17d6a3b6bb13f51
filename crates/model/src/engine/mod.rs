//! The seam to the engine that runs a model: loom or shuttle.
//!
//! Both run all threads of a model on the one OS thread that asked for it, and switch stacks. So
//! the state of an execution lives in plain cells and thread-locals of that OS thread. The engine
//! does not see it, and makes no step for it. A test of each engine checks that.

#[cfg(siftlock_model = "loom")]
mod loom;
#[cfg(siftlock_model = "shuttle")]
mod shuttle;
#[cfg(all(siftlock_model = "loom", target_os = "linux", target_pointer_width = "64"))]
mod stacks;

#[cfg(siftlock_model = "loom")]
pub use self::loom::{Limits, explore, linger, thread, thread_local, toss};
#[cfg(siftlock_model = "shuttle")]
pub use self::shuttle::{Limits, explore, linger, play, thread, thread_local, toss};
