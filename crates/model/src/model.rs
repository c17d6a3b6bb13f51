//! A model: a row of actors, the policy and the setting in which they act, and how far to explore.

use crate::actor::Lock;
use crate::engine::{self, Limits};
use crate::world::Setup;
use crate::{actor, monitor, policies, scene, script};
use siftlock_core::rwsem::Policy;
use siftlock_core::sync::mutant::{self, Mutant};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// One execution, from an empty world to an empty world.
type Execution = Arc<dyn Fn(Setup) + Send + Sync>;

/// A model, to be run.
#[derive(Clone)]
pub struct Model {
    execution: Execution,
    setup: Setup,
    limits: Limits,
}

impl Model {
    /// The actors of `row` on a lock as it is meant to be used.
    #[must_use]
    pub fn row(row: &str) -> Self {
        Self::row_by::<policies::Classic>(row)
    }

    /// The actors of `row` on a lock with another policy.
    #[must_use]
    pub fn row_by<L: Policy>(row: &str) -> Self {
        let actors = Arc::new(script::parse(row));
        let limits = Limits::of(actors.len());
        Self { limits, ..Self::new(move |setup| actor::perform::<L>(setup, &actors)) }
    }

    /// A single thread with a lock, which `story` leaves as it was found.
    #[must_use]
    pub fn alone<L: Policy>(story: fn(&Lock<L>)) -> Self {
        Self::new(move |setup| {
            let lock = move |_: &_| Lock::<L>::found(setup.found);
            scene::play(setup, 1, lock, move |_, lock, _| story(lock), |_, _, _| ());
        })
    }

    /// Something else than actors on a lock.
    #[must_use]
    pub fn new(execution: impl Fn(Setup) + Send + Sync + 'static) -> Self {
        Self {
            execution: Arc::new(execution),
            setup: Setup::default(),
            limits: Limits::of(2),
        }
    }

    /// The same within other limits.
    #[must_use]
    pub fn within(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.limits);
        self
    }

    /// The same in another setting.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.setup);
        self
    }

    /// The model holds in every execution that the engine finds within the limits.
    ///
    /// # Panics
    /// If it does not.
    pub fn holds(&self) {
        let Self { execution, setup, limits } = self.clone();
        let executions = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = executions.clone();
        let explored = catch_unwind(AssertUnwindSafe(|| {
            engine::explore(limits, move || {
                counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                monitor::begin();
                execution(setup);
            });
        }));
        if let Err(complaint) = explored {
            monitor::tell_steps();
            resume_unwind(complaint);
        }
        println!("{executions:?} executions within {limits:?}");
    }

    /// With this rule broken, some execution goes wrong.
    ///
    /// # Panics
    /// If none does: nothing guards the rule.
    pub fn falls_to(&self, rule: Mutant) {
        mutant::switch_on(rule);
        let held = catch_unwind(AssertUnwindSafe(|| self.holds()));
        mutant::switch_off();
        let Err(complaint) = held else { panic!("{rule:?} goes unnoticed") };
        let text = complaint.downcast_ref::<String>().map(String::as_str);
        println!("{rule:?}: {}", text.or(complaint.downcast_ref().copied()).unwrap_or("?"));
    }
}
