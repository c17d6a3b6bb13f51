//! A simulated cache-coherent machine, which runs code that was written for a real one.
//!
//! A [`Run`] has threads: closures on stacks of their own. Their words ([`AtomicU32`],
//! [`AtomicU64`], [`AtomicPtr`]) are in cache lines. An access costs as much as the line's way to
//! the processor, and waits for the cores that asked earlier. The system puts threads on
//! processors, lets them sleep, wakes, preempts and interrupts them. Everything happens in the
//! order of simulated time, so a run is the same on every machine, in every build, to the bit.
//!
//! **Use it for** exact counts (line transfers, atomic steps, sleeps, wake-ups per operation); for
//! curves up to 1,024 processors, whose shape is right for any plausible costs; and for defects
//! that show only on machines that you do not have.
//!
//! **It is no** evidence for a memory ordering: memory is sequentially consistent here. Nor is it a
//! clock: rates are right within a factor of two at best.
//!
//! | module | content |
//! | --- | --- |
//! | [`machine`], [`presets`] | processors and costs; to add a machine, write a preset |
//! | `line`, `memory` | one line: which cores have it or wait for it; which line an address is in |
//! | `world`, `queue`, `noise` | the state of a run; its events to come; a little disorder |
//! | `thread`, [`run`](Run), `outcome` | bodies on stacks; the loop over all events; its result |
//! | `os` | schedule, sleep and wake, idle states, interrupts, fences in all threads |
//! | `atomic`, [`calls`] | what a thread can do: change words, and ask its machine |
//! | [`counts`] | counts of each thread's actions |

mod atomic;
pub mod calls;
pub mod counts;
mod line;
pub mod machine;
mod memory;
mod noise;
mod os;
mod outcome;
pub mod presets;
mod queue;
mod run;
mod thread;
mod world;

pub use self::atomic::{AtomicPtr, AtomicU32, AtomicU64, Cell};
pub use self::counts::Counts;
pub use self::machine::{Cycles, Machine};
pub use self::memory::{Aligned, LINE};
pub use self::outcome::{Outcome, Stuck};
pub use self::run::Run;
pub use self::thread::State;
