//! The invariants, held against every step. Bits are spelled out again, from the protocol's text
//! and not from its code.

use crate::world::{Demands, Seat, World};
use psrw_2008::probe::{self, Places, Words};
use siftlock_core::platform::Class;
use siftlock_core::sync::watch::{self, Watch};
use std::cell::{Cell, RefCell};

const WRITER: u64 = 1;
const SLOW_WRITER: u64 = 1 << 1;
const WQ_ACTIVE: u64 = 1 << 2;
/// One reader.
pub(crate) const READER: u64 = 1 << 3;

const WQ_MUTEX: u64 = 1;
const COUNT_MUTEX: u64 = 1 << 1;
const LOCK_MUTEX: u64 = 1 << 2;
const ONE_SLOW_WRITER: u64 = 1 << 3;

const CLASSES: [Class; 4] = [Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq];

/// The part of `uc` that a reader leaves there if it stays.
pub(crate) const fn stays(_class: Class) -> u64 {
    READER
}

std::thread_local! {
    static PLACES: Cell<Option<Places>> = const { Cell::new(None) };
    /// The words, after the last step.
    static WORDS: Cell<Words> = Cell::default();
    /// The seats of the threads that have shut each class out.
    static SUBSCRIBED: RefCell<[Vec<usize>; 4]> = RefCell::default();
    /// The steps of this execution.
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

/// A step: the thread that made it, and the words after it.
struct Step {
    who: u32,
    level: Class,
    after: Words,
}

/// Watches the execution that this OS thread is about to run.
pub(crate) fn begin() {
    watch::set(Watch { stepped: |_, _| {}, list_released: |_| {} });
    watch::set_changed(changed);
    watch::interrupt_by(Some(|| World::now().interruptible()));
    PLACES.set(None);
    STEPS.with_borrow_mut(Vec::clear);
    SUBSCRIBED.take();
}

/// Watches the lock at these places, which is as it was found.
pub(crate) fn watches(places: Places) {
    PLACES.set(Some(places));
    WORDS.set(Words { uc: World::now().setup.found, ..Words::default() });
}

/// How many steps of the words the execution has made so far. Prints them if `tell` is set.
pub(crate) fn steps(tell: bool) -> usize {
    STEPS.with_borrow(|steps| {
        for Step { who, level, after } in steps.iter().filter(|_| tell) {
            println!("thread {who} at {level:?}: {after:#x?}");
        }
        steps.len()
    })
}

/// T7.
pub(crate) fn rests_at(words: Words, uc: u64) {
    let rest = Words { uc, ..Words::default() };
    assert_eq!(words, rest, "T7: at rest, nothing but who stays");
}

fn changed(word: *const (), old: u64, new: u64) {
    let Some(places) = PLACES.get() else { return };
    let mut words = WORDS.get();
    let before = words;
    let class = places.classes.iter().position(|place| *place == word);
    let shadow = match class {
        Some(class) => &mut words.classes[class],
        None if word == places.uc => &mut words.uc,
        None if word == places.ws => &mut words.ws,
        None => return,
    };
    assert_eq!(*shadow, old, "the shadow follows the word");
    *shadow = new;
    WORDS.set(words);
    let world = World::now();
    let me = world.me();
    STEPS.with_borrow_mut(|steps| {
        steps.push(Step { who: me.id(), level: me.level(), after: words });
    });
    for seat in world.seats.iter().filter(|seat| seat.naps.get()) {
        seat.call();
    }
    if let Some(class) = class {
        subscribes(world, class, old as u32, new as u32);
    }
    check(world, &before, &words);
}

/// The calling thread may have shut a class out, or let it in again.
fn subscribes(world: &World, class: usize, old: u32, new: u32) {
    let place = world.place();
    SUBSCRIBED.with_borrow_mut(|all| match new.wrapping_sub(old) {
        1 => all[class].push(place),
        u32::MAX => {
            let who = all[class].iter().position(|who| *who == place);
            if let Some(who) = who {
                all[class].remove(who);
            }
        }
        _ => {}
    });
}

/// T1 to T5.
fn check(world: &World, before: &Words, words: &Words) {
    let (uc, ws) = (words.uc, words.ws);
    let inside = world.setup.found / READER + world.threads.get() + world.highs.get();
    assert!(uc / READER >= inside, "T1: {inside} readers are inside: {words:x?}");
    if world.setup.demands == Demands::Outcome {
        return;
    }
    let two = uc & WRITER != 0 && ws & LOCK_MUTEX != 0;
    assert!(!two, "T2: UC_WRITER with LOCK_MUTEX: {words:x?}");
    if ws & COUNT_MUTEX == 0 {
        let (bit, some) = (uc & SLOW_WRITER != 0, ws / ONE_SLOW_WRITER != 0);
        assert_eq!(bit, some, "T3: SLOW_WRITER without writers, or they without it: {words:x?}");
    }
    if ws & WQ_MUTEX == 0 {
        let active = uc & WQ_ACTIVE != 0;
        assert_eq!(active, probe::somebody_sleeps(), "T4: WQ_ACTIVE and the queue: {words:x?}");
    }
    let untouched = (before.uc ^ uc) & WQ_ACTIVE == 0;
    assert!(untouched || ws & WQ_MUTEX != 0, "T4: WQ_ACTIVE changed without WQ_MUTEX: {words:x?}");
    check_levels(world);
}

/// T5.
fn check_levels(world: &World) {
    SUBSCRIBED.with_borrow(|all| {
        for (class, writers) in CLASSES.into_iter().zip(all) {
            for writer in writers {
                let level = world.seats[*writer].level();
                assert!(level >= class, "T5: {class:?} shut out by a writer at {level:?}");
            }
        }
    });
}

/// A thread has lowered itself.
pub(crate) fn lowered(world: &World) {
    if !std::thread::panicking() && world.setup.demands != Demands::Outcome {
        check_levels(world);
    }
}

/// Only a Thread that has raised nothing sleeps.
pub(crate) fn falls_asleep(me: &Seat) {
    assert_eq!(me.level(), Class::Thread, "a raised thread sleeps");
}

/// In this form threads and handlers may call a sleeper.
pub(crate) fn calls(_me: &Seat) {}

/// Whether a thread that waits awake still has a reason to wait. S8 and S9, which this form does
/// not keep, are checked only where the row demands it.
pub(crate) fn waits_awake(world: &World) -> bool {
    let awaited = probe::awaited().expect("only a lock naps");
    if awaited.holds(&WORDS.get()) {
        // The look was at an old value.
        return false;
    }
    let (demands, me) = (world.setup.demands, world.me());
    // A handler never lies down, so it needs the queue for its unlock alone.
    let (handler, level) = (me.base.get(), me.level());
    let unlocks = awaited.is_queue() && handler > Class::Thread;
    assert!(demands != Demands::S8 || !unlocks, "S8: {handler:?} unlocks, and waits for WQ_MUTEX");
    let waits = awaited.is_lock() && level > Class::Thread;
    assert!(demands != Demands::S9 || !waits, "S9: raised to {level:?}, waits for a writer");
    true
}

/// A reader of this class has just entered (T1).
pub(crate) fn reader_is_in(world: &World, class: Class) {
    assert_eq!(world.writers.get(), 0, "T1: a {class:?} reader beside a writer");
    let inside = if class == Class::Thread { &world.threads } else { &world.highs };
    inside.set(inside.get() + 1);
}

/// A reader of this class is about to leave.
pub(crate) fn reader_leaves(world: &World, class: Class) {
    let inside = if class == Class::Thread { &world.threads } else { &world.highs };
    inside.set(inside.get() - 1);
}

/// A writer has just entered (T1).
pub(crate) fn writer_is_in(world: &World) {
    let readers = world.setup.found / READER + world.threads.get() + world.highs.get();
    assert_eq!((readers, world.writers.get()), (0, 0), "T1: a writer is not alone");
    world.writers.set(1);
}
