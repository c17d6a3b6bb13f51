//! The calls of a simulated thread to its machine.
//!
//! A call takes the thread's own time. A call that touches shared state first waits for its turn:
//! all events that are due earlier happen first. Times are in cycles, unless a name or a comment
//! says nanoseconds.
//!
//! # Panics
//! Each call panics outside a run, unless its text says otherwise.

use crate::counts::Counts;
use crate::machine::Cycles;
use crate::queue::ThreadId;
use crate::world::{Next, World, suspended, until_go};

/// The calling thread's time. Free of charge.
#[must_use]
pub fn now() -> Cycles {
    World::with(|world| world.now)
}

/// The calling thread's time in nanoseconds. The look costs as much as the machine's clock does. 0
/// outside a run.
#[must_use]
pub fn clock() -> u64 {
    let look = |world: &mut World| {
        world.counts().clocks += 1;
        world.now += world.machine.system.clock;
        world.machine.nanos(world.now)
    };
    World::try_with(look).unwrap_or(0)
}

/// Converts nanoseconds to cycles of this machine.
#[must_use]
pub fn cycles(nanos: u64) -> Cycles {
    World::with(|world| world.machine.cycles(nanos))
}

/// The time of `number` pauses, in cycles.
#[must_use]
pub fn pauses(number: u32) -> Cycles {
    World::with(|world| world.machine.memory.pause) * u64::from(number)
}

/// Whether the measured part is over: the bodies are to end.
#[must_use]
pub fn is_over() -> bool {
    World::with(|world| world.now >= world.measured.end)
}

/// The counts of the calling thread so far.
#[must_use]
pub fn counts() -> Counts {
    World::with(|world| *world.counts())
}

/// The calling thread's number, in the order in which threads were added. `None` outside a run.
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

/// Spends `cycles` on work of the calling thread's own, which touches nothing shared.
pub fn work(cycles: Cycles) {
    World::with(|world| world.now += cycles);
}

/// Announces a node that the calling thread built on its stack and is about to share. From now on
/// its words are in the thread's line for nodes, which its core owns. Does nothing outside a run.
pub fn announce<T>(node: &T) {
    World::try_with(|world| {
        if world.current.is_some() {
            let (core, id) = (world.core(), world.me().nodes);
            world.memory.announce(std::ptr::from_ref(node).addr(), size_of::<T>(), id, core);
        }
    });
}

/// Spins until the line of `word` changes, for at most `looks` looks. The caller has just loaded
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

/// Returns when all events that are due before the caller's time have happened. Free of charge.
pub fn take_turn() {
    until_go(World::take_turn);
}

/// A full fence of the calling processor. Does nothing outside a run.
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

/// Charges the calling thread for a system call, and takes its turn.
fn call() {
    World::with(|world| {
        world.counts().calls += 1;
        world.now += world.machine.system.call;
    });
    take_turn();
}

/// Sleeps on `word` if it `is_unchanged`, until another thread wakes the caller. With `until` the
/// sleep ends at that time in nanoseconds at the latest, plus the lateness of the machine's timers.
///
/// # Panics
/// If a handler of interrupts calls, or outside a run.
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
        // All events that are due before the thread wakes happen first.
        take_turn();
        World::with(|world| world.wake_up(thread));
    }
}

/// Sleeps for `nanos` nanoseconds, plus the lateness of the machine's timers.
///
/// # Panics
/// If a handler of interrupts calls, or outside a run.
pub fn nap(nanos: u64) {
    call();
    let nobody_wakes_it = ();
    suspended(|world| {
        let until = world.now + world.machine.cycles(nanos);
        world.sleep_on((&raw const nobody_wakes_it).addr(), Some(until));
    });
}

/// Gives the processor to another thread, if one waits for it.
pub fn give_way() {
    call();
    let mut asked = false;
    until_go(|world| {
        let asks = !std::mem::replace(&mut asked, true);
        if asks && world.give_way() { Next::Suspend } else { Next::Go }
    });
}

/// The class at which the calling context stands.
#[must_use]
pub fn level() -> u8 {
    World::with(|world| world.me().level)
}

/// Keeps out interrupts of classes up to `level`, and still those that were kept out before.
/// Returns the level before.
pub fn raise(level: u8) -> u8 {
    take_turn();
    World::with(|world| {
        let before = world.me().level;
        world.raise(level.max(before))
    })
}

/// Keeps out only interrupts of classes up to `level`.
pub fn lower(level: u8) {
    take_turn();
    let mut asked = false;
    until_go(|world| {
        let asks = !std::mem::replace(&mut asked, true);
        if asks && world.lower(level) { Next::Suspend } else { Next::Go }
    });
}
