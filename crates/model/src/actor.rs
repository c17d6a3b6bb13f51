//! Acts out a script on a lock, and checks inside each section that the actor is rightly there.

mod steps;

pub use self::steps::{read_by_steps, unlock_by_steps};

use crate::engine::linger;
use crate::monitor::{self, SHARE};
use crate::platform::Modelled;
use crate::scene;
use crate::script::{Patience, Section, Step};
use crate::world::{Handler, Seat, Setup, World};
use siftlock_core::rwsem::{Policy, ReadToken, Refused, RwSem};
use siftlock_core::sync::Ordering;
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// A lock of a model.
pub type Lock<L> = RwSem<Modelled, L>;

/// The hold of an actor at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    Nothing,
    Share,
    UpgradableShare,
    Everything,
}

/// The lock, for as long as an execution lasts or until an actor frees it.
type Stage<L> = UnsafeCell<ManuallyDrop<Lock<L>>>;

/// Lets the actors loose on a new lock, and checks the state in which they leave it.
pub(crate) fn perform<L: Policy>(setup: Setup, actors: &Arc<Vec<Vec<Section>>>) {
    let scripts = actors.clone();
    let stage = |world: &World| -> Stage<L> {
        world.to_come.set(actors.iter().map(Vec::len).sum());
        world.frees.set(actors.iter().flatten().any(|section| section.frees));
        UnsafeCell::new(ManuallyDrop::new(Lock::found(setup.found)))
    };
    let act = move |world, stage: &Stage<L>, place: usize| {
        let mut actor = Actor::new(world, stage);
        scripts[place].iter().map(|section| actor.perform(section)).sum::<u64>()
    };
    scene::play(setup, actors.len(), stage, act, |world, stage, stay| {
        if world.freed.get() {
            return;
        }
        let lock = ManuallyDrop::into_inner(stage.into_inner());
        let (rest, stay) = (lock.snapshot(), stay.iter().sum::<u64>());
        assert_eq!(rest.count, world.found.get() + stay, "R6: at rest, nothing but who stays");
        assert!(!rest.has_waiters && !rest.has_spinners, "R6: {rest:?}");
    });
}

/// An actor at work.
struct Actor<'a, L: Policy> {
    world: &'static World,
    stage: &'a Stage<L>,
    has: Has,
    /// The token of its read, if it is inside by a read.
    token: ReadToken<L::Guards>,
    /// That read was made step by step.
    by_steps: bool,
    /// The tokens of its further reads.
    again: Vec<ReadToken<L::Guards>>,
}

impl<'a, L: Policy> Actor<'a, L> {
    const fn new(world: &'static World, stage: &'a Stage<L>) -> Self {
        Self {
            world,
            stage,
            has: Has::Nothing,
            token: ReadToken::COUNTED,
            by_steps: false,
            again: Vec::new(),
        }
    }

    fn lock(&self) -> &'a Lock<L> {
        // SAFETY: access is shared, except in `free`, which runs when no other actor uses the lock.
        unsafe { &*self.stage.get() }
    }

    fn me(&self) -> &Seat {
        self.world.me()
    }

    /// Acts out one section. Returns the part of the count that it leaves there for ever.
    fn perform(&mut self, section: &Section) -> u64 {
        self.me().overdue.set(section.overdue);
        if section.interrupted {
            self.me().handler.replace(Some(self.handler()));
        }
        for (place, step) in section.steps.iter().enumerate() {
            let taken = self.step(*step);
            if taken.is_err() && self.world.frees.get() {
                self.world.refused.fetch_add(1, Ordering::Release);
            }
            if place == 0 {
                self.world.comes();
            }
            if taken.is_err() {
                break;
            }
            if self.has != Has::Nothing {
                self.look_around();
            }
        }
        // A section that never slept leaves its handler here.
        drop(self.me().handler.take());
        if section.stays {
            return self.stay();
        }
        let frees = section.frees && self.has == Has::Everything && self.world.to_come.get() == 0;
        self.unlock(section.fair);
        if frees {
            self.free();
        }
        0
    }

    /// A handler that reads the lock, and looks around inside.
    fn handler(&self) -> Handler {
        let (world, stage) = (self.world, &raw const *self.stage);
        Box::new(move || {
            // SAFETY: the handler runs in a step of its actor, which has the stage.
            let stage = unsafe { &*stage };
            let mut on_top = Actor::new(world, stage);
            let token = on_top.lock().read();
            on_top.enter_by(token);
            on_top.look_around();
            on_top.unlock(false);
        })
    }

    fn step(&mut self, step: Step) -> Result<(), Refused> {
        self.me().limited.set(step.patience() == Some(Patience::Timed));
        self.me().shared.set(false);
        self.me().queued.set(false);
        let taken = self.take(step);
        if taken.is_err() && step.reads_in_time() {
            monitor::refused(self.me());
        }
        if taken.is_err()
            && matches!(step.patience(), Some(Patience::Past | Patience::Try | Patience::Steps))
        {
            monitor::refused_at_once(self.me());
        }
        taken
    }

    /// Accounts for a hold that was taken.
    fn enter(&mut self, has: Has) {
        self.has = has;
        match has {
            Has::Everything => self.world.writers.set(self.world.writers.get() + 1),
            _ => self.world.reader(self.token.is_slot(), 1),
        }
    }

    /// Accounts for a read.
    fn enter_by(&mut self, token: ReadToken<L::Guards>) {
        self.token = token;
        self.enter(Has::Share);
    }

    /// Accounts for the hold that is about to be given back.
    fn leave(&mut self) -> Has {
        let had = std::mem::replace(&mut self.has, Has::Nothing);
        match had {
            Has::Everything => self.world.writers.set(self.world.writers.get() - 1),
            _ => self.world.reader(self.token.is_slot(), -1),
        }
        had
    }

    fn take_token(&mut self) -> ReadToken<L::Guards> {
        std::mem::replace(&mut self.token, ReadToken::COUNTED)
    }

    /// Uses the data that the lock guards. loom reports each access that the lock has not ordered.
    /// Where memory has one order, the assertions see other threads inside.
    fn look_around(&self) {
        let (readers, writers) = (&self.world.readers, &self.world.writers);
        let data = &self.world.data;
        // SAFETY: the lock is being tested for exactly that.
        unsafe {
            if self.has == Has::Everything {
                data.set(data.get() + 1);
                linger();
                let inside = readers.get() + self.world.readers_by_slot();
                assert_eq!((inside, writers.get()), (0, 1), "R4: a writer is not alone");
            } else {
                let seen = data.get();
                linger();
                assert_eq!(writers.get(), 0, "R4: a writer beside a reader");
                assert_eq!(data.get(), seen, "R4: a reader sees a writer at work");
            }
        }
    }

    /// The actor stays inside for ever. Returns its part of the count.
    fn stay(&self) -> u64 {
        let counted = |token: &ReadToken<L::Guards>| if token.is_slot() { 0 } else { SHARE };
        let again = self.again.iter().map(counted).sum::<u64>();
        match self.has {
            Has::Nothing => 0,
            Has::Share => counted(&self.token) + again,
            Has::UpgradableShare => monitor::UPGRADER + SHARE + again,
            Has::Everything => monitor::WRITER,
        }
    }

    /// Frees the lock. The actor was the last inside, alone, and is outside now: no other thread
    /// uses the lock.
    fn free(&self) {
        self.world.freed.set(true);
        self.world.refused.fetch_add(0, Ordering::Acquire);
        // SAFETY: as above; the memory itself stays until the execution is over.
        unsafe { ManuallyDrop::drop(&mut *self.stage.get()) };
    }
}
