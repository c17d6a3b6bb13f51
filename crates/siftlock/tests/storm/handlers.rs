//! The handlers' acts: they account for the signal, and use the locks.

use crate::kinds::{self, From, Kind};
use crate::locks::{Base, How};
use crate::station::{Station, fail, here};
use crate::support::value_of;
use siftlock::context::{self, HandlerClass, Interrupt, Irq, SoftIrq};
use siftlock_core::platform::Class;
use std::sync::atomic::Ordering;

pub(crate) fn register<B: Base>() {
    for kind in kinds::all() {
        match kind.class {
            // SAFETY: the handler reads locks, and records the signal in atomics.
            Class::Irq => unsafe { context::register(kind.signal(), on_irq::<B>) },
            // SAFETY: as above.
            _ => unsafe { context::register(kind.signal(), on_soft::<B>) },
        }
        .expect("a signal that nobody else has");
    }
}

fn on_irq<B: Base>(interrupt: &Interrupt<'_, Irq>) {
    handle(interrupt, |how| {
        B::low().read(Irq, how, || ());
        B::high().read(Irq, how, || ());
    });
}

fn on_soft<B: Base>(interrupt: &Interrupt<'_, SoftIrq>) {
    handle(interrupt, |how| {
        B::low().read(SoftIrq, how, || ());
        B::high().read(Irq, how, || ());
        if interrupt.signal() % 2 == 0 {
            B::high().write(SoftIrq, how, || ());
        }
    });
}

fn handle<C: HandlerClass>(interrupt: &Interrupt<'_, C>, locks: impl FnOnce(How)) {
    const HOW: [How; 4] = [How::Wait, How::Try, How::Timed(20_000), How::Wait];
    let station = here();
    if interrupt.is_fault_when_raised() {
        fail("handled on a raised thread", interrupt.signal().into());
    }
    station.may_begin(C::CLASS);
    station.inside(C::CLASS, || {
        let kind = Kind::of_signal(interrupt.signal());
        account(station, kind, interrupt.info());
        let (handled, _) = station.handled_of_sent(kind);
        locks(HOW[handled as usize % HOW.len()]);
    });
}

/// Checks that no signal comes twice or out of order.
fn account(station: &Station, kind: Kind, info: &libc::siginfo_t) {
    let handled = &station.handled[kind.place];
    let expected = match kind.from {
        From::Numbered | From::Itself => libc::SI_QUEUE,
        From::Bare => libc::SI_TKILL,
        From::Timer => libc::SI_TIMER,
    };
    // There was no room in the system's queue: the system keeps the signal, but not its
    // information.
    let came_bare = info.si_code == libc::SI_USER && !kind.is_queued;
    if info.si_code != expected && !came_bare {
        fail("brought something else along", info.si_code.into());
    }
    if came_bare {
        station.bare[kind.place].fetch_add(1, Ordering::SeqCst);
    }
    if !kind.is_numbered() {
        if kind.from == From::Timer && value_of(info) != kind.place as i32 {
            fail("another timer's", value_of(info).into());
        }
        handled.fetch_add(1, Ordering::SeqCst);
    } else if came_bare {
        if kind.from == From::Itself {
            handled.store(station.sent[kind.place].load(Ordering::SeqCst), Ordering::SeqCst);
        }
    } else {
        let number = value_of(info) as u32;
        let last = handled.swap(number, Ordering::SeqCst);
        if number <= last || kind.is_queued && number != last + 1 {
            let after = format_args!("twice, or out of order, after {last}, of {}", kind.place);
            fail(after, number.into());
        }
    }
}
