//! The steps of a script: each is a call of the lock, reported to the monitor.

use super::{Actor, Has, Lock};
use crate::engine::linger;
use crate::monitor::{self, SHARE};
use crate::platform::Modelled;
use crate::script::{Patience, Step};
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::rwsem::{NotThere, Policy, ReadToken, Refused};

/// How long a `t` waits, in nanoseconds: less than it takes to be overdue.
const A_WHILE: u64 = 1_000_000;

impl<L: Policy> Actor<'_, L> {
    pub(super) fn take(&mut self, step: Step) -> Result<(), Refused> {
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
                // A waiter behind a writer that was handed the lock need not know that it is first.
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
            Patience::Endless => self.lock().read(),
            Patience::Try => self.lock().try_read().ok_or(Refused::TimedOut)?,
            Patience::Steps => read_by_steps(self.lock()).ok_or(Refused::TimedOut)?,
            _ => self.lock().read_until(deadline(patience))?,
        };
        self.by_steps = patience == Patience::Steps;
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

    /// Reads once more. That is never refused, whichever threads wait and however short the
    /// patience.
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
            Patience::Endless => self.lock().upgradable(),
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
                Patience::Endless => {
                    self.lock().upgrade();
                    Ok(())
                }
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

    /// Lets the holders out that were found inside when the execution began: a writer, or all
    /// readers in one step.
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

    pub(super) fn unlock(&mut self, fair: bool) {
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
                (Has::Share, false) if self.by_steps => {
                    let _lost = self.take_token();
                    unlock_by_steps(self.lock());
                }
                (_, false) => self.lock().read_unlock(self.take_token()),
                (_, true) => self.lock().read_unlock_fair(self.take_token()),
            }
        }
        if fair && !by_slot {
            monitor::check_reserved(self.me());
        }
    }
}

/// Reads without a wait, step by step.
pub fn read_by_steps<L: Policy>(lock: &Lock<L>) -> Option<ReadToken<L::Guards>> {
    match lock.read_slot().or_else(|refused| lock.read_next_share(refused)) {
        Ok(token) => Some(token),
        Err(refused) => lock.read_other_slot(refused),
    }
}

/// Unlocks step by step.
///
/// # Panics
/// If none of the steps finds the read.
///
/// # Safety
/// The calling thread has one read of the lock, and its token is lost.
pub unsafe fn unlock_by_steps<L: Policy>(lock: &Lock<L>) {
    // SAFETY: the caller's promise.
    match unsafe { lock.unlock_slot().or_else(|NotThere| lock.unlock_note()) } {
        Ok(waiter) => waiter.wake(),
        // The read was counted before the bias came.
        Err(NotThere) => {
            // SAFETY: as above.
            assert!(unsafe { lock.unlock_found() }.is_ok(), "a slot or a note stands for the read");
        }
    }
}

fn tried(taken: bool) -> Result<(), Refused> {
    if taken { Ok(()) } else { Err(Refused::TimedOut) }
}

fn deadline(patience: Patience) -> Option<Instant> {
    match patience {
        Patience::Endless | Patience::Refusable => None,
        Patience::Past | Patience::Try | Patience::Steps => Some(Instant::from_nanos(0)),
        Patience::Timed => Some(Modelled::now().after(A_WHILE)),
    }
}
