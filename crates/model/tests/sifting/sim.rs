//! The lock's platform in a model.
//!
//! **Sleep** without a limit is the engine's own parking, so the engine reports a call that never
//! comes as a deadlock. **Time** is each thread's own, and passes only while the thread sleeps with
//! a limit, or naps. **Raising** counts, so that raises end in any order; a handler comes where the
//! level admits it.

use crate::monitor;
use crate::script::Patience;
use crate::world::{NEVER, Seat, World};
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::record::{Record, RecordId};
use siftlock_core::sync::{AtomicU32, Ordering};
use siftlock_model::engine::{thread, toss};

/// How long a nap lasts, in nanoseconds: a timed wait of the models lasts three naps.
const A_NAP: u64 = 400_000;

/// How often in a row a look may be at an old value: the engine keeps so many old values.
const OLD_VALUES: u32 = 7;

/// The platform of these models.
#[derive(Debug)]
pub(crate) struct Sim;

// SAFETY: the records live until the execution is over, each thread has its own, and `wake` ends
// the sleep that `wait` begins: no step of another thread comes between the caller's own look at
// the word and the sleep.
unsafe impl Platform for Sim {
    fn current() -> &'static Record {
        let me = World::now().me();
        assert_eq!(me.base.get(), Class::Thread, "a handler asks for a record");
        &me.record
    }

    fn record(id: RecordId) -> &'static Record {
        &World::now().seat(id).record
    }

    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        let world = World::now();
        let seat = world.seat(record.id());
        monitor::falls_asleep(seat);
        let until = until.map_or(NEVER, Instant::as_nanos);
        if until == NEVER {
            seat.asleep_on.set(word);
            thread::park();
            seat.asleep_on.set(std::ptr::null());
        } else {
            doze(world, seat, until, || word.load(Ordering::Relaxed) == seen);
        }
    }

    fn wake(record: &Record, word: &AtomicU32) {
        monitor::calls(World::now().me());
        let seat = World::now().seat(record.id());
        if std::ptr::eq(seat.asleep_on.get(), word) {
            seat.call();
        }
    }

    fn yield_now() {
        thread::yield_now();
    }

    /// An endless wait naps until the word changes: an engine may keep two threads that only nap
    /// busy with each other for ever. Where memory is weak, a look may have been at an old value.
    fn nap() {
        let world = World::now();
        let me = world.me();
        let shut_out = monitor::waits_awake(world);
        me.needless.set(if shut_out { 0 } else { me.needless.get() + 1 });
        assert!(me.needless.get() <= OLD_VALUES, "S8: waits, though nobody keeps it out");
        if !matches!(
            me.wants.get().1,
            Patience::Endless | Patience::Update | Patience::FailedUpdate
        ) {
            me.clock.set(me.clock.get() + A_NAP);
        } else if shut_out {
            me.naps.set(true);
            thread::park();
            return me.naps.set(false);
        }
        thread::yield_now();
    }

    fn now() -> Instant {
        Instant::from_nanos(World::now().me().clock.get())
    }

    fn may_spin() -> bool {
        World::now().setup.spins
    }

    fn handoff_after(_usual: u64) -> u64 {
        World::now().setup.patience
    }

    fn raise(to: Class, held: Raised) -> Raised {
        let world = World::now();
        world.interruptible();
        let bit = 1 << to as u64;
        if held.state() & bit != 0 || to == Class::Thread {
            return held;
        }
        let raises = &world.me().raises[to as usize];
        raises.set(raises.get() + 1);
        Raised::new(held.state() | bit)
    }

    fn restore(held: Raised) {
        let world = World::now();
        for (class, raises) in world.me().raises.iter().enumerate() {
            if held.state() >> class & 1 != 0 {
                raises.set(raises.get().checked_sub(1).expect("restores what was raised"));
            }
        }
        monitor::lowered(world);
        world.interruptible();
    }

    fn level() -> Class {
        World::now().me().level()
    }
}

/// A sleep with a limit.
fn doze(world: &World, seat: &Seat, until: u64, sleeps_on: impl Fn() -> bool) {
    if world.setup.lazy || toss() {
        thread::yield_now();
    }
    if seat.clock.get() < until && sleeps_on() {
        seat.clock.set(until);
    }
}
