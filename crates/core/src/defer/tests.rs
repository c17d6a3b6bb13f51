//! More notes than a model has places for.

extern crate std;

use super::*;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::thread_local;
use std::vec::Vec;

thread_local! {
    static PENDING: PendingSignals = const { PendingSignals::new() };
    static NOTES: &'static Notes<usize> = std::boxed::Box::leak(std::boxed::Box::default());
    /// How many more signals from the thread to itself the system takes.
    static ROOM: Cell<usize> = const { Cell::new(0) };
    /// Whether the wrapper runs, so that the signal is blocked.
    static ARRIVES: Cell<bool> = const { Cell::new(false) };
    /// Kicks that came while the wrapper ran.
    static KICKS: Cell<usize> = const { Cell::new(0) };
    /// Whether the program blocks the signal.
    static BLOCKED: Cell<bool> = const { Cell::new(false) };
    /// The system's queue: signals that the thread has sent to itself.
    static QUEUE: RefCell<VecDeque<usize>> = const { RefCell::new(VecDeque::new()) };
    static HANDLED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// A system with one signal.
struct System;

fn signal() -> Signal {
    Signal::new(40).expect("a number")
}

/// Calls the wrapper as the system does, and again for each kick that comes meanwhile.
fn arrives(arrival: Arrival<usize>) {
    let mut next = Some(arrival);
    while let Some(arrival) = next {
        ARRIVES.set(true);
        PENDING.with(|pending| pending.arrive::<System>(signal(), arrival, &mut ()));
        ARRIVES.set(false);
        next = KICKS.get().checked_sub(1).map(|left| {
            KICKS.set(left);
            Arrival::Kick
        });
    }
}

fn take_room() -> Result<(), Refused> {
    ROOM.set(ROOM.get().checked_sub(1).ok_or(Refused)?);
    Ok(())
}

// SAFETY: the notes are the thread's own; nothing interrupts a wrapper.
unsafe impl SignalSystem for System {
    type Info = usize;
    type Frame = ();
    type Mask = ();

    fn notes() -> Option<&'static Notes<usize>> {
        Some(Self::make_notes())
    }

    fn make_notes() -> &'static Notes<usize> {
        NOTES.with(|notes| *notes)
    }

    fn class(_: Signal) -> Class {
        Class::Irq
    }

    fn above(class: Class) -> Signals {
        if class < Class::Irq { Signals::of(signal()) } else { Signals::NONE }
    }

    fn kick(_: Signal) -> Result<(), Refused> {
        take_room()?;
        if ARRIVES.get() {
            KICKS.set(KICKS.get() + 1);
        } else {
            arrives(Arrival::Kick);
        }
        Ok(())
    }

    fn call(_: Signal, info: &usize, _: When, _: Option<&mut ()>) {
        HANDLED.with_borrow_mut(|handled| handled.push(*info));
    }

    fn is_pending(_: Signal) -> bool {
        QUEUE.with_borrow(|queue| !queue.is_empty())
    }

    fn absorb(_: Signal) -> Option<Arrival<usize>> {
        QUEUE.with_borrow_mut(VecDeque::pop_front).map(Arrival::Sent)
    }

    fn merge(_: &mut usize, _: &usize) {}

    fn send(_: Signal, info: &usize) -> Result<(), Refused> {
        take_room()?;
        QUEUE.with_borrow_mut(|queue| queue.push_back(*info));
        Ok(())
    }

    fn is_blocked(_: Signal) -> bool {
        BLOCKED.get()
    }

    fn unblock(_: Signals) {}

    fn blocked_in((): &()) -> Signals {
        Signals::NONE
    }

    fn block_in((): &mut (), _: Signals) {}

    fn enter(_: Signal) {}

    fn hold() {}

    fn has((): &(), _: Signal) -> bool {
        false
    }

    fn leave((): (), _: Signals) {}
}

const SENT: usize = 6;

/// Checks that all signals that a raised thread notes are handled in order, once it is lowered and
/// `lowered` has run.
#[track_caller]
fn handled_after(lowered: impl FnOnce(), room: usize) {
    ROOM.set(room);
    let raised = PENDING.with(|pending| pending.raise(Class::Irq, Raised::NOTHING));
    (0..SENT).for_each(|info| arrives(Arrival::Sent(info)));
    assert_eq!(HANDLED.take(), []);
    PENDING.with(|pending| pending.lower::<System>(raised));
    lowered();
    assert_eq!(HANDLED.take(), [0, 1, 2, 3, 4, 5], "room for {room}");
}

#[test]
fn defer_all_that_is_noted_is_handled_wherever_the_systems_queue_fills_up() {
    (0..=SENT).for_each(|room| handled_after(|| {}, room));
}

#[test]
fn defer_all_that_the_program_blocks_is_handled_wherever_the_systems_queue_fills_up() {
    let lets_it_in = || {
        assert_eq!(HANDLED.take(), []);
        BLOCKED.set(false);
        while let Some(arrival) = System::absorb(signal()) {
            arrives(arrival);
        }
        PENDING.with(|pending| {
            let raised = pending.raise(Class::Irq, Raised::NOTHING);
            pending.lower::<System>(raised);
        });
    };
    for room in 0..=SENT {
        BLOCKED.set(true);
        handled_after(lets_it_in, room);
    }
}
