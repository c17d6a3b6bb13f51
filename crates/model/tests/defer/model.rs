//! Acts out a row: its signals before all steps of a story.

use crate::sim::{Leaving, Sim, deliver, interrupt, lower, send};
use crate::world::{Act, Sending, World, raise, signal};
use siftlock_core::defer::Signal;
use siftlock_core::platform::{Class, Raised};
use siftlock_core::sync::mutant::{self, Mutant};
use siftlock_core::sync::watch::interrupt_by;
use siftlock_model::engine::play;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Each of these before a row stands for one of its first signals: it comes when the thread has
/// just been raised, and is noted.
const NOTED: char = '.';
/// The step of a region just after its raise.
const RAISED: usize = 3;
/// More steps than any execution has.
pub(crate) const MANY: usize = 20_000;
/// How many signals one run of the engine tries. A run takes longer to begin than a story to end,
/// and records each step.
const TOGETHER: usize = 2;

/// A row, the acts of its handlers, and the story of the thread meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) row: &'static str,
    pub(crate) act: Act,
    pub(crate) story: fn(),
}

impl Model {
    /// The row holds, whenever its signals are sent.
    pub(crate) fn holds(self) {
        let letters = self.row.trim_start_matches(NOTED);
        let signals: Vec<_> = letters.chars().map(|it| (signal(it), it)).collect();
        let count = Arc::new(AtomicUsize::new(0));
        self.try_steps(&signals, &[], &count);
        println!("{:?} executions of {}", count, self.row);
    }

    /// With this rule broken, some execution goes wrong, and with all rules kept none.
    pub(crate) fn falls_to(self, rule: Mutant) {
        self.holds();
        mutant::switch_on(rule);
        let held = catch_unwind(AssertUnwindSafe(|| self.holds()));
        mutant::switch_off();
        interrupt_by(None);
        let Err(complaint) = held else { panic!("{rule:?} goes unnoticed") };
        let text = complaint.downcast_ref::<String>().map(String::as_str);
        println!("{rule:?}: {}", text.or(complaint.downcast_ref().copied()).unwrap_or("?"));
    }

    /// Tries the remaining signals before all steps. Signals that are alike keep their order.
    /// Returns how many steps there were at most.
    fn try_steps(
        self,
        signals: &[(Signal, char)],
        at: &[usize],
        count: &Arc<AtomicUsize>,
    ) -> usize {
        if at.len() + TOGETHER < signals.len() {
            return self.try_steps_of_next(signals, at, |at| self.try_steps(signals, at, count));
        }
        let most = Arc::new(AtomicUsize::new(0));
        let (found, count) = (most.clone(), count.clone());
        let (signals, at) = (signals.to_vec(), at.to_vec());
        play(move || found.store(self.try_together(&signals, &at, &count), Ordering::Relaxed));
        most.load(Ordering::Relaxed)
    }

    /// Tries the remaining signals before all steps, in one run of the engine.
    fn try_together(self, signals: &[(Signal, char)], at: &[usize], count: &AtomicUsize) -> usize {
        if at.len() == signals.len() {
            return self.perform(signals, at, count);
        }
        self.try_steps_of_next(signals, at, |at| self.try_together(signals, at, count))
    }

    /// Tries the next signal before all steps of the executions that `next` performs, and after the
    /// last.
    fn try_steps_of_next(
        self,
        signals: &[(Signal, char)],
        at: &[usize],
        next: impl Fn(&[usize]) -> usize,
    ) -> usize {
        let this = at.len();
        let kind = |(signal, letter): (Signal, char)| (signal, letter == 'F');
        let alike = |place: &usize| kind(signals[*place]) == kind(signals[this]);
        let first = (0..this).rev().find(alike).map_or(1, |place| at[place]);
        let noted = self.row.chars().take_while(|letter| *letter == NOTED).count();
        let steps = if this < noted { RAISED..=RAISED } else { first..=MANY };
        let mut most = 0;
        for step in steps {
            let steps = next(&[at, &[step]].concat());
            most = most.max(steps);
            if steps < step {
                break;
            }
        }
        most
    }

    /// One execution. Returns how many steps it had.
    fn perform(self, signals: &[(Signal, char)], at: &[usize], count: &AtomicUsize) -> usize {
        count.fetch_add(1, Ordering::Relaxed);
        let sending = |((signal, letter), at): (&(Signal, char), &usize)| Sending {
            signal: *signal,
            fault: *letter == 'F',
            timer: *letter == 'T',
            at: *at,
            wanted: Cell::new(false),
            sent: Cell::new(false),
            handled: Cell::new(false),
        };
        let world = World::begin(self.act, signals.iter().zip(at).map(sending).collect());
        interrupt_by(Some(interrupt));
        let performed = catch_unwind(AssertUnwindSafe(|| {
            leavable(self.story);
            let steps = world.steps.get();
            finish(world);
            steps
        }));
        interrupt_by(None);
        performed.unwrap_or_else(|complaint| {
            println!("{} sent before steps {at:?}", self.row);
            resume_unwind(complaint)
        })
    }
}

/// Acts out a story. Where a handler leaves it, the mask is as it was before.
fn leavable(story: impl FnOnce()) {
    match catch_unwind(AssertUnwindSafe(story)) {
        Ok(()) => {}
        Err(thrown) if thrown.is::<Leaving>() => {
            World::now().leave();
            deliver(); // nobody leaves twice
        }
        Err(thrown) => resume_unwind(thrown),
    }
}

/// The signals that are not sent yet come now. Then all must be as in the beginning.
fn finish(world: &'static World) {
    for value in (0..world.row.len()).filter(|value| !world.row[*value].sent.get()) {
        leavable(|| {
            send(value);
            deliver();
        });
    }
    if world.room.get() < usize::MAX || world.covered.get() {
        // Kicks were refused, and a handler that left did not see to the rest: the next lower does.
        lower(raise(Class::Irq));
    }
    assert!(world.mask.get().is_empty(), "D2: {:?} stay blocked", world.mask.get());
    if world.row.iter().all(|sending| sending.timer) {
        assert_eq!(world.expired.get(), world.row.len(), "what a timer ran out is lost");
    }
    world.check_settled();
    // Nothing is left for a lower to see to.
    let calls = world.handlers.get();
    world.quietly(|| world.pending.lower::<Sim>(Raised::NOTHING));
    assert_eq!(world.handlers.get(), calls, "D1: something was left to a later lower");
    interrupt_by(None);
    world.end();
}
