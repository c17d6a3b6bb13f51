//! Walks a path as often as it has instructions, with a signal after each, and checks the outcome.

use crate::handler::{self, fail, handled, words};
use crate::script::{self, Base, Event, Other};
use crate::support::{VALUES, in_own_process, is_blocked, queue, real_time, send};
use crate::trap::{self, Point, Visit};
use crate::wrapper;
use siftlock::context::{self, Irq, SoftIrq};
use siftlock_core::platform::Class;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

/// Makes tests of generic functions, each in a process of its own, with lazy masking.
macro_rules! on_native {
    ($($test:ident)*) => {
        mod native {
            $crate::walk::tests!(siftlock::platform::Native, $($test)*);
        }
    };
}
pub(crate) use on_native;

/// Makes tests of generic functions, with lazy masking and with masking by the system.
macro_rules! on_each_base {
    ($($test:ident)*) => {
        $crate::walk::on_native!($($test)*);
        mod strict {
            $crate::walk::tests!(siftlock::platform::Strict, $($test)*);
        }
    };
}
pub(crate) use on_each_base;

macro_rules! tests {
    ($base:ty, $($test:ident)*) => {$(
        #[test]
        fn $test() {
            let name = concat!(module_path!(), "::", stringify!($test));
            $crate::walk::stepped::<$base>(name, super::$test);
        }
    )*};
}
pub(crate) use tests;

/// The signal that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) class: Class,
    /// A real-time signal.
    pub(crate) is_queued: bool,
}

pub(crate) const IRQ: Sent = Sent { class: Class::Irq, is_queued: false };
pub(crate) const SOFT: Sent = Sent { class: Class::SoftIrq, is_queued: false };
pub(crate) const IRQ_QUEUED: Sent = Sent { class: Class::Irq, is_queued: true };
pub(crate) const SOFT_QUEUED: Sent = Sent { class: Class::SoftIrq, is_queued: true };

impl Sent {
    pub(crate) fn number(self) -> i32 {
        match (self.class, self.is_queued) {
            (Class::Irq, false) => libc::SIGUSR1,
            (_, false) => libc::SIGUSR2,
            (Class::Irq, true) => real_time(0),
            (_, true) => real_time(1),
        }
    }
}

pub(crate) const ALL: [Sent; 4] = [IRQ, SOFT, IRQ_QUEUED, SOFT_QUEUED];

/// Registers the handlers, and runs `test` if threads can be stepped here.
pub(crate) fn stepped<B: Base + Default>(name: &str, test: fn(B)) {
    /// Enough for a busy machine, and for `SIFTLOCK_SINGLE_STEP`.
    const TIMEOUT: Duration = Duration::from_secs(1_000);
    in_own_process(name, TIMEOUT, || alone(test));
}

fn alone<B: Base + Default>(test: fn(B)) {
    if !trap::works() {
        return println!("not tested: this machine does not stop threads behind an instruction");
    }
    // SAFETY: these handlers read a lock and count.
    unsafe {
        context::register(libc::SIGUSR1, handler::read::<B, Irq>).unwrap();
        context::register(libc::SIGUSR2, handler::read::<B, SoftIrq>).unwrap();
        context::register(real_time(0), handler::read::<B, Irq>).unwrap();
        context::register(real_time(1), handler::read::<B, SoftIrq>).unwrap();
    }
    ALL.into_iter().for_each(|sent| wrapper::step_into(sent.number()));
    // Events that happen in first uses only do not belong to these paths.
    ALL.into_iter().for_each(|sent| send(sent.number()));
    VALUES.take();
    test(B::default());
}

/// The value that comes with the signal.
const VALUE: i32 = 1_000;

static SIGNAL: AtomicI32 = AtomicI32::new(0);
static CLASS: AtomicUsize = AtomicUsize::new(0);
/// The signal is neither masked nor blocked where it is sent.
static AT_ONCE: AtomicBool = AtomicBool::new(false);
static HANDLED: AtomicUsize = AtomicUsize::new(0);

fn visit<B: Base>(visit: Visit<'_>) {
    match visit {
        Visit::Chosen(mask) => {
            let signal = SIGNAL.load(Ordering::SeqCst);
            // SAFETY: a set.
            let blocked = unsafe { libc::sigismember(mask, signal) } == 1;
            let masked = B::level() as usize >= CLASS.load(Ordering::SeqCst);
            AT_ONCE.store(B::LAZY && !masked && !blocked, Ordering::SeqCst);
            HANDLED.store(handled(), Ordering::SeqCst);
            queue(signal, VALUE).expect("room for a signal");
        }
        Visit::Next => {
            if AT_ONCE.load(Ordering::SeqCst) && handled() == HANDLED.load(Ordering::SeqCst) {
                fail("put off, though not masked", 0);
            }
        }
    }
}

/// A path, and its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    pub(crate) name: &'static str,
    /// The parties in the way when the path begins.
    pub(crate) found: &'a [Other],
    /// The events at the sleeps, one each.
    pub(crate) script: &'a [Event],
    /// The parties still there in the end.
    pub(crate) left: &'a [Other],
    pub(crate) before: &'a dyn Fn(),
    pub(crate) path: &'a dyn Fn(),
    /// Values that arrive in any case, in this order.
    pub(crate) values: &'a [i32],
    /// The signals that bring them. One more of these comes last, or merges.
    pub(crate) noted: &'a [Sent],
}

impl Path<'_> {
    pub(crate) const NONE: Self = Self {
        name: "",
        found: &[],
        script: &[],
        left: &[],
        before: &|| (),
        path: &|| (),
        values: &[],
        noted: &[],
    };

    /// Walks the path once for each of its instructions and each of the signals.
    pub(crate) fn walk<B: Base>(&self, signals: &[Sent]) {
        handler::set_path(self.name);
        // Before the list is made: it must have no instructions of first uses.
        self.once::<B>(|path| path());
        self.check::<B>(None, false);
        let mut points = Vec::new();
        self.once::<B>(|path| points = trap::points(path));
        self.check::<B>(None, false);
        assert!(points.len() > 5, "{}: too short to be true", self.name);
        // The system's own queue is not under test.
        signals.iter().filter(|sent| B::LAZY || !sent.is_queued).for_each(|sent| {
            self.visit_all::<B>(&points, *sent);
        });
    }

    fn visit_all<B: Base>(&self, points: &[Point], sent: Sent) {
        SIGNAL.store(sent.number(), Ordering::SeqCst);
        CLASS.store(sent.class as usize, Ordering::SeqCst);
        let mut reached = 0;
        for point in points {
            let mut came = false;
            self.once::<B>(|path| came = trap::walk(*point, visit::<B>, path));
            self.check::<B>(Some(sent), came);
            reached += usize::from(came);
        }
        println!("{}: {reached} of {} points, {sent:?}", self.name, points.len());
        // A breakpoint that has just been passed is not seen by a handler that comes right there.
        assert!(reached * 100 >= points.len() * 95, "{}: is not the same each time", self.name);
    }

    fn once<B: Base>(&self, walk: impl FnOnce(&dyn Fn())) {
        self.found.iter().for_each(|other| script::found::<B>(*other));
        script::set(self.script);
        (self.before)();
        walk(self.path);
        self.left.iter().for_each(|other| script::gone::<B>(*other));
    }

    fn check<B: Base>(&self, sent: Option<Sent>, reached: bool) {
        let (name, at) = (self.name, trap::place());
        assert_eq!(words::<B>(), [0; 4], "{name}, at {at:#x}: the locks are not at rest");
        assert_eq!(B::level(), Class::Thread, "{name}, at {at:#x}: the thread is still raised");
        assert!(script::is_over(), "{name}, at {at:#x}: something should have waited");
        for sent in ALL {
            assert!(!is_blocked(sent.number()), "{name}, at {at:#x}: {sent:?} is still blocked");
        }
        let mut values = VALUES.take();
        let (all, last) = (values.len(), values.last().copied());
        values.retain(|value| *value != VALUE);
        let came = all - values.len();
        // Signals of different numbers come in any order.
        values.sort_by_key(|value| value / 100);
        assert_eq!(values, self.values, "{name}, at {at:#x}");
        let merges = sent.is_some_and(|sent| !sent.is_queued && self.noted.contains(&sent));
        let may_be = if merges && reached { 0..=1 } else { reached.into()..=reached.into() };
        assert!(may_be.contains(&came), "{name}, at {at:#x}: handled {came} times");
        let must_be_last = came > 0 && sent.is_some_and(|sent| self.noted == [sent]);
        assert!(!must_be_last || last == Some(VALUE), "{name}, at {at:#x}: overtook");
    }
}
