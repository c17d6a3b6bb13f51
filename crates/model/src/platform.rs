//! The lock's platform in a model.
//!
//! **Sleep.** A thread sleeps in the engine's own parking, so the engine reports a call that never
//! comes as a deadlock.
//!
//! **Time** is each thread's own, and passes only while the thread sleeps with a limit. Either a
//! call ends the sleep, and no time has passed, or the thread's clock jumps to the limit. A first
//! waiter sleeps at most until it is overdue, so it is overdue as soon as nobody calls it. Where
//! writers spin, each look at the clock takes a while.

use crate::engine::{thread, toss};
use crate::world::{Fences, NEVER, Seat, Spin, World};
use crate::{fences, monitor};
use siftlock_core::platform::{Bias, Instant, Platform};
use siftlock_core::record::{Record, RecordId};
use siftlock_core::sync::{AtomicU32, Ordering};

/// The platform of all models.
#[derive(Debug)]
pub struct Modelled;

// SAFETY: the records live until the execution is over, each thread has its own, and `wake` ends
// the sleep that `wait` begins: no step of another thread comes between the caller's own look at
// the word and the sleep.
unsafe impl Platform for Modelled {
    fn current() -> &'static Record {
        &World::now().me().record
    }

    fn record(id: RecordId) -> &'static Record {
        &World::now().seat(id).record
    }

    fn records() -> u32 {
        World::now().seats.len() as u32
    }

    fn wait(_record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        let world = World::now();
        let seat = world.me();
        if seat.shields.get() == 0
            && let Some(handler) = seat.handler.take()
        {
            return handler();
        }
        // A thread's own token was found unchanged in the step before; another word may have
        // changed.
        let own = seat.record.has_token(word);
        let until = until.map_or(NEVER, Instant::as_nanos);
        monitor::falls_asleep(world, seat, until);
        if until == NEVER {
            // The newest value: nobody would end a sleep on an old one.
            if own || word.fetch_add(0, Ordering::Relaxed) == seen {
                sleep(seat, word);
            }
        } else {
            nap(world, seat, word, seen, until);
        }
        monitor::wakes(world, seat);
    }

    fn wake(record: &Record, word: &AtomicU32) {
        let seat = World::now().seat(record.id());
        if std::ptr::eq(seat.asleep_on.get(), word) {
            seat.call();
        }
    }

    fn wake_all(word: &AtomicU32) {
        let seats = &World::now().seats;
        seats.iter().filter(|seat| std::ptr::eq(seat.asleep_on.get(), word)).for_each(Seat::call);
    }

    fn bias() -> Option<&'static Bias> {
        let world = World::now();
        (world.setup.fences != Fences::NoSlots).then_some(&world.bias)
    }

    /// Every counted read asks, or none does; no read that could be by slot is counted so as to
    /// ask.
    fn is_time_to_ask(weight: u32) -> bool {
        weight != 1 && World::now().setup.asks
    }

    fn heavy_fence() {
        let world = World::now();
        match world.setup.fences {
            Fences::NoSlots | Fences::None => panic!("a heavy fence where there is none"),
            // The system refuses the fence, which then orders nothing.
            Fences::Ending => world.bias.end_heavy_fence(),
            Fences::Full | Fences::Light | Fences::Beginning => fences::heavy_fence(),
        }
    }

    fn yield_now() {
        thread::yield_now();
    }

    /// A thread that gives way may go on at once.
    const GIVES_WAY: bool = true;

    fn now() -> Instant {
        let world = World::now();
        let Seat { clock, looks, .. } = world.me();
        looks.set(looks.get() + 1);
        if let Spin::Timed(tick) = world.setup.spin {
            clock.set(clock.get() + tick);
        }
        Instant::from_nanos(clock.get())
    }

    fn may_spin() -> bool {
        World::now().setup.spin != Spin::No
    }

    fn processors() -> u32 {
        World::now().setup.processors
    }

    fn may_spin_on(_owner: &Record) -> bool {
        monitor::spins(World::now().me());
        true
    }

    fn shield() -> u64 {
        let shields = &World::now().me().shields;
        shields.set(shields.get() + 1);
        0
    }

    fn unshield(_: u64) {
        let shields = &World::now().me().shields;
        shields.set(shields.get() - 1);
    }

    fn handoff_after(usual: u64) -> u64 {
        let world = World::now();
        if world.me().overdue.get() { 0 } else { world.setup.patience.unwrap_or(usual) }
    }
}

/// A sleep without a limit.
fn sleep(seat: &Seat, word: &AtomicU32) {
    seat.asleep_on.set(word);
    fences::leave();
    thread::park();
    seat.asleep_on.set(std::ptr::null());
}

/// A sleep with a limit.
fn nap(world: &World, seat: &Seat, word: &AtomicU32, seen: u32, until: u64) {
    // Time alone does not bring a waiter on. A waiter that keeps looking lets others run.
    let again = seat.napped_after.replace(Some(world.steps.get())) == Some(world.steps.get());
    if world.setup.lazy || again || toss() {
        thread::yield_now();
    }
    if seat.clock.get() >= until {
        return;
    }
    if monitor::is_reserved(world, seat) && !seat.limited.get() {
        // A thread that reserves the lock for a dozing waiter has to call it, so no time passes.
        // The newest value, since nobody would end a sleep on an old one.
        if word.fetch_add(0, Ordering::Relaxed) == seen {
            sleep(seat, word);
        }
    // Relaxed: only a reason to sleep on; the code that depends on the word looks again.
    } else if word.load(Ordering::Relaxed) == seen {
        seat.clock.set(until);
    }
}
