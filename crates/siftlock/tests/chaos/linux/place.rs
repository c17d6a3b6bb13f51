//! A place in memory where there is always a lock, though not always the same.

use super::actor::Actor;
use super::leaks;
use super::post::found;
use super::support::{Lock, Platform, assert_at_rest, words};
use super::ward::{Ward, Written};
use super::{guards, raw};
use siftlock::Policy;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a thread does alone with a lock. The second argument makes a call of the lock.
pub(crate) type Alone<'a> = dyn FnMut(&mut Actor, &dyn Fn(&mut Actor)) + 'a;

/// The ways in which threads use a place, whatever its lock's policy and platform.
pub(crate) trait Subject: Send + Sync {
    /// Goes there and makes so many calls, unless the place is closed.
    fn visit(&'static self, calls: u32, actor: &mut Actor);

    /// Drops the lock and makes a new one at its address, if nobody is there. Says whether it did.
    fn renew(&'static self, actor: &mut Actor) -> bool;

    /// Closes the place, if nobody is there, and lets `act` use a lock that nobody else uses. Says
    /// whether it did.
    fn alone(&'static self, actor: &mut Actor, act: &mut Alone<'_>) -> bool;

    /// The lock and its words, for the report of a lost call.
    fn state(&self) -> String;
}

pub(crate) struct Place<P: Platform, L: Policy> {
    name: &'static str,
    lock: UnsafeCell<Lock<Ward, P, L>>,
    /// How many visits there are, or [`CLOSED`].
    gate: AtomicU32,
    /// The writes in the life of this lock.
    pub(crate) written: Written,
    /// Calls that one policy alone allows.
    special: fn(&'static Self, Visit, &mut Actor),
}

const CLOSED: u32 = u32::MAX;

// SAFETY: the lock is replaced only while the gate is closed, and then nobody else is there.
unsafe impl<P: Platform, L: Policy> Sync for Place<P, L> {}

/// While it lives, the lock stays.
pub(crate) struct Visit {
    gate: &'static AtomicU32,
}

impl Drop for Visit {
    fn drop(&mut self) {
        // Release: pairs with the acquire of the thread that closes the gate.
        self.gate.fetch_sub(1, Ordering::Release);
    }
}

impl<P: Platform, L: Policy> Place<P, L> {
    pub(crate) fn new(name: &'static str) -> Self {
        Self::with(name, |place, _visit, actor| raw::act(&place.written, place.lock(), actor))
    }

    pub(crate) fn with(name: &'static str, special: fn(&'static Self, Visit, &mut Actor)) -> Self {
        Self {
            name,
            lock: UnsafeCell::new(Lock::new(Ward::new())),
            gate: AtomicU32::new(0),
            written: Written::default(),
            special,
        }
    }

    /// The lock, for the bearer of a visit and for the thread that has closed the gate.
    pub(crate) fn lock(&self) -> &Lock<Ward, P, L> {
        // SAFETY: the lock is replaced only where its bearer has no reference left.
        unsafe { &*self.lock.get() }
    }

    fn open(&'static self) -> Option<Visit> {
        // Acquire: pairs with the release of the gate's opening. Relaxed: nothing follows.
        self.gate
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, |visits| {
                (visits != CLOSED).then(|| visits + 1)
            })
            .is_ok()
            .then(|| Visit { gate: &self.gate })
    }

    /// Runs `act` while nobody else is there; says whether it did.
    fn closed(&'static self, act: impl FnOnce()) -> bool {
        // Acquire: pairs with the release of each visit's end. Relaxed: nothing follows.
        let closed = self.gate.compare_exchange(0, CLOSED, Ordering::Acquire, Ordering::Relaxed);
        if closed.is_ok() {
            self.expect_rest();
            act();
            // Release: pairs with the acquire in `open`.
            self.gate.store(0, Ordering::Release);
        }
        closed.is_ok()
    }

    /// Nobody is there: so nobody holds the lock, and no write was lost.
    fn expect_rest(&self) {
        assert_at_rest(self.lock());
        let (number, written) = (self.lock().read().check(), self.written.get());
        if number != written {
            found!("{}: of {written} writes {number} are left", self.name);
        }
    }
}

impl<P: Platform, L: Policy> Subject for Place<P, L> {
    fn visit(&'static self, calls: u32, actor: &mut Actor) {
        for _ in 0..calls {
            let Some(visit) = self.open() else { return };
            match actor.rng.u32(..8) {
                0..5 => guards::act(&self.written, self.lock(), actor),
                5..7 => raw::act(&self.written, self.lock(), actor),
                _ => (self.special)(self, visit, actor),
            }
        }
    }

    fn renew(&'static self, actor: &mut Actor) -> bool {
        self.closed(|| {
            let drop_and_make_anew = || {
                // SAFETY: the gate is closed, and `leaks` keeps no reference; forgotten guards are
                // gone.
                unsafe {
                    self.lock.get().drop_in_place();
                    self.lock.get().write(Lock::new(Ward::new()));
                }
                self.written.reset();
            };
            // SAFETY: as `lock` says.
            leaks::leak_into(|| unsafe { &*self.lock.get() }, drop_and_make_anew, actor);
            if self.lock().try_write().is_none() {
                found!("{}: a new lock is held already: {:x?}", self.name, words(self.lock()));
            }
        })
    }

    fn alone(&'static self, actor: &mut Actor, act: &mut Alone<'_>) -> bool {
        self.closed(|| {
            act(actor, &|actor| guards::act(&self.written, self.lock(), actor));
        })
    }

    fn state(&self) -> String {
        // SAFETY: three words, all atomics, also while another thread makes them anew.
        let raw = unsafe { self.lock().raw() };
        let visits = self.gate.load(Ordering::Relaxed);
        format!("{:22} {raw:?}, words {:x?}, visits {visits:x}", self.name, words(self.lock()))
    }
}
