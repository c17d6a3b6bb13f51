//! Acts out a row: in every interleaving within the limits, and with each handler at every place.

use crate::monitor;
use crate::script::{Actor, Mode, Section, parse};
use crate::subject::mutant::{self, Mutant};
use crate::subject::{Subject, preemptions};
use crate::world::{Handler, Setup, World};
use siftlock_core::platform::{Class, Raised};
use siftlock_core::sync::watch::interrupt_by;
use siftlock_model::engine::{Limits, explore, thread};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A row on one kind of lock.
pub(crate) struct Model<S> {
    row: Arc<Vec<Actor>>,
    setup: Setup,
    limits: Limits,
    subject: PhantomData<S>,
}

/// The lock, for as long as an execution lasts or until an actor frees it.
type Stage<S> = UnsafeCell<ManuallyDrop<S>>;

/// The stage that the threads share: they are the engine's, and one runs at a time.
struct Shared<S>(Arc<Stage<S>>);

// SAFETY: the stage never leaves the OS thread that runs the model.
unsafe impl<S> Send for Shared<S> {}

impl<S: Subject> Model<S> {
    pub(crate) fn row(row: &str) -> Self {
        let row = parse(row);
        let limits = Limits { preemptions: preemptions(&row), steps: 2_000 };
        Self { row: Arc::new(row), setup: Setup::default(), limits, subject: PhantomData }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.setup);
        self
    }

    pub(crate) fn within(mut self, preemptions: Option<usize>) -> Self {
        self.limits.preemptions = preemptions;
        self
    }

    /// The row holds in every execution that the engine finds within the limits.
    pub(crate) fn holds(&self) {
        let count = self.row.iter().map(|actor| actor.handlers.len()).sum();
        let executions = Arc::new(AtomicUsize::new(0));
        self.try_places(&mut Vec::new(), count, &executions);
        println!("{executions:?} executions within {:?}", self.limits);
    }

    /// With this rule broken, some execution goes wrong, and with all rules kept none.
    pub(crate) fn falls_to(&self, rule: Mutant) {
        self.holds();
        mutant::switch_on(rule);
        let complaint = self.complaint();
        mutant::switch_off();
        let Some(complaint) = complaint else { panic!("{rule:?} goes unnoticed") };
        println!("{rule:?}: {complaint}");
    }

    /// Some execution breaks this invariant, which the lock is known not to keep.
    pub(crate) fn breaks(&self, invariant: &str) {
        let complaint = self.complaint().unwrap_or_else(|| panic!("{invariant} is kept"));
        println!("{complaint}");
        assert!(complaint.contains(invariant), "another failure than that of {invariant}");
    }

    fn complaint(&self) -> Option<String> {
        let preemptions = self.limits.preemptions.map(|usual| usual + self.setup.deeper);
        let limits = Limits { preemptions, ..self.limits };
        let deeper = Self { row: self.row.clone(), limits, ..*self };
        let complaint = catch_unwind(AssertUnwindSafe(|| deeper.holds())).err()?;
        let text = complaint.downcast_ref::<String>().map(String::as_str);
        Some(text.or(complaint.downcast_ref().copied()).unwrap_or("?").to_owned())
    }

    /// Tries the remaining handlers at all places. Returns how many places there were for each
    /// handler.
    fn try_places(
        &self,
        places: &mut Vec<usize>,
        remaining: usize,
        executions: &Arc<AtomicUsize>,
    ) -> Vec<usize> {
        if remaining == 0 {
            return self.explore(places, executions);
        }
        let this = places.len();
        let mut most = Vec::new();
        for at in 1.. {
            places.push(at);
            let seen = self.try_places(places, remaining - 1, executions);
            places.pop();
            let reached = seen[this] >= at;
            most = larger(most, seen);
            if !reached {
                break;
            }
        }
        most
    }

    /// Explores all interleavings with the handlers at these places.
    fn explore(&self, places: &[usize], executions: &Arc<AtomicUsize>) -> Vec<usize> {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (row, setup, places) = (self.row.clone(), self.setup, Arc::new(places.to_vec()));
        let (tally, counted, at) = (seen.clone(), executions.clone(), places.clone());
        let explored = catch_unwind(AssertUnwindSafe(|| {
            explore(self.limits, move || {
                counted.fetch_add(1, Ordering::Relaxed);
                monitor::begin();
                let there = perform::<S>(setup, &row, &places);
                let mut tally = tally.lock().expect("one thread");
                *tally = larger(std::mem::take(&mut tally), there);
            });
        }));
        if let Err(complaint) = explored {
            let steps = monitor::steps(true);
            println!("handlers before steps {at:?}; failed after {steps} steps of the word");
            resume_unwind(complaint);
        }
        std::mem::take(&mut seen.lock().expect("one thread"))
    }
}

/// Place by place the larger number.
fn larger(some: Vec<usize>, others: Vec<usize>) -> Vec<usize> {
    let length = some.len().max(others.len());
    let of = |numbers: &[usize], place: usize| numbers.get(place).copied().unwrap_or(0);
    (0..length).map(|place| of(&some, place).max(of(&others, place))).collect()
}

/// A single thread with a lock. `story` leaves the lock as it was found.
pub(crate) fn alone<S: Subject>(setup: Setup, story: fn(&S)) {
    explore(Limits { preemptions: None, steps: 2_000 }, move || {
        monitor::begin();
        let world = World::begin::<S>(setup, vec![Vec::new()]);
        world.sit(0);
        let lock = S::found(setup.found);
        lock.show();
        story(&lock);
        lock.assert_rests_at(setup.found);
        interrupt_by(None);
        drop(lock);
        world.end();
    });
}

/// Rows that hold.
macro_rules! holds {
    ($($(#[$meta:meta])* $name:ident: $subject:ty, $row:literal $(, $with:expr)?;)*) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            $crate::model::Model::<$subject>::row($row)$(.with($with))?.holds();
        }
    )*};
}
pub(crate) use holds;

/// Rows that fall when a rule is broken, and a list of those rules.
macro_rules! falls {
    ($($(#[$meta:meta])* $name:ident: $subject:ty, $row:literal, $rule:ident $(, $with:expr)?;)*) => {
        pub(crate) const BROKEN: &[$crate::subject::mutant::Mutant] =
            &[$($crate::subject::mutant::Mutant::$rule),*];

        $(
        $(#[$meta])*
        #[test]
        fn $name() {
            let rule = $crate::subject::mutant::Mutant::$rule;
            $crate::model::Model::<$subject>::row($row)$(.with($with))?.falls_to(rule);
        }
        )*
    };
}
pub(crate) use falls;

/// Runs one execution. Returns how many places there were for each handler.
fn perform<S: Subject>(setup: Setup, row: &Arc<Vec<Actor>>, places: &[usize]) -> Vec<usize> {
    let mut places = places.iter().copied();
    let handlers = row.iter().map(|actor| {
        let handlers = actor.handlers.iter().map(|section| Handler {
            class: if let Mode::Read(class) = section.mode { class } else { S::WRITES },
            at: places.next().expect("a place for each"),
            steps: std::cell::Cell::new(0),
        });
        handlers.collect()
    });
    let world = World::begin::<S>(setup, handlers.collect());
    world.to_come.set(row.iter().map(|actor| actor.sections.len()).sum());
    let stage: Arc<Stage<S>> = Arc::new(UnsafeCell::new(ManuallyDrop::new(S::found(setup.found))));
    // SAFETY: nobody else has it yet.
    unsafe { &*stage.get() }.show();
    let (on, of) = (stage.clone(), row.clone());
    *world.interrupt.borrow_mut() = Some(Rc::new(move |place, number| {
        act(world, &on, &of[place].handlers[number]);
    }));
    let others: Vec<_> = (1..row.len())
        .map(|place| {
            let (stage, row) = (Shared(stage.clone()), row.clone());
            thread::spawn(move || {
                let stage = stage;
                world.sit(place);
                run(world, &stage.0, &row[place])
            })
        })
        .collect();
    world.sit(0);
    let mut stay = run(world, &stage, &row[0]);
    for other in others {
        stay += other.join().expect("a thread that fails fails the model");
    }
    world.interrupt.take();
    let handlers = world.seats.iter().flat_map(|seat| &seat.handlers);
    let there = handlers.map(|handler| handler.steps.get()).collect();
    interrupt_by(None);
    if !world.freed.get() {
        let stage = Arc::into_inner(stage).expect("the others are done with it");
        let lock = ManuallyDrop::into_inner(stage.into_inner());
        lock.assert_rests_at(setup.found + stay);
    }
    world.end();
    there
}

/// Acts out one thread's sections. Returns the part of the word that stays for ever.
fn run<S: Subject>(world: &'static World, stage: &Stage<S>, actor: &Actor) -> u64 {
    actor.sections.iter().map(|section| act(world, stage, section)).sum()
}

fn act<S: Subject>(world: &'static World, stage: &Stage<S>, section: &Section) -> u64 {
    // SAFETY: access is shared, except for the freeing below, when nobody else uses the lock.
    let lock: &S = unsafe { &*stage.get() };
    let wanted = world.me().wants.replace((section.mode, section.patience));
    let taken = lock.take(section.mode, section.patience);
    world.me().needless.set(0);
    world.me().wants.set(wanted);
    world.to_come.set(world.to_come.get().saturating_sub(1));
    let Ok(raised) = taken else { return 0 };
    match section.mode {
        Mode::Read(class) => look(world, class),
        Mode::Write => change(world),
    }
    let (mode, raised) = match section.downgrades {
        true => go_on_reading(world, lock, raised),
        false => (section.mode, raised),
    };
    if section.stays {
        return match mode {
            Mode::Read(class) => monitor::stays(class),
            Mode::Write => panic!("nobody could see the end of it"),
        };
    }
    let last = section.frees && world.to_come.get() == 0 && section.mode == Mode::Write;
    leave(world, lock, mode, raised);
    if last {
        world.freed.set(true);
        // SAFETY: the actor was alone inside, and all others are done; the memory itself stays.
        unsafe { ManuallyDrop::drop(&mut *stage.get()) };
    }
    0
}

/// Uses the data that the lock guards. loom reports each access that the lock has not ordered.
fn look(world: &World, class: Class) {
    monitor::reader_is_in(world, class);
    // SAFETY: the lock is being tested for exactly that.
    unsafe { world.data.get() };
}

fn change(world: &World) {
    monitor::writer_is_in(world);
    // SAFETY: as above.
    unsafe { world.data.set(world.data.get() + 1) };
}

/// A writer goes on as a Thread reader: nobody has written in between.
fn go_on_reading<S: Subject>(world: &World, lock: &S, raised: Raised) -> (Mode, Raised) {
    // SAFETY: the lock is being tested for exactly that. Again below.
    let written = unsafe { world.data.get() };
    world.writers.set(0);
    // SAFETY: it was taken.
    unsafe { lock.go_on_reading(raised) };
    look(world, Class::Thread);
    // SAFETY: as above.
    assert_eq!(unsafe { world.data.get() }, written, "S1: a write beside a downgraded one");
    (Mode::Read(Class::Thread), Raised::NOTHING)
}

fn leave<S: Subject>(world: &World, lock: &S, mode: Mode, raised: Raised) {
    match mode {
        Mode::Read(class) => monitor::reader_leaves(world, class),
        Mode::Write => world.writers.set(0),
    }
    // SAFETY: it was taken.
    unsafe { lock.give_back(mode, raised) };
}
