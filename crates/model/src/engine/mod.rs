//! The seam to the engine that runs a model: loom or shuttle.
//!
//! Both run all threads of a model on the one OS thread that asked for it, switching stacks; so
//! what an execution knows about itself lives in plain cells and thread-locals of that OS thread,
//! out of the engine's sight and without a step of its own. A test of each engine holds it to that.

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
