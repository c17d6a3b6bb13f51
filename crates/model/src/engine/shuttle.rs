//! shuttle: random schedules, half of them uniform, half with few preemptions in hard places (PCT).
//! Memory is sequentially consistent.

use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};
pub use shuttle::{thread, thread_local};

/// Every run begins from the same seed, so that it finds the failures that the run before found.
const SEED: u64 = 0x5EED_10C5;

/// How far to explore.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Schedules to try.
    pub schedules: usize,
    /// Preemptions in a PCT schedule.
    pub depth: usize,
    /// Steps after which an execution counts as one that never ends.
    pub steps: usize,
}

impl Limits {
    /// The usual limits.
    pub(crate) fn of(_threads: usize, _times: usize) -> Self {
        Self { schedules: 20_000, depth: 3, steps: 10_000 }
    }
}

/// Runs `execution` in as many schedules as `limits` says.
///
/// # Panics
/// If an execution panics, if its threads all wait for each other, or if it does not end. Also if
/// `limits` allows less than two schedules.
pub fn explore(limits: Limits, execution: impl Fn() + Send + Sync + 'static) {
    let execution = std::sync::Arc::new(execution);
    let config = config(MaxSteps::FailAfter(limits.steps));
    let half = limits.schedules / 2;
    assert_ne!(half, 0, "a model without a schedule holds whatever it says");
    let uniform = RandomScheduler::new_from_seed(SEED, half);
    let again = execution.clone();
    Runner::new(uniform, config.clone()).run(move || again());
    let pct = PctScheduler::new_from_seed(SEED, limits.depth, half);
    Runner::new(pct, config).run(move || execution());
}

/// More steps than any execution of one thread has.
const ENDLESS: usize = 50_000_000;

/// Runs `execution`, which has one thread, once.
///
/// # Panics
/// If `execution` panics, or does not end.
pub fn play(execution: impl Fn() + Send + Sync + 'static) {
    let once = RandomScheduler::new_from_seed(SEED, 1);
    Runner::new(once, config(MaxSteps::FailAfter(ENDLESS))).run(execution);
}

fn config(max_steps: MaxSteps) -> Config {
    let mut config = Config::new();
    config.failure_persistence = FailurePersistence::None;
    config.max_steps = max_steps;
    config.silence_warnings = true;
    config.ungraceful_shutdown_config.immediately_return_on_panic = true;
    config
}

/// Keeps the caller where it is for a moment, so that other threads can be seen beside it.
pub fn linger() {
    thread::yield_now();
}

/// Tosses a coin.
pub fn toss() -> bool {
    use shuttle::rand::Rng;
    shuttle::rand::thread_rng().r#gen()
}
