//! One thread's part in a sample of a test of the 2008 lock.

use super::Times;
use crate::experiments::scenes::Role;
use crate::machine::Spell;
use crate::machine::masked::Masked;

/// One thread's part in one sample.
pub(crate) struct Part {
    pub(crate) role: Role,
    /// Its number among the threads of its role.
    pub(crate) number: usize,
    pub(crate) tries: u64,
    /// Sections.
    pub(crate) passed: u64,
    /// Rounds in which all tries failed.
    pub(crate) gave_up: u64,
    /// How long it took to get in, where that was measured.
    pub(crate) lock: Times,
    /// How long it took to get out.
    pub(crate) unlock: Times,
    /// How long it kept each class out, where that was measured.
    pub(crate) masked: Option<Masked>,
    /// Reads in its handler.
    pub(crate) interruptions: Vec<Interruption>,
    /// Reads in its handler whose times were not kept: there were too many.
    pub(crate) lost_interruptions: u64,
}

impl Part {
    /// The part of a thread that has done nothing.
    pub(crate) fn new(role: Role, number: usize) -> Self {
        Self {
            role,
            number,
            tries: 0,
            passed: 0,
            gave_up: 0,
            lock: Times::new(),
            unlock: Times::new(),
            masked: None,
            interruptions: Vec::new(),
            lost_interruptions: 0,
        }
    }
}

/// One read in a handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interruption {
    pub(crate) cpu: u32,
    pub(crate) lock: Spell,
    pub(crate) unlock: Spell,
}

/// A time that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// How long threads of this role took to get in.
    Lock(Role),
    /// How long threads of this role took to get out.
    Unlock(Role),
    /// How long handlers took to get in.
    InterruptLock,
    /// How long handlers took to get out.
    InterruptUnlock,
    /// How long one of [`Class::HIGH`](siftlock_core::platform::Class::HIGH) was kept out.
    Masked(usize),
    /// How long threads of this role kept a class out; its number is as in `Masked`.
    MaskedBy(Role, usize),
}

impl What {
    /// The times of this kind in one thread's part.
    pub(crate) fn of(self, part: &Part) -> Option<Times> {
        let handlers = |spell: fn(&Interruption) -> Spell| {
            let mut times = Times::new();
            part.interruptions.iter().for_each(|one| times.add(spell(one)));
            times
        };
        match self {
            Self::Lock(role) => (part.role == role).then(|| part.lock.clone()),
            Self::Unlock(role) => (part.role == role).then(|| part.unlock.clone()),
            Self::InterruptLock => Some(handlers(|one| one.lock)),
            Self::InterruptUnlock => Some(handlers(|one| one.unlock)),
            Self::Masked(class) => part.masked.as_ref().map(|masked| masked[class].clone()),
            Self::MaskedBy(role, class) => {
                (part.role == role).then(|| Self::Masked(class).of(part)).flatten()
            }
        }
    }
}
