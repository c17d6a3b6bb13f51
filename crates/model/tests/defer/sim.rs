//! The system, as far as it delivers signals to one thread.

use crate::model;
use crate::rows::taken_by_the_program;
use crate::world::{Act, Info, Sending, Sent, Value, World, all, class, raise};
use siftlock_core::defer::{Arrival, Notes, Refused, Signal, SignalSystem, Signals, When};
use siftlock_core::platform::{Class, Raised};
use std::panic::resume_unwind;

/// Handlers in an execution that count as a loop without end.
const MANY: usize = 40;

/// The payload that a handler throws if it does not return.
pub(crate) struct Leaving;

pub(crate) struct Sim;

/// The mask that is restored when the wrapper returns.
pub(crate) struct Frame(Signals);

/// Runs before each step of the thread and its handlers.
pub(crate) fn interrupt() {
    if !World::now().quiet.get() {
        // While all is held no instruction faults.
        let held = World::now().held.get();
        step(|sending| !(held && sending.fault));
        deliver();
    }
}

/// Sends the signals of the row whose step this is, as far as they may come.
fn step(may_come: impl Fn(&Sending) -> bool) {
    let world = World::now();
    let step = world.steps.get() + 1;
    world.steps.set(step);
    assert!(step < model::MANY, "it does not end");
    let comes = |it: &Sending| it.at == step && !it.sent.get() && may_come(it);
    (0..world.row.len()).filter(|value| comes(&world.row[*value])).for_each(send);
}

/// A signal of the row comes.
pub(crate) fn send(value: Value) {
    let world = World::now();
    let sending = &world.row[value];
    if !sending.fault {
        world.send(value);
    } else if world.mask.get().has(sending.signal) {
        // The fault is in its own wrapper, which has no such instruction. Anywhere else it would
        // end the process.
        let own = world.frames.borrow().iter().any(|frame| frame.0 == sending.signal);
        assert!(own, "a fault comes while its signal is blocked");
        sending.sent.set(true);
        sending.handled.set(true);
    } else {
        sending.sent.set(true);
        sending.wanted.set(true);
        arrive(sending.signal, Arrival::Fault(Info::of(value)));
    }
}

/// Delivers all signals that are not blocked, as on every way back from the system.
pub(crate) fn deliver() {
    while let Some((signal, sent)) = World::now().dequeue() {
        arrive(signal, sent.arrival());
    }
}

/// The system calls the wrapper.
fn arrive(signal: Signal, arrival: Arrival<Info>) {
    let world = World::now();
    let calls = world.handlers.get() + 1;
    world.handlers.set(calls);
    assert!(calls < MANY, "signals without end");
    let mut frame = Frame(world.mask.get());
    world.mask.set(frame.0.and(masked_by(signal)).and(Signals::of(signal)));
    world.frames.borrow_mut().push((signal, false));
    world.pending.arrive::<Sim>(signal, arrival, &mut frame);
    world.frames.borrow_mut().pop();
    world.mask.set(frame.0);
}

/// The signals that are blocked while this one is handled.
fn masked_by(signal: Signal) -> Signals {
    all(|other| other <= class(signal)).without(Signals::of(crate::world::signal('f')))
}

// SAFETY: there is one thread, and its notes; `deliver` masks as the trait wants.
unsafe impl SignalSystem for Sim {
    type Info = Info;
    type Frame = Frame;
    /// The mask, and whether all signals are held.
    type Mask = (Signals, bool);

    fn notes() -> Option<&'static Notes<Info>> {
        Some(&World::now().notes)
    }

    fn make_notes() -> &'static Notes<Info> {
        &World::now().notes
    }

    fn class(signal: Signal) -> Class {
        class(signal)
    }

    fn above(level: Class) -> Signals {
        all(|class| class > level)
    }

    fn is_direct(_: Signal) -> bool {
        World::now().act == Act::Direct
    }

    fn kick(signal: Signal) -> Result<(), Refused> {
        if World::now().covered.get() {
            return Err(Refused);
        }
        queue(signal, Sent::Kick)
    }

    fn is_pending(signal: Signal) -> bool {
        World::now().queue.borrow().iter().any(|(other, _)| *other == signal)
    }

    fn absorb(signal: Signal) -> Option<Arrival<Info>> {
        World::now().take(signal).map(Sent::arrival)
    }

    fn merge(noted: &mut Info, later: &Info) {
        noted.more +=
            if is_timer(noted.value) && is_timer(later.value) { 1 + later.more } else { 0 };
    }

    fn send(signal: Signal, info: &Info) -> Result<(), Refused> {
        queue(signal, Sent::Info(*info))
    }

    fn is_blocked(signal: Signal) -> bool {
        World::now().mask.get().has(signal)
    }

    fn unblock(signals: Signals) {
        let world = World::now();
        world.mask.set(world.mask.get().without(signals));
        deliver();
    }

    fn blocked_in(frame: &Frame) -> Signals {
        frame.0
    }

    fn block_in(frame: &mut Frame, signals: Signals) {
        frame.0 = frame.0.and(signals);
    }

    fn enter(signal: Signal) -> (Signals, bool) {
        let world = World::now();
        world.frames.borrow_mut().push((signal, false));
        let own = masked_by(signal).and(Signals::of(signal));
        (world.mask.replace(world.mask.get().and(own)), false)
    }

    fn hold() -> (Signals, bool) {
        let world = World::now();
        assert!(!world.held.replace(true), "held twice");
        (world.mask.replace(world.mask.get().and(all(|_| true))), true)
    }

    fn has((mask, _): &(Signals, bool), signal: Signal) -> bool {
        mask.has(signal)
    }

    fn leave((mask, held): (Signals, bool), signals: Signals) {
        let world = World::now();
        if held {
            world.held.set(false);
        } else {
            world.frames.borrow_mut().pop();
        }
        world.mask.set(mask.and(signals));
        deliver();
    }

    fn call(signal: Signal, info: &Info, _when: When, _frame: Option<&mut Frame>) {
        let world = World::now();
        world.handle(signal, *info);
        // A handler that interrupts a raised thread must return.
        let raised = world.quietly(|| world.pending.level()) != Class::Thread;
        match world.act {
            Act::Takes if class(signal) == Class::SoftIrq => taken_by_the_program(),
            Act::Returns | Act::Direct | Act::Takes => {}
            Act::Reads => lower(raise(class(signal))),
            Act::Leaves if raised || world.left.replace(true) => {}
            Act::Leaves => resume_unwind(Box::new(Leaving)),
        }
        // The wrapper may call another handler.
        if let Some(frame) = world.frames.borrow_mut().last_mut() {
            frame.1 = false;
        }
    }
}

/// The thread sends a signal to itself.
fn queue(signal: Signal, sent: Sent) -> Result<(), Refused> {
    let world = World::now();
    if signal.is_real_time() {
        match world.room.get() {
            0 => return Err(Refused),
            usize::MAX => {}
            room => world.room.set(room - 1),
        }
    }
    world.enqueue(signal, sent);
    // The signals that others send before the system delivers this one. The thread itself makes no
    // step here.
    step(|sending| !sending.fault);
    deliver();
    Ok(())
}

fn is_timer(value: Value) -> bool {
    World::now().row[value].timer
}

pub(crate) fn lower(raised: Raised) {
    World::now().pending.lower::<Sim>(raised);
}
