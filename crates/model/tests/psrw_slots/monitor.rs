//! The invariants, held against every step. Bits are spelled out again, from the protocol's text and
//! not from the lock's code.

use crate::world::{Demands, Seat, World};
use siftlock_core::platform::Class;
use siftlock_core::sync::watch::{self, Watch};
use std::cell::{Cell, RefCell};

const WRITER: u64 = 1;
const CLOSED: u64 = 0b1_1110;
/// Readers may be inside by slots.
pub(crate) const BIAS: u64 = 1 << 5;
const THREAD: u64 = 1 << 6;
const HIGH: u64 = 1 << 24;

const fn threads(v: u64) -> u64 {
    v >> 6 & 0x3_ffff
}

const fn highs(v: u64) -> u64 {
    v >> 24 & 0x3_ffff
}

/// What somebody waits for awake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// A reader: that its class is opened.
    Open(Class),
    /// A writer: that there is no other.
    NoWriter,
    /// A writer: that no Thread reader is counted.
    NoThreads,
    /// A writer: that no reader is counted.
    NoReaders,
    /// A writer: that this slot is cleared.
    Slot(*const ()),
}

/// A step of the word or of a slot.
struct Step {
    who: u32,
    level: Class,
    what: &'static str,
    old: u64,
    new: u64,
}

std::thread_local! {
    /// The steps of this execution.
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
    /// The slots, as they stand.
    static SLOTS: RefCell<Vec<(*const (), u64)>> = const { RefCell::new(Vec::new()) };
    static AWAITED: Cell<Awaited> = const { Cell::new(Awaited::NoWriter) };
    /// How often each thread holds the lock by slots.
    static HOLDS: RefCell<[u32; 4]> = const { RefCell::new([0; 4]) };
}

/// Watches the execution that this OS thread is about to run.
pub(crate) fn begin() {
    watch::set(Watch { stepped, list_released: |_| {} });
    watch::set_changed(changed);
    watch::interrupt_by(Some(|| World::now().interruptible()));
    STEPS.take();
    SLOTS.take();
    HOLDS.take();
}

/// The lock is here, with these slots.
pub(crate) fn watches(slots: impl Iterator<Item = *const ()>) {
    SLOTS.set(slots.map(|slot| (slot, 0)).collect());
}

/// How many steps the execution made so far, and, if somebody wants to know, which.
pub(crate) fn steps(tell: bool) -> usize {
    STEPS.with_borrow(|steps| {
        for Step { who, level, what, old, new } in steps.iter().filter(|_| tell) {
            println!("thread {who} at {level:?}: {what} {old:#018x} -> {new:#018x}");
        }
        steps.len()
    })
}

fn note(what: &'static str, old: u64, new: u64) {
    let me = World::now().me();
    let step = Step { who: me.id(), level: me.level(), what, old, new };
    STEPS.with_borrow_mut(|steps| steps.push(step));
}

/// Any word has changed.
fn changed(word: *const (), old: u64, new: u64) {
    let world = World::now();
    let is_slot = SLOTS.with_borrow_mut(|slots| {
        let slot = slots.iter_mut().find(|slot| slot.0 == word);
        slot.map(|slot| slot.1 = new).is_some()
    });
    if is_slot {
        note("slot", old, new);
        call_nappers(world);
    }
}

fn call_nappers(world: &World) {
    world.seats.iter().filter(|seat| seat.naps.get()).for_each(Seat::call);
}

/// The lock's word has changed: S2, S3, S5, R8.
fn stepped(old: u64, new: u64) {
    let world = World::now();
    assert_eq!(world.word.get(), old, "the shadow follows the word");
    world.word.set(new);
    note("word", old, new);
    if new & WRITER > old & WRITER {
        assert_eq!(world.writer.get(), None, "S5: a second writer sifts");
        world.writer.set(Some(world.place()));
    }
    if new & WRITER < old & WRITER {
        assert_eq!(world.writer.take(), Some(world.place()), "S5: a writer is ended by another");
    }
    assert!(new & CLOSED == 0 || new & WRITER != 0, "S2: CLOSED without WRITER: {new:#x}");
    let by_slot = HOLDS.with_borrow(|holds| holds.iter().sum::<u32>());
    assert!(new & BIAS != 0 || by_slot == 0, "R8: {by_slot} readers by slot at {new:#x}");
    check_levels(world, new);
    call_nappers(world);
}

/// S3.
fn check_levels(world: &World, v: u64) {
    let Some(writer) = world.writer.get() else { return };
    let level = world.seats[writer].level();
    for class in Class::HIGH {
        let closed = v >> (1 + class as u32) & 1 != 0;
        let kept = !closed || level >= class || world.setup.demands == Demands::Outcome;
        assert!(kept, "S3: {class:?} closed, the writer at {level:?}");
    }
}

/// A thread has lowered itself.
pub(crate) fn lowered(world: &World) {
    if !std::thread::panicking() {
        check_levels(world, world.word.get());
    }
}

/// S9, rule L, for what no text of the lock had to name before there were slots: a fence in all threads
/// waits for every processor, whatever runs there.
pub(crate) fn fences() {
    let world = World::now();
    let raised = world.me().level();
    let kept = raised == Class::Thread || world.setup.demands == Demands::Outcome;
    assert!(kept, "S9: raised to {raised:?}, waits for every processor");
}

/// S9, rule H: only a Thread that has raised nothing sleeps.
pub(crate) fn falls_asleep(me: &Seat) {
    assert_eq!(me.level(), Class::Thread, "S9: a raised thread sleeps");
}

/// S8, rule H: nobody has to be called by a reader above Thread.
pub(crate) fn calls(me: &Seat) {
    assert_eq!(me.level(), Class::Thread, "S8: a reader above Thread has to call a waiter");
}

/// The caller is about to nap until this is so.
pub(crate) fn awaits(awaited: Awaited) {
    AWAITED.set(awaited);
}

/// S8, S9: whether what somebody waits for awake is still to come. Who looked at an old value looks
/// again, but not for ever.
pub(crate) fn waits_awake(world: &World) -> bool {
    let v = world.word.get();
    let level = world.me().level();
    let demanded = world.setup.demands != Demands::Outcome;
    match AWAITED.get() {
        Awaited::Open(class) => v >> (1 + class as u32) & 1 != 0,
        Awaited::NoWriter => {
            let kept = level == Class::Thread || world.high_writers;
            assert!(kept, "S9: raised to {level:?}, waits for a writer");
            v & WRITER != 0
        }
        Awaited::NoThreads => threads(v) != 0,
        Awaited::NoReaders => threads(v) != 0 || highs(v) != 0,
        Awaited::Slot(slot) => {
            let noted =
                SLOTS.with_borrow(|slots| slots.iter().find(|at| at.0 == slot).map(|at| at.1));
            let noted = noted.expect("one of the lock's");
            let low = noted == 1 + Class::Thread as u64 && level > Class::Thread;
            assert!(!demanded || !low, "S9: raised to {level:?}, waits for a Thread's slot");
            noted != 0
        }
    }
}

/// The calling thread is in by a slot.
pub(crate) fn in_by_slot() {
    let place = World::now().place();
    HOLDS.with_borrow_mut(|holds| holds[place] += 1);
}

/// It is about to leave.
pub(crate) fn out_by_slot() {
    let place = World::now().place();
    HOLDS.with_borrow_mut(|holds| holds[place] -= 1);
}

/// What is left in the word by a reader that stays.
pub(crate) fn stays(class: Class) -> u64 {
    let by_slot = HOLDS.with_borrow(|holds| holds[World::now().place()] != 0);
    match class {
        _ if by_slot => 0,
        Class::Thread => THREAD,
        _ => HIGH,
    }
}

/// S7.
pub(crate) fn rests_at(now: u64, word: u64) {
    assert_eq!(now & !BIAS, word & !BIAS, "S7: at rest, nothing but who stays");
    let noted = SLOTS.with_borrow(|slots| slots.iter().filter(|slot| slot.1 != 0).count());
    let stay = HOLDS.with_borrow(|holds| holds.iter().sum::<u32>());
    assert_eq!(noted, stay as usize, "S7: a slot is left behind");
}

/// A reader of this class has just entered (S1).
pub(crate) fn reader_is_in(world: &World, class: Class) {
    assert_eq!(world.writers.get(), 0, "S1: a {class:?} reader beside a writer");
    let inside = if class == Class::Thread { &world.threads } else { &world.highs };
    inside.set(inside.get() + 1);
}

/// It is about to leave.
pub(crate) fn reader_leaves(world: &World, class: Class) {
    let inside = if class == Class::Thread { &world.threads } else { &world.highs };
    inside.set(inside.get() - 1);
}

/// A writer has just entered (S1).
pub(crate) fn writer_is_in(world: &World) {
    let readers = world.threads.get() + world.highs.get();
    assert_eq!((readers, world.writers.get()), (0, 0), "S1: a writer is not alone");
    world.writers.set(1);
}
