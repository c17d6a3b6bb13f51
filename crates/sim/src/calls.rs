//! What a simulated thread can ask of its machine.
//!
//! A call takes the thread's own time. One that touches what threads share first waits for its
//! turn: all that is due before has then happened. Times are in cycles, except where a name or a
//! comment says nanoseconds.
//!
//! # Panics
//! Each call panics outside of a run, unless it says otherwise.

use crate::counts::Counts;
use crate::machine::Cycles;
use crate::queue::ThreadId;
use crate::world::{Next, World, suspended, until_go};

/// The calling thread's time. Free of charge.
#[must_use]
pub fn now() -> Cycles {
    World::with(|world| world.now)
}

/// The calling thread's time in nanoseconds, as a look at the clock costs it. 0 outside of a run.
#[must_use]
pub fn clock() -> u64 {
    let look = |world: &mut World| {
        world.counts().clocks += 1;
        world.now += world.machine.system.clock;
        world.machine.nanos(world.now)
    };
    World::try_with(look).unwrap_or(0)
}

/// Cycles in so many nanoseconds here.
#[must_use]
pub fn cycles(nanos: u64) -> Cycles {
    World::with(|world| world.machine.cycles(nanos))
}

/// So many pauses, in cycles.
#[must_use]
pub fn pauses(number: u32) -> Cycles {
    World::with(|world| world.machine.memory.pause) * u64::from(number)
}

/// Whether the run is to end.
#[must_use]
pub fn is_over() -> bool {
    World::with(|world| world.now >= world.measured.end)
}

/// What the calling thread has done so far.
#[must_use]
pub fn counts() -> Counts {
    World::with(|world| *world.counts())
}

/// The calling thread's number, in the order in which threads were added. `None` outside of a run.
#[must_use]
pub fn thread() -> Option<ThreadId> {
    World::try_with(|world| world.current).flatten()
}

/// The processor that the calling thread has.
#[must_use]
pub fn processor() -> usize {
    World::with(|world| world.me().processor)
}

/// How many processors there are.
#[must_use]
pub fn processors() -> usize {
    World::with(|world| world.processors.len())
}

/// The calling thread does something of its own for so long.
pub fn work(cycles: Cycles) {
    World::with(|world| world.now += cycles);
}

/// A node that the calling thread has built on its stack is about to be shared: its words are
/// now in the thread's own line, which its core owns. Does nothing outside of a run.
pub fn announce<T>(node: &T) {
    World::try_with(|world| {
        if world.current.is_some() {
            let (core, id) = (world.core(), world.me().nodes);
            world.memory.announce(std::ptr::from_ref(node).addr(), size_of::<T>(), id, core);
        }
    });
}

/// Spins until the line of `word` changes, for so many looks at most. The caller has just loaded
/// `word`, and made no other access since. Returns the number of looks, at least one.
pub fn spin<T>(word: &T, looks: u32) -> u32 {
    let begun = now();
    suspended(|world| world.watch(std::ptr::from_ref(word).addr(), looks));
    World::with(|world| {
        let beats = (world.now - begun).div_ceil(world.beat());
        let looks = beats.min(u64::from(looks)).max(1);
        world.counts().polls += looks;
        looks as u32
    })
}

/// Returns when all that is due before the caller's time has happened. Free of charge.
pub fn take_turn() {
    until_go(World::take_turn);
}

/// A full fence of the calling processor.
pub fn fence() {
    World::try_with(|world| {
        if world.current.is_some() {
            world.counts().fences += 1;
            world.now += world.machine.memory.fence;
        }
    });
}

/// A full fence in all threads.
pub fn heavy_fence() {
    take_turn();
    World::with(World::fence_all);
}

/// Enters the system.
fn call() {
    World::with(|world| {
        world.counts().calls += 1;
        world.now += world.machine.system.call;
    });
    take_turn();
}

/// Sleeps on `word` if it `is_unchanged`, until it is woken. With `until` it sleeps at most until
/// that time in nanoseconds, and a little longer: as late as the machine's timers are.
///
/// # Panics
/// If a handler of interrupts calls, or outside of a run.
pub fn sleep<T>(word: &T, is_unchanged: impl FnOnce() -> bool, until: Option<u64>) {
    call();
    if is_unchanged() {
        suspended(|world| {
            let until = until.map(|nanos| world.machine.cycles(nanos));
            world.sleep_on(std::ptr::from_ref(word).addr(), until);
        });
    }
}

/// Wakes at most `most` of the threads that sleep on `word` now, the first sleeper first.
pub fn wake<T>(word: &T, most: usize) {
    call();
    for thread in World::with(|world| world.take_sleepers(std::ptr::from_ref(word).addr(), most)) {
        World::with(|world| world.pay_for_wake(thread));
        // What is due before the thread wakes happens first.
        take_turn();
        World::with(|world| world.wake_up(thread));
    }
}

/// Sleeps for so many nanoseconds.
///
/// # Panics
/// If a handler of interrupts calls, or outside of a run.
pub fn nap(nanos: u64) {
    call();
    let nobody_wakes_it = ();
    suspended(|world| {
        let until = world.now + world.machine.cycles(nanos);
        world.sleep_on((&raw const nobody_wakes_it).addr(), Some(until));
    });
}

/// Lets another thread have the processor, if one waits for it.
pub fn give_way() {
    call();
    let mut asked = false;
    until_go(|world| {
        let asks = !std::mem::replace(&mut asked, true);
        if asks && world.give_way() { Next::Suspend } else { Next::Go }
    });
}

/// The class that the calling context stands at.
#[must_use]
pub fn level() -> u8 {
    World::with(|world| world.me().level)
}

/// Keeps out interrupts of classes up to this one. Returns what was kept out before.
pub fn raise(level: u8) -> u8 {
    take_turn();
    World::with(|world| {
        let before = world.me().level;
        world.raise(level.max(before))
    })
}

/// Keeps out only interrupts of classes up to this one.
pub fn lower(level: u8) {
    take_turn();
    let mut asked = false;
    until_go(|world| {
        let asks = !std::mem::replace(&mut asked, true);
        if asks && world.lower(level) { Next::Suspend } else { Next::Go }
    });
}
