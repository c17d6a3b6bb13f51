//! loom: all interleavings up to a number of preemptions, and all values that weak memory lets a
//! load return.

pub use loom::{thread, thread_local};
use std::sync::Once;

/// How far to explore.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How often a thread that could go on is made to wait for another; `None`: any number.
    pub preemptions: Option<usize>,
    /// Steps after which an execution counts as one that never ends.
    pub steps: usize,
}

impl Limits {
    /// Preemptions in a model of two threads, one of which comes again.
    pub const OF_TWO: usize = 5;

    /// Preemptions in a model of three threads.
    pub const OF_THREE: usize = 3;

    /// Preemptions in a model of four threads.
    pub const OF_FOUR: usize = 2;

    /// The usual limits of a model whose `threads` threads take the lock `times` times in all. Two
    /// threads that take it once each are explored without a bound.
    pub(crate) fn of(threads: usize, times: usize) -> Self {
        let preemptions = match threads {
            0..=2 if times <= 2 => None,
            0..=2 => Some(Self::OF_TWO),
            3 => Some(Self::OF_THREE),
            _ => Some(Self::OF_FOUR),
        };
        Self { preemptions, steps: 2_000 }
    }
}

/// Runs `execution` in all interleavings within the limits. Panics if an execution panics, if its
/// threads all wait for each other, or if it does not end.
pub fn explore(limits: Limits, execution: impl Fn() + Send + Sync + 'static) {
    without_backtraces();
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    super::stacks::keep();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = limits.preemptions;
    builder.max_branches = limits.steps;
    builder.check(execution);
}

/// Lets a panic print its message and place alone, whatever RUST_BACKTRACE asks for. The stacks
/// that loom gives its threads are too small for a backtrace, and a thread that overflows one never
/// ends.
fn without_backtraces() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|panic| eprintln!("{panic}"))));
}

/// Keeps the caller where it is for a moment. Does nothing here: loom compares accesses by what
/// orders them, not by when they happened to run.
pub fn linger() {}

/// Tosses a coin. Always `false` here: loom has no chance, and a model asks for both cases.
pub fn toss() -> bool {
    false
}
