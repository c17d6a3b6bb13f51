//! shuttle: so many random schedules, half of them uniform, half with few preemptions in hard
//! places (PCT). Memory is sequentially consistent.

use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};
pub use shuttle::{thread, thread_local};

/// Every run begins from the same seed, so that it finds what the run before found.
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

/// Runs `execution` in so many schedules.
///
/// # Panics
/// If one of them does, if its threads all wait for each other, or if it does not end. And if there
/// are less than two.
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

/// Runs `execution` once: it has one thread.
///
/// # Panics
/// If it does, or does not end.
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

/// Stays for a moment where the caller is, so that others can be seen beside it.
pub fn linger() {
    thread::yield_now();
}

/// Whether chance wants it.
pub fn toss() -> bool {
    use shuttle::rand::Rng;
    shuttle::rand::thread_rng().r#gen()
}
