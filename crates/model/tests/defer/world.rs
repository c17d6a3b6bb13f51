//! The state of one execution: the system's side of the thread's signals, and the signals handled.

use siftlock_core::defer::{Arrival, Notes, PendingSignals, Signal, Signals};
use siftlock_core::platform::{Class, Raised};
use std::cell::{Cell, RefCell};

/// A signal of the row, by its place there.
pub(crate) type Value = usize;

/// What a handler does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Nothing.
    Returns,
    /// Raises the thread to its own class and lowers it, as a reader does.
    Reads,
    /// The first time, leaves the story in place of returning.
    Leaves,
    /// Nothing; and may be called as a function.
    Direct,
    /// A handler of class SoftIrq blocks the signals of class Irq for a while, as the program may,
    /// and takes them itself.
    Takes,
}

/// A signal of a row, by its letter. `l` and `h` are real-time signals of the classes SoftIrq and
/// Irq, `L` and `H` standard signals of these. `T` is the signal of `H`, sent by a timer. `f` is an
/// Irq signal that an instruction may raise; for `F` an instruction raises it.
pub(crate) fn signal(letter: char) -> Signal {
    let number = match letter {
        'L' => 10,
        'f' | 'F' => 11,
        'H' | 'T' => 12,
        'l' => 40,
        'h' => 42,
        _ => panic!("no signal is called {letter}"),
    };
    Signal::new(number).expect("a number")
}

const LETTERS: &str = "LfHlh";

pub(crate) fn class(of: Signal) -> Class {
    if "Ll".chars().any(|letter| signal(letter) == of) { Class::SoftIrq } else { Class::Irq }
}

/// All signals of classes that `wanted` names.
pub(crate) fn all(wanted: impl Fn(Class) -> bool) -> Signals {
    let set = LETTERS.chars().map(signal).filter(|signal| wanted(class(*signal)));
    set.fold(Signals::NONE, |set, signal| set.and(Signals::of(signal)))
}

/// The information that comes with a signal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) value: Value,
    /// How many more times its timer has run out.
    pub(crate) more: usize,
}

impl Info {
    pub(crate) fn of(value: Value) -> Self {
        Self { value, more: 0 }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sent {
    Kick,
    Info(Info),
}

impl Sent {
    pub(crate) fn arrival(self) -> Arrival<Info> {
        match self {
            Self::Kick => Arrival::Kick,
            Self::Info(info) => Arrival::Sent(info),
        }
    }
}

/// A signal of the row.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) signal: Signal,
    /// An instruction raises it.
    pub(crate) fault: bool,
    /// A timer sends it.
    pub(crate) timer: bool,
    /// The step before which it is sent.
    pub(crate) at: usize,
    /// It must be handled itself: no signal of its kind was on its way.
    pub(crate) wanted: Cell<bool>,
    pub(crate) sent: Cell<bool>,
    pub(crate) handled: Cell<bool>,
}

pub(crate) struct World {
    pub(crate) pending: PendingSignals,
    pub(crate) notes: Notes<Info>,
    pub(crate) act: Act,
    /// How many of the real-time signals that the thread sends itself the system still takes. The
    /// highest number stands for all.
    pub(crate) room: Cell<usize>,
    /// Another handler is installed over the wrapper, and calls it.
    pub(crate) covered: Cell<bool>,
    /// How often the timer has run out, as its handlers know.
    pub(crate) expired: Cell<usize>,
    pub(crate) row: Vec<Sending>,
    pub(crate) queue: RefCell<Vec<(Signal, Sent)>>,
    pub(crate) mask: Cell<Signals>,
    pub(crate) steps: Cell<usize>,
    pub(crate) handlers: Cell<usize>,
    /// The wrappers that run, and whether they have called their handlers.
    pub(crate) frames: RefCell<Vec<(Signal, bool)>>,
    /// The signals in the hands of wrappers that were left before they called their handlers. Each
    /// wrapper loses one signal at most, like any handler that is interrupted before its first step
    /// and not returned to.
    pub(crate) lost: RefCell<Vec<Value>>,
    pub(crate) left: Cell<bool>,
    /// The thread has blocked all signals, for a few instructions.
    pub(crate) held: Cell<bool>,
    /// All is over: nothing interrupts.
    pub(crate) quiet: Cell<bool>,
}

std::thread_local! {
    static WORLD: Cell<*const World> = const { Cell::new(std::ptr::null()) };
}

impl World {
    pub(crate) fn begin(act: Act, row: Vec<Sending>) -> &'static Self {
        WORLD.set(Box::into_raw(Box::new(Self {
            pending: PendingSignals::new(),
            notes: Notes::new(),
            act,
            room: Cell::new(usize::MAX),
            covered: Cell::new(false),
            expired: Cell::new(0),
            row,
            queue: RefCell::new(Vec::new()),
            mask: Cell::new(Signals::NONE),
            steps: Cell::new(0),
            handlers: Cell::new(0),
            frames: RefCell::new(Vec::new()),
            lost: RefCell::new(Vec::new()),
            left: Cell::new(false),
            held: Cell::new(false),
            quiet: Cell::new(false),
        })));
        Self::now()
    }

    /// The world of the execution that is under way.
    pub(crate) fn now() -> &'static Self {
        // SAFETY: made by `begin`; `end` is called when all is over. A world whose execution failed
        // is leaked.
        unsafe { WORLD.get().as_ref() }.expect("a model is running")
    }

    pub(crate) fn end(&'static self) {
        let world = WORLD.replace(std::ptr::null()).cast_mut();
        // SAFETY: made by `begin`, and nobody else is there.
        drop(unsafe { Box::from_raw(world) });
    }

    /// Sends a signal of the row.
    pub(crate) fn send(&self, value: Value) {
        let sending = &self.row[value];
        let alike =
            |other: &Value| self.row[*other].signal == sending.signal && !self.row[*other].fault;
        let on_its_way = |other: Value| self.is_owed(other) && !self.lost.borrow().contains(&other);
        let merges =
            !sending.signal.is_real_time() && (0..self.row.len()).filter(alike).any(on_its_way);
        sending.sent.set(true);
        sending.wanted.set(!merges);
        self.enqueue(sending.signal, Sent::Info(Info::of(value)));
    }

    /// Queues a signal as the system does. A standard signal merges with one that has not been
    /// delivered. A timer has a place of its own in the queue.
    pub(crate) fn enqueue(&self, signal: Signal, sent: Sent) {
        let mut queue = self.queue.borrow_mut();
        let timer = |sent: &Sent| matches!(sent, Sent::Info(info) if self.row[info.value].timer);
        let own = queue.iter_mut().find(|(_, other)| timer(&sent) && timer(other));
        if let Some((_, Sent::Info(info))) = own {
            info.more += 1;
        } else if signal.is_real_time()
            || timer(&sent)
            || !queue.iter().any(|(other, _)| *other == signal)
        {
            queue.push((signal, sent));
        }
    }

    /// Takes the oldest of these signals out of the queue, though they are blocked.
    pub(crate) fn take(&self, signal: Signal) -> Option<Sent> {
        let mut queue = self.queue.borrow_mut();
        let place = queue.iter().position(|(other, _)| *other == signal)?;
        Some(queue.remove(place).1)
    }

    /// The program takes all of these signals, which are blocked.
    pub(crate) fn takes(&self, signal: Signal) {
        while let Some(sent) = self.take(signal) {
            let Sent::Info(info) = sent else { panic!("the program takes a kick") };
            assert!(!self.row[info.value].handled.replace(true), "D3: handled twice");
            self.expired.set(self.expired.get() + 1 + info.more);
        }
    }

    /// The next signal to deliver: the lowest number, and of these the oldest.
    pub(crate) fn dequeue(&self) -> Option<(Signal, Sent)> {
        let mut queue = self.queue.borrow_mut();
        let open = |(signal, _): &&(Signal, Sent)| !self.mask.get().has(*signal);
        let next = queue.iter().filter(open).map(|(signal, _)| *signal).min()?;
        let place = queue.iter().position(|(signal, _)| *signal == next)?;
        Some(queue.remove(place))
    }

    /// A handler begins.
    pub(crate) fn handle(&self, signal: Signal, Info { value, more }: Info) {
        self.expired.set(self.expired.get() + 1 + more);
        let raised = self.quietly(|| self.pending.level());
        let fault = self.row[value].fault;
        let below = raised < class(signal) || fault || self.act == Act::Direct;
        assert!(below, "D4: a handler begins on a thread that is raised to its class");
        if let Some(frame) = self.frames.borrow_mut().last_mut().filter(|it| it.0 == signal) {
            frame.1 = true;
        }
        let sending = &self.row[value];
        assert_eq!(sending.signal, signal, "D3: handled as another signal");
        assert!(sending.sent.get() && !sending.handled.get(), "D3: handled twice");
        let later = self.row[value + 1..].iter();
        let mut alike = later.filter(|other| other.signal == signal && !other.fault && !fault);
        assert!(!alike.any(|other| other.handled.get()), "D3: a later one came before");
        sending.handled.set(true);
    }

    /// Runs `f` uninterrupted, and counts no step.
    pub(crate) fn quietly<T>(&self, f: impl FnOnce() -> T) -> T {
        let before = self.quiet.replace(true);
        let result = f();
        self.quiet.set(before);
        result
    }

    /// A handler does not return to the code that it interrupted.
    pub(crate) fn leave(&self) {
        let mut left = self.frames.take();
        left.retain(|(_, begun)| !begun);
        let nowhere = |value: &Value| {
            let sending = &self.row[*value];
            let lost = self.lost.borrow().contains(value);
            self.is_owed(*value) && sending.wanted.get() && !lost && !self.is_kept(*value)
        };
        let nowhere: Vec<_> = (0..self.row.len()).filter(nowhere).collect();
        for value in nowhere {
            let signal = self.row[value].signal;
            let frame = left.iter().position(|frame| frame.0 == signal);
            let frame =
                frame.expect("D3: forgotten, and not in the hands of a wrapper that was left");
            left.swap_remove(frame);
            self.lost.borrow_mut().push(value);
        }
        self.mask.set(Signals::NONE);
    }

    /// Sent and not handled.
    fn is_owed(&self, value: Value) -> bool {
        self.row[value].sent.get() && !self.row[value].handled.get()
    }

    /// In the system's queue, or noted.
    fn is_kept(&self, value: Value) -> bool {
        let queued = |sent: &Sent| matches!(sent, Sent::Info(other) if other.value == value);
        let noted = || self.notes.has(self.row[value].signal, |other| other.value == value);
        self.queue.borrow().iter().any(|(_, sent)| queued(sent)) || self.quietly(noted)
    }

    /// Every signal that was sent, and is open at the thread's level, has been handled.
    pub(crate) fn check_settled(&self) {
        let level = self.quietly(|| self.pending.level());
        let open = all(|class| class > level).without(self.mask.get());
        for signal in open.each() {
            let forgotten = (0..self.row.len()).any(|value| {
                let (sending, lost) = (&self.row[value], self.lost.borrow().contains(&value));
                let wanted = sending.signal == signal && sending.wanted.get() && !lost;
                wanted && self.is_owed(value)
            });
            assert!(!forgotten, "D1: signal {} is forgotten", signal.number());
        }
    }
}

/// A raise of the story or of a handler.
pub(crate) fn raise(to: Class) -> Raised {
    World::now().pending.raise(to, Raised::NOTHING)
}
