//! Acting out a script on a lock, and looking, inside each section, whether one is rightly there.

use crate::engine::linger;
use crate::monitor::{self, SHARE};
use crate::platform::Modelled;
use crate::scene;
use crate::script::{Patience, Section, Step};
use crate::world::{Handler, Seat, Setup, World};
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::rwsem::{Policy, ReadToken, Refused, RwSem};
use siftlock_core::sync::Ordering;
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// How long a `t` waits, in nanoseconds: less than it takes to be overdue.
const A_WHILE: u64 = 1_000_000;

/// A lock of a model.
pub type Lock<L> = RwSem<Modelled, L>;

/// What an actor has at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    Nothing,
    Share,
    UpgradableShare,
    Everything,
}

/// The lock, for as long as an execution lasts or until an actor frees it.
type Stage<L> = UnsafeCell<ManuallyDrop<Lock<L>>>;

/// Lets the actors loose on a new lock and looks at what they leave behind.
pub(crate) fn perform<L: Policy>(setup: Setup, actors: &Arc<Vec<Vec<Section>>>) {
    let scripts = actors.clone();
    let stage = |world: &World| -> Stage<L> {
        world.to_come.set(actors.iter().map(Vec::len).sum());
        world.frees.set(actors.iter().flatten().any(|section| section.frees));
        UnsafeCell::new(ManuallyDrop::new(Lock::found(setup.found)))
    };
    let act = move |world, stage: &Stage<L>, place: usize| {
        let mut actor =
            Actor { world, stage, has: Has::Nothing, token: ReadToken::COUNTED, again: Vec::new() };
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
    /// By which token, if by a read.
    token: ReadToken<L::Guards>,
    /// Recursive reads besides.
    again: Vec<ReadToken<L::Guards>>,
}

impl<'a, L: Policy> Actor<'a, L> {
    fn lock(&self) -> &'a Lock<L> {
        // SAFETY: read only, but for `free`, which knows that nobody is there.
        unsafe { &*self.stage.get() }
    }

    fn me(&self) -> &Seat {
        self.world.me()
    }

    /// Acts out one section; returns what stays in the count for ever.
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
        // It did not sleep, perhaps.
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

    /// A handler that reads the lock, and sees that it does.
    fn handler(&self) -> Handler {
        let (world, stage) = (self.world, &raw const *self.stage);
        Box::new(move || {
            // SAFETY: it runs in a step of its actor, which has the stage.
            let stage = unsafe { &*stage };
            let mut on_top = Actor {
                world,
                stage,
                has: Has::Nothing,
                token: ReadToken::COUNTED,
                again: Vec::new(),
            };
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
        if taken.is_err() && matches!(step.patience(), Some(Patience::Past | Patience::Try)) {
            monitor::refused_at_once(self.me());
        }
        taken
    }

    fn take(&mut self, step: Step) -> Result<(), Refused> {
        match step {
            Step::Read(patience) => self.read(patience),
            Step::ReadRecursive(patience) => self.read_recursive(patience),
            Step::ReadAgain(patience) => {
                self.read_again(patience);
                Ok(())
            }
            Step::Write(patience) => self.write(patience),
            Step::Upgradable(patience) => self.upgradable(patience),
            Step::Upgrade(patience) => self.upgrade(patience),
            Step::Downgrade => {
                self.downgrade();
                Ok(())
            }
            Step::DowngradeToUpgradable => {
                self.downgrade_to_upgradable();
                Ok(())
            }
            Step::SwitchOn => {
                self.lock().switch_symmetric_on();
                Ok(())
            }
            Step::FindFence => {
                self.world.bias.begin_heavy_fence(|| true);
                Ok(())
            }
            Step::LetOut => {
                self.let_out();
                Ok(())
            }
            Step::AwaitReservation => {
                // Who waits behind a writer that was handed the lock need not know that he is
                // first.
                if self.has != Has::Everything || !monitor::is_awaited(self.world) {
                    monitor::await_reservation(self.world);
                }
                linger();
                Ok(())
            }
        }
    }

    fn read(&mut self, patience: Patience) -> Result<(), Refused> {
        monitor::wants(self.world, self.me(), false);
        let token = match patience {
            Patience::Endless => self.lock().read_until(None)?,
            Patience::Try => self.lock().try_read().ok_or(Refused::TimedOut)?,
            _ => self.lock().read_until(deadline(patience))?,
        };
        monitor::has(self.world, self.me(), token.is_slot());
        self.enter_by(token);
        Ok(())
    }

    fn read_recursive(&mut self, patience: Patience) -> Result<(), Refused> {
        let token = match patience {
            Patience::Endless => Ok(self.lock().read_recursive()),
            Patience::Try => self.lock().try_read_recursive().ok_or(Refused::TimedOut),
            _ => self.lock().read_recursive_until(deadline(patience)),
        };
        if self.has == Has::Nothing {
            self.enter_by(token?);
        } else {
            let token = token.expect("who reads already reads again");
            self.world.reader(token.is_slot(), 1);
            self.again.push(token);
        }
        Ok(())
    }

    /// Whoever waits, and however short its patience, this is not refused.
    fn read_again(&mut self, patience: Patience) {
        let token = match patience {
            Patience::Endless => Ok(self.lock().read()),
            Patience::Try => self.lock().try_read().ok_or(Refused::TimedOut),
            _ => self.lock().read_until(deadline(patience)),
        };
        let token = token.expect("who reads already reads again");
        if !token.is_slot() {
            monitor::has_again();
        }
        self.world.reader(token.is_slot(), 1);
        self.again.push(token);
    }

    fn write(&mut self, patience: Patience) -> Result<(), Refused> {
        monitor::wants(self.world, self.me(), false);
        match patience {
            Patience::Endless => self.lock().write(),
            Patience::Try => tried(self.lock().try_write())?,
            _ => self.lock().write_until(deadline(patience))?,
        }
        monitor::has(self.world, self.me(), false);
        self.enter(Has::Everything);
        Ok(())
    }

    fn upgradable(&mut self, patience: Patience) -> Result<(), Refused> {
        monitor::wants(self.world, self.me(), true);
        match patience {
            Patience::Try => tried(self.lock().try_upgradable())?,
            _ => self.lock().upgradable_until(deadline(patience))?,
        }
        monitor::has(self.world, self.me(), false);
        self.enter(Has::UpgradableShare);
        Ok(())
    }

    fn upgrade(&mut self, patience: Patience) -> Result<(), Refused> {
        self.leave();
        // SAFETY: the script has an upgradable share.
        let upgraded = unsafe {
            match patience {
                Patience::Try => tried(self.lock().try_upgrade()),
                _ => self.lock().upgrade_until(deadline(patience)),
            }
        };
        self.enter(if upgraded.is_ok() { Has::Everything } else { Has::UpgradableShare });
        upgraded
    }

    fn downgrade(&mut self) {
        let had = self.leave();
        // SAFETY: the script has it.
        let token = unsafe {
            match had {
                Has::Everything => self.lock().downgrade(),
                Has::UpgradableShare => self.lock().downgrade_upgradable(),
                other => panic!("a downgrade of {other:?}"),
            }
        };
        self.enter_by(token);
    }

    fn downgrade_to_upgradable(&mut self) {
        self.leave();
        // SAFETY: the script has everything.
        unsafe { self.lock().downgrade_to_upgradable() };
        self.enter(Has::UpgradableShare);
    }

    /// Who was inside when the execution began leaves: a writer, or all readers in one step.
    fn let_out(&self) {
        let found = self.world.found.take();
        self.world.writers.set(0);
        // SAFETY: they are inside.
        unsafe {
            match found {
                monitor::WRITER => self.lock().write_unlock(),
                shares => self.lock().read_unlock_all((shares / SHARE) as u32),
            }
        }
    }

    /// Accounts for what has been taken.
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

    /// Accounts for what is about to be given back.
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

    /// Uses what the lock guards. loom reports whatever the lock has not ordered; where memory has
    /// one order, others are seen beside us.
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

    fn unlock(&mut self, fair: bool) {
        while let Some(token) = self.again.pop() {
            self.world.reader(token.is_slot(), -1);
            // SAFETY: the script has this share as well.
            unsafe { self.lock().read_unlock(token) };
        }
        if self.has == Has::Nothing {
            return;
        }
        let had = self.leave();
        let by_slot = self.token.is_slot();
        // SAFETY: the script has it.
        unsafe {
            match (had, fair) {
                (Has::Everything, false) => self.lock().write_unlock(),
                (Has::Everything, true) => self.lock().write_unlock_fair(),
                (Has::UpgradableShare, false) => self.lock().upgradable_unlock(),
                (Has::UpgradableShare, true) => self.lock().upgradable_unlock_fair(),
                (_, false) => self.lock().read_unlock(self.take_token()),
                (_, true) => self.lock().read_unlock_fair(self.take_token()),
            }
        }
        if fair && !by_slot {
            monitor::check_reserved(self.me());
        }
    }

    /// Stays inside for ever: what of the count is ours.
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

    /// We were the last inside, alone, and are outside now: nobody has any business with the lock.
    fn free(&self) {
        self.world.freed.set(true);
        self.world.refused.fetch_add(0, Ordering::Acquire);
        // SAFETY: as said; the memory itself stays until the execution is over.
        unsafe { ManuallyDrop::drop(&mut *self.stage.get()) };
    }
}

fn tried(taken: bool) -> Result<(), Refused> {
    if taken { Ok(()) } else { Err(Refused::TimedOut) }
}

fn deadline(patience: Patience) -> Option<Instant> {
    match patience {
        Patience::Endless => None,
        Patience::Past | Patience::Try => Some(Instant::from_nanos(0)),
        Patience::Timed => Some(Modelled::now().after(A_WHILE)),
    }
}
