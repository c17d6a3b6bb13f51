//! The platform of these tests. It masks like the platform beneath it. But the clock is a counter,
//! and where a thread would sleep the script goes on.
//!
//! The same thread, not stepped at that moment, plays each holder that is in the thread's way. Such
//! a holder makes the lock's own steps, but raises nothing.

use crate::handler::fail;
use crate::trap;
use siftlock::platform::{Native, Strict};
use siftlock_core::forward_platform;
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::psrw::{Irq, NonPreemptible, PsRwLock, SoftIrq, Thread, policy::Standard};
use siftlock_core::record::Record;
use siftlock_core::sync::AtomicU32;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub(crate) struct Scripted<B>(PhantomData<fn() -> B>);

pub(crate) type Lock<B> =
    PsRwLock<(Thread, NonPreemptible, SoftIrq, Irq), Thread, Standard, Scripted<B>>;
/// Written by a class that is itself a handler's.
pub(crate) type High<B> = PsRwLock<(SoftIrq, Irq), SoftIrq, Standard, Scripted<B>>;

/// The platform that masks the signals.
pub(crate) trait Base: Platform {
    /// Whether a signal that is not masked, nor blocked, is handled at once.
    const LAZY: bool;
    fn lock() -> &'static Lock<Self>;
    fn high() -> &'static High<Self>;
}

macro_rules! base {
    ($base:ty, $lazy:expr) => {
        impl Base for $base {
            const LAZY: bool = $lazy;
            fn lock() -> &'static Lock<Self> {
                static LOCK: Lock<$base> = Lock::new();
                &LOCK
            }
            fn high() -> &'static High<Self> {
                static LOCK: High<$base> = High::new();
                &LOCK
            }
        }
    };
}
base!(Native, true);
base!(Strict, false);

/// What another party does while the thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Event {
    /// A Thread reader leaves.
    ThreadReaderLeaves = 1,
    /// A reader of class Irq leaves.
    IrqReaderLeaves,
    /// The writer leaves.
    WriterLeaves,
    /// The deadline passes.
    TimePasses,
    /// The thread is woken for no reason.
    Nothing,
    /// So much time passes that the first waiter has the lock reserved.
    LongWait,
    /// A reader of the other lock leaves.
    HighReaderLeaves,
    /// The writer of the other lock leaves.
    HighWriterLeaves,
}

use Event::{
    HighReaderLeaves, HighWriterLeaves, IrqReaderLeaves, LongWait, Nothing, ThreadReaderLeaves,
    TimePasses, WriterLeaves,
};

const EVENTS: [Event; 8] = [
    ThreadReaderLeaves,
    IrqReaderLeaves,
    WriterLeaves,
    TimePasses,
    Nothing,
    LongWait,
    HighReaderLeaves,
    HighWriterLeaves,
];

/// The events to come, a byte each.
static SCRIPT: AtomicU64 = AtomicU64::new(0);
static CLOCK: AtomicU64 = AtomicU64::new(0);
/// Another party acts now.
static OTHER: AtomicBool = AtomicBool::new(false);
/// Another party has the lock for writing. The second is for the other lock.
static OTHER_WRITES: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

/// Nanoseconds until the deadlines of these tests.
const A_WHILE: u64 = 1_000_000_000;

pub(crate) fn deadline() -> Instant {
    Instant::from_nanos(CLOCK.load(Ordering::SeqCst) + A_WHILE)
}

/// Whether another party has [`Base::lock`] for writing, and [`Base::high`].
pub(crate) fn other_writes() -> [bool; 2] {
    OTHER_WRITES.each_ref().map(|writes| writes.load(Ordering::SeqCst))
}

/// What happens at the next sleeps and naps.
pub(crate) fn set(events: &[Event]) {
    let script = events.iter().rev().fold(0, |script, event| script << 8 | *event as u64);
    SCRIPT.store(script, Ordering::SeqCst);
}

/// Whether all events have happened.
pub(crate) fn is_over() -> bool {
    SCRIPT.load(Ordering::SeqCst) == 0
}

/// The party that the thread finds in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    ThreadReader,
    IrqReader,
    Writer,
    /// Of the other lock.
    HighReader,
    HighWriter,
}

/// The other party takes the lock.
pub(crate) fn found<B: Base>(other: Other) {
    OTHER.store(true, Ordering::SeqCst);
    let raised = match other {
        Other::ThreadReader => B::lock().read(Thread),
        Other::IrqReader => B::lock().read(Irq),
        Other::Writer => B::lock().write(Thread),
        Other::HighReader => B::high().read(Irq),
        Other::HighWriter => B::high().write(SoftIrq),
    };
    assert_eq!(raised, Raised::NOTHING);
    OTHER.store(false, Ordering::SeqCst);
    OTHER_WRITES[0].fetch_or(other == Other::Writer, Ordering::SeqCst);
    OTHER_WRITES[1].fetch_or(other == Other::HighWriter, Ordering::SeqCst);
}

/// The other party leaves, if it is still there.
pub(crate) fn gone<B: Base>(other: Other) {
    happens::<B>(match other {
        Other::ThreadReader => ThreadReaderLeaves,
        Other::IrqReader => IrqReaderLeaves,
        Other::Writer => WriterLeaves,
        Other::HighReader => HighReaderLeaves,
        Other::HighWriter => HighWriterLeaves,
    });
}

fn meanwhile<B: Base>() {
    trap::step_aside();
    let script = SCRIPT.load(Ordering::SeqCst);
    let event = EVENTS.into_iter().find(|event| *event as u64 == script & 0xff);
    let Some(event) = event else { fail("a wait that nobody ends", 0) };
    SCRIPT.store(script >> 8, Ordering::SeqCst);
    OTHER.store(true, Ordering::SeqCst);
    happens::<B>(event);
    OTHER.store(false, Ordering::SeqCst);
    trap::go_on();
}

fn happens<B: Base>(event: Event) {
    let before = OTHER.swap(true, Ordering::SeqCst);
    // SAFETY: the script says who has what.
    unsafe {
        match event {
            ThreadReaderLeaves => B::lock().read_unlock(Thread, Raised::NOTHING),
            IrqReaderLeaves => B::lock().read_unlock(Irq, Raised::NOTHING),
            WriterLeaves => B::lock().write_unlock(Thread, Raised::NOTHING),
            HighReaderLeaves => B::high().read_unlock(Irq, Raised::NOTHING),
            HighWriterLeaves => B::high().write_unlock(SoftIrq, Raised::NOTHING),
            TimePasses => drop(CLOCK.fetch_add(2 * A_WHILE, Ordering::SeqCst)),
            LongWait => drop(CLOCK.fetch_add(A_WHILE / 2, Ordering::SeqCst)),
            Nothing => {}
        }
    }
    OTHER_WRITES[0].fetch_and(event != WriterLeaves, Ordering::SeqCst);
    OTHER_WRITES[1].fetch_and(event != HighWriterLeaves, Ordering::SeqCst);
    OTHER.store(before, Ordering::SeqCst);
}

// SAFETY: the base's records and its masking. Nobody else sleeps, so a sleep may end at once.
unsafe impl<B: Base> Platform for Scripted<B> {
    forward_platform!(B: records, level);

    fn wait(_: &Record, _: &AtomicU32, _: u32, _: Option<Instant>) {
        meanwhile::<B>();
    }

    fn wake(_: &Record, _: &AtomicU32) {}

    fn yield_now() {}

    fn now() -> Instant {
        Instant::from_nanos(CLOCK.fetch_add(1_000, Ordering::SeqCst))
    }

    /// Spins would only add more of the same instructions.
    fn may_spin() -> bool {
        false
    }

    fn nap() {
        meanwhile::<B>();
    }

    fn raise(to: Class, held: Raised) -> Raised {
        if OTHER.load(Ordering::SeqCst) { held } else { B::raise(to, held) }
    }

    fn restore(held: Raised) {
        if !OTHER.load(Ordering::SeqCst) {
            B::restore(held);
        }
    }
}
