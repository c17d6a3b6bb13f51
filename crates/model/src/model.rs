//! A model: a row of actors, the policy and the setting in which they act, and how far to explore.

use crate::actor::Lock;
use crate::engine::{self, Limits};
use crate::world::Setup;
use crate::{actor, monitor, scene, script};
use siftlock_core::rwsem::Policy;
use siftlock_core::sync::mutant::{self, Mutant};
use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// One execution, from an empty world to an empty world.
type Execution = Arc<dyn Fn(Setup) + Send + Sync + UnwindSafe + RefUnwindSafe>;

/// A model, to be run.
#[derive(Clone)]
pub struct Model {
    execution: Execution,
    setup: Setup,
    limits: Limits,
}

impl Model {
    /// The actors of `row` on a lock with this policy.
    #[must_use]
    pub fn row<L: Policy>(row: &str) -> Self {
        let actors = Arc::new(script::parse(row));
        let times = actors.iter().map(Vec::len).sum();
        let limits = Limits::of(actors.len(), times);
        Self { limits, ..Self::new(move |setup| actor::perform::<L>(setup, &actors)) }
    }

    /// A single thread, which acts out `story` on a lock.
    #[must_use]
    pub fn alone<L: Policy>(story: fn(&Lock<L>)) -> Self {
        Self::new(move |setup| {
            let lock = move |_: &_| Lock::<L>::found(setup.found);
            scene::play(setup, 1, lock, move |_, lock, _| story(lock), |_, _, _| ());
        })
    }

    /// Something else than actors on a lock.
    #[must_use]
    pub fn new(
        execution: impl Fn(Setup) + Send + Sync + UnwindSafe + RefUnwindSafe + 'static,
    ) -> Self {
        Self { execution: Arc::new(execution), setup: Setup::default(), limits: Limits::of(2, 2) }
    }

    /// This model within other limits.
    #[must_use]
    pub fn within(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.limits);
        self
    }

    /// This model with at most so many preemptions, or with any number.
    #[cfg(siftlock_model = "loom")]
    #[must_use]
    pub fn preempted(self, at_most: Option<usize>) -> Self {
        self.within(|limits| limits.preemptions = at_most)
    }

    /// This model with a bound on preemptions, even if two threads take the lock once each, which
    /// are otherwise explored without one. For threads that make more steps than usual.
    #[cfg(siftlock_model = "loom")]
    #[must_use]
    pub fn bounded(self) -> Self {
        self.within(|limits| limits.preemptions = limits.preemptions.or(Some(Limits::OF_TWO)))
    }

    /// This model in another setting.
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
        let explored = catch_unwind(|| {
            engine::explore(limits, move || {
                counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                monitor::begin();
                execution(setup);
            });
        });
        if let Err(complaint) = explored {
            monitor::tell_steps();
            resume_unwind(complaint);
        }
        println!("{executions:?} executions within {limits:?}");
    }

    /// With this rule broken, some execution goes wrong.
    ///
    /// # Panics
    /// If no execution goes wrong: nothing guards the rule.
    pub fn falls_to(&self, rule: Mutant) {
        mutant::switch_on(rule);
        let held = catch_unwind(|| self.holds());
        mutant::switch_off();
        let Err(complaint) = held else { panic!("{rule:?} goes unnoticed") };
        let text = complaint.downcast_ref::<String>().map(String::as_str);
        println!("{rule:?}: {}", text.or(complaint.downcast_ref().copied()).unwrap_or("?"));
    }
}

/// Rules whose breach shows only where a load never returns an old value, or after more steps of
/// three threads than loom can explore.
pub const FOR_SHUTTLE: &[Mutant] =
    &[Mutant::SpinsOnReservedLock, Mutant::HeadUnheededBeforeItsCall];

/// Declares models, each with the test that it holds: `name => Model::row::<Policy>("R W");`
#[macro_export]
macro_rules! models {
    ($($(#[$about:meta])* $name:ident => $model:expr;)+) => {$(
        $(#[$about])*
        pub(crate) mod $name {
            #[allow(unused_imports, reason = "not each model needs all that its file has")]
            use super::*;

            pub(crate) fn model() -> $crate::model::Model {
                $model
            }

            #[test]
            fn holds() {
                model().holds();
            }
        }
    )+};
}

/// Lists mutants, each with the model that must fall to it: `Rule => file::model;`. The model's own
/// test shows that it holds without the mutant.
#[macro_export]
#[allow(clippy::crate_in_macro_def, reason = "the files are those of the calling test")]
macro_rules! mutants {
    ($($rule:ident => $file:ident :: $model:ident;)+) => {
        const LISTED: &[siftlock_core::sync::mutant::Mutant] =
            &[$(siftlock_core::sync::mutant::Mutant::$rule),+];

        $(
            #[allow(non_snake_case, reason = "the test has the mutant's name")]
            mod $rule {
                #[test]
                fn is_caught() {
                    $crate::model::Model::falls_to(
                        &crate::$file::$model::model(),
                        siftlock_core::sync::mutant::Mutant::$rule,
                    );
                }
            }
        )+
    };
}
