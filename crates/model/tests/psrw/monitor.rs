//! The invariants, held against every step. Bits are spelled out again, from the protocol's text
//! and not from its code.

use crate::script::Mode;
use crate::world::{Seat, World};
use siftlock_core::platform::Class;
use siftlock_core::sync::watch::{self, Watch};
use std::cell::RefCell;

const WRITER: u64 = 1;
const CLOSED: u64 = 0b1_1110;
const HANDOFF: u64 = 1 << 5;
/// One Thread reader.
pub(crate) const THREAD: u64 = 1 << 6;
/// One reader of a higher class.
pub(crate) const HIGH: u64 = 1 << 24;

/// The part of the word that a reader of this class leaves there if it stays.
pub(crate) const fn stays(class: Class) -> u64 {
    match class {
        Class::Thread => THREAD,
        _ => HIGH,
    }
}

const fn threads(v: u64) -> u64 {
    v >> 6 & 0x3_ffff
}

const fn highs(v: u64) -> u64 {
    v >> 24 & 0x3_ffff
}

const fn head(v: u64) -> u64 {
    v >> 42
}

std::thread_local! {
    /// The steps of this execution: the thread that made each, the value before and after.
    static STEPS: RefCell<Vec<(u32, Class, u64, u64)>> = const { RefCell::new(Vec::new()) };
}

/// Watches the execution that this OS thread is about to run.
pub(crate) fn begin() {
    watch::set(Watch { stepped, list_released });
    watch::interrupt_by(Some(|| World::now().interruptible()));
    STEPS.with_borrow_mut(Vec::clear);
}

/// How many steps of the word the execution has made so far. Prints them if `tell` is set.
pub(crate) fn steps(tell: bool) -> usize {
    STEPS.with_borrow(|steps| {
        for (who, level, old, new) in steps.iter().filter(|_| tell) {
            println!("thread {who} at {level:?}: {old:#018x} -> {new:#018x}");
        }
        steps.len()
    })
}

fn stepped(old: u64, new: u64) {
    let world = World::now();
    let me = world.me();
    assert_eq!(world.word.get(), old, "the shadow follows the word");
    world.word.set(new);
    STEPS.with_borrow_mut(|steps| steps.push((me.id(), me.level(), old, new)));
    assert_ne!(old, new, "S5: a step that changes nothing took something twice");
    if new & WRITER > old & WRITER {
        assert_eq!(world.writer.get(), None, "S5: a second writer sifts");
        world.writer.set(Some(world.place()));
    }
    if new & WRITER < old & WRITER {
        assert_eq!(world.writer.take(), Some(world.place()), "S5: a writer is ended by another");
    }
    let passed_on = head(old) != head(new) && new & HANDOFF != 0;
    assert!(!passed_on, "S4: HANDOFF outlives the first waiter whom it was for: {new:#x}");
    for seat in world.seats.iter().filter(|seat| seat.naps.get()) {
        seat.call();
    }
    check_value(world, new);
    check_levels(world, new);
}

/// S1, S2 and S4, as far as one value shows them.
fn check_value(world: &World, v: u64) {
    assert!(v & CLOSED == 0 || v & WRITER != 0, "S2: CLOSED without WRITER: {v:#x}");
    assert!(v & HANDOFF == 0 || head(v) != 0, "S4: HANDOFF without HEAD: {v:#x}");
    let inside = (threads(world.setup.found), highs(world.setup.found));
    let inside = (inside.0 + world.threads.get(), inside.1 + world.highs.get());
    let counted = (threads(v), highs(v));
    assert!(counted.0 >= inside.0 && counted.1 >= inside.1, "S1: {inside:?} inside: {v:#x}");
}

/// S3.
fn check_levels(world: &World, v: u64) {
    let Some(writer) = world.writer.get() else { return };
    let level = world.seats[writer].level();
    for class in Class::HIGH {
        let closed = v >> (1 + class as u32) & 1 != 0;
        assert!(!closed || level >= class, "S3: {class:?} closed, the writer at {level:?}");
    }
}

/// A thread has lowered itself.
pub(crate) fn lowered(world: &World) {
    if !std::thread::panicking() {
        check_levels(world, world.word.get());
    }
}

/// S4, as far as only the list shows it.
fn list_released(first: Option<(u32, bool)>) {
    let v = World::now().word.get();
    let id = first.map_or(0, |(id, _)| u64::from(id));
    assert_eq!(head(v), id, "S4: HEAD is not the first of the list: {v:#x}");
}

/// S9, rule H: only a Thread that has raised nothing sleeps.
pub(crate) fn falls_asleep(me: &Seat) {
    assert_eq!(me.level(), Class::Thread, "S9: a raised thread sleeps");
}

/// S8, rule H: no handler has to call a waiter.
pub(crate) fn calls(me: &Seat) {
    assert_eq!(me.base.get(), Class::Thread, "S8: a handler calls a waiter");
}

/// S8, S9: whether a thread that waits awake has a reason in the word as it is; otherwise its look
/// was at an old value. A reader waits because its class is closed or its field is full. A writer
/// whose turn it is waits for readers. Another writer waits awake only where nobody sleeps.
pub(crate) fn waits_awake(world: &World) -> bool {
    let (me, v) = (world.me(), world.word.get());
    assert!(me.level() > Class::Thread || world.setup.spins, "a Thread that could sleep does not");
    match me.wants.get().0 {
        Mode::Read(class) => v >> (1 + class as u32) & 1 != 0 || highs(v) >= cap(class),
        Mode::Write if world.writer.get() == Some(world.place()) => threads(v) + highs(v) != 0,
        Mode::Write => {
            assert!(world.high_writers, "S9: a raised Thread waits for a writer");
            v & WRITER != 0
        }
    }
}

/// How many readers a class above Thread finds too many.
const fn cap(class: Class) -> u64 {
    match class {
        Class::NonPreemptible => 0xffff,
        Class::SoftIrq => 0x1_ffff,
        _ => 0x3_ffff,
    }
}

/// A reader of this class has just entered (S1).
pub(crate) fn reader_is_in(world: &World, class: Class) {
    assert_eq!(world.writers.get(), 0, "S1: a {class:?} reader beside a writer");
    let inside = if class == Class::Thread { &world.threads } else { &world.highs };
    inside.set(inside.get() + 1);
}

/// A reader of this class is about to leave.
pub(crate) fn reader_leaves(world: &World, class: Class) {
    let inside = if class == Class::Thread { &world.threads } else { &world.highs };
    inside.set(inside.get() - 1);
}

/// A writer has just entered (S1).
pub(crate) fn writer_is_in(world: &World) {
    let readers = world.threads.get() + world.highs.get();
    let found = threads(world.setup.found) + highs(world.setup.found);
    assert_eq!((readers + found, world.writers.get()), (0, 0), "S1: a writer is not alone");
    world.writers.set(1);
}

/// A writer looks at the value before it goes in, with nothing raised: others may only read the
/// value.
pub(crate) fn prepares() -> u64 {
    let world = World::now();
    assert_eq!(world.me().level(), Class::Thread, "S9: a raised thread prepares");
    assert_eq!(world.writers.get(), 0, "S1: a writer beside one that prepares");
    // SAFETY: the lock is being tested for exactly that.
    unsafe { world.data.get() }
}

/// The writer is inside, and nobody has written since it looked.
pub(crate) fn is_as_prepared(seen: u64) {
    // SAFETY: as above.
    let now = unsafe { World::now().data.get() };
    assert_eq!(now, seen, "S5: a write beside one that was prepared");
}
