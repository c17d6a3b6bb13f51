//! The registered handlers, in which a wrapper looks up its signal.

use crate::platform::Linux;
use siftlock_core::defer::{Signal, Signals};
use siftlock_core::platform::{Class, Platform as _};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// One call of a handler.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(crate) signal: Signal,
    pub(crate) info: &'a libc::siginfo_t,
    /// The address at which the thread was when the signal came; 0 where that is not known.
    pub(crate) came_at: usize,
    /// The signal was noted, and is handled later.
    pub(crate) put_off: bool,
    /// Null where the handler is called as a function.
    pub(crate) ucontext: *mut libc::c_void,
    /// The level of the interrupted thread. It is below the handler's class, except for faults.
    pub(crate) interrupted: Class,
}

/// Calls the registered handler, of any type. `extern "C"`, so that a panic ends the process. If it
/// unwound from a call at the end of a raise, it would leave the thread raised or masked.
pub(crate) type Trampoline = extern "C" fn(*const (), &Event<'_>);

/// A registered handler, never freed: a wrapper may be about to call it at any time.
#[derive(Debug)]
pub(crate) struct Entry {
    handler: *const (),
    trampoline: Trampoline,
    /// The one that was registered next for the same signal.
    next: AtomicPtr<Entry>,
}

impl Entry {
    /// `handler` is of a type that `trampoline` knows.
    pub(crate) fn new(handler: *const (), trampoline: Trampoline) -> Self {
        Self { handler, trampoline, next: AtomicPtr::new(ptr::null_mut()) }
    }
}

/// The options of a registration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// `SA_…`; `None` if the program did not name any.
    pub(crate) flags: Option<libc::c_int>,
    /// May be called as a function.
    pub(crate) direct: bool,
    /// The earlier handler is called after it.
    pub(crate) chains: bool,
    /// All threads that can get the signal have their thread-local storage.
    pub(crate) prepared: bool,
    /// Others may be registered for the signal.
    pub(crate) beside: bool,
    /// Signals of faults are refused: the handler would return to the fault for ever.
    pub(crate) only_sent: bool,
}

const DIRECT: u8 = 1;
const CHAINS: u8 = 2;

impl Options {
    fn bits(self) -> u8 {
        (u8::from(self.direct) * DIRECT) | (u8::from(self.chains) * CHAINS)
    }

    /// The signal's flags. A stack overflow has left its handler no place but the alternate stack.
    fn flags_for(self, signal: Signal) -> libc::c_int {
        self.flags.unwrap_or(match signal.number() {
            libc::SIGSEGV | libc::SIGBUS => libc::SA_RESTART | libc::SA_ONSTACK,
            _ => libc::SA_RESTART,
        })
    }
}

/// All atomic, and never taken back: wrappers read it at any time. The earlier handler is told
/// last, after the wrapper is installed.
#[derive(Debug)]
struct Slot {
    class: AtomicU8,
    options: AtomicU8,
    flags: AtomicI32,
    first: AtomicPtr<Entry>,
    /// The handler that was installed before: a function, `SIG_DFL` or `SIG_IGN`.
    earlier: AtomicUsize,
    /// `NOT_TOLD`: `earlier` is yet to come.
    earlier_flags: AtomicI32,
}

/// No flags of an action have this value.
const NOT_TOLD: libc::c_int = -1;

static SLOTS: [Slot; Signal::MAX as usize] = [const {
    Slot {
        class: AtomicU8::new(0),
        options: AtomicU8::new(0),
        flags: AtomicI32::new(0),
        first: AtomicPtr::new(ptr::null_mut()),
        earlier: AtomicUsize::new(0),
        earlier_flags: AtomicI32::new(NOT_TOLD),
    }
}; Signal::MAX as usize];

/// The signals that are registered at SoftIrq, and those at Irq.
static AT: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

fn slot(signal: Signal) -> &'static Slot {
    &SLOTS[signal.number() as usize - 1]
}

fn at(place: usize) -> Signals {
    // Relaxed: a set that is one registration old is as good as a moment earlier.
    Signals::from_bits(AT[place].load(Ordering::Relaxed))
}

/// Registered signals of classes above `class`.
pub(super) fn above(class: Class) -> Signals {
    match class {
        Class::Thread | Class::NonPreemptible => at(0).and(at(1)),
        Class::SoftIrq => at(1),
        Class::Irq => Signals::NONE,
    }
}

/// Registered signals of `class` and below.
pub(super) fn up_to(class: Class) -> Signals {
    above(Class::Thread).without(above(class))
}

// Relaxed, in what follows, where nothing else is said: a slot is filled once, before its signal
// can have our wrapper. The system's own lock orders a change of the handlers before every delivery
// that uses it.

pub(super) fn class(signal: Signal) -> Class {
    match slot(signal).class.load(Ordering::Relaxed) {
        class if class == Class::Irq as u8 => Class::Irq,
        _ => Class::SoftIrq,
    }
}

pub(super) fn is_direct(signal: Signal) -> bool {
    slot(signal).options.load(Ordering::Relaxed) & DIRECT != 0
}

/// The flags that the program asked for, or those of its signal.
pub(super) fn flags(signal: Signal) -> libc::c_int {
    slot(signal).flags.load(Ordering::Relaxed)
}

/// Fills the slot of a signal that is not registered. One caller at a time.
pub(super) fn fill(signal: Signal, class: Class, entry: Entry, options: Options) {
    let slot = slot(signal);
    slot.class.store(class as u8, Ordering::Relaxed);
    slot.options.store(options.bits(), Ordering::Relaxed);
    slot.flags.store(options.flags_for(signal), Ordering::Relaxed);
    slot.first.store(Box::into_raw(Box::new(entry)), Ordering::Relaxed);
    AT[usize::from(class == Class::Irq)].fetch_or(Signals::of(signal).bits(), Ordering::Relaxed);
}

/// Says what the wrapper has replaced, once it is installed.
pub(super) fn tell_earlier(signal: Signal, before: &libc::sigaction) {
    let slot = slot(signal);
    slot.earlier.store(before.sa_sigaction, Ordering::Relaxed);
    // Release: pairs with the acquire in `earlier`.
    slot.earlier_flags.store(before.sa_flags & libc::SA_SIGINFO, Ordering::Release);
}

/// Adds a handler to a slot that is filled, if it is to be called like the others. One caller at a
/// time.
pub(super) fn join(signal: Signal, class: Class, entry: Entry, options: Options) -> bool {
    let slot = slot(signal);
    let alike = self::class(signal) == class
        && slot.options.load(Ordering::Relaxed) == options.bits()
        && flags(signal) == options.flags_for(signal);
    if alike {
        let mut last = &slot.first;
        // SAFETY: registered entries are never freed. Relaxed: the lock of registrations orders us.
        while let Some(entry) = unsafe { last.load(Ordering::Relaxed).as_ref() } {
            last = &entry.next;
        }
        // Release: pairs with the acquire in `call`.
        last.store(Box::into_raw(Box::new(entry)), Ordering::Release);
    }
    alike
}

/// Takes back a slot that never came into use, since the system refused.
pub(super) fn empty(signal: Signal) {
    for set in &AT {
        set.fetch_and(!Signals::of(signal).bits(), Ordering::Relaxed);
    }
}

/// Calls the handlers of `event.signal`, and the earlier one if that was asked for.
pub(super) fn call(event: &Event<'_>) {
    let slot = slot(event.signal);
    let mut next = &slot.first;
    // SAFETY: registered entries are never freed. Acquire: pairs with the release in `join`.
    while let Some(entry) = unsafe { next.load(Ordering::Acquire).as_ref() } {
        (entry.trampoline)(entry.handler, event);
        next = &entry.next;
    }
    if slot.options.load(Ordering::Relaxed) & CHAINS != 0 {
        let _ = earlier(event);
    }
}

/// The signal's action before it was registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// It had a handler, which was called.
    Called,
    /// It was ignored.
    Ignored,
    /// The system's default, which was not carried out.
    Default,
    /// It had a handler that takes a context (`SA_SIGINFO`), and this call has none: it was not
    /// called.
    NeedsContext,
}

/// Calls the handler that was installed before ours, if there was one.
pub(crate) fn earlier(event: &Event<'_>) -> Earlier {
    let slot = slot(event.signal);
    // Not told yet: another thread is between the two steps of its registration. No handler
    // interrupts that thread there.
    // Acquire: pairs with the release in `tell_earlier`.
    let flags = loop {
        match slot.earlier_flags.load(Ordering::Acquire) {
            NOT_TOLD => Linux::nap(),
            flags => break flags,
        }
    };
    let function = slot.earlier.load(Ordering::Relaxed);
    let with_info = flags & libc::SA_SIGINFO != 0;
    match function {
        libc::SIG_DFL => return Earlier::Default,
        libc::SIG_IGN => return Earlier::Ignored,
        _ if with_info && event.ucontext.is_null() => return Earlier::NeedsContext,
        _ => {}
    }
    let number = event.signal.number();
    // SAFETY: the program installed this function, with these flags, as the signal's handler. It
    // gets a handler's arguments.
    unsafe {
        if with_info {
            type Full = extern "C" fn(libc::c_int, *const libc::siginfo_t, *mut libc::c_void);
            std::mem::transmute::<usize, Full>(function)(number, event.info, event.ucontext);
        } else {
            std::mem::transmute::<usize, extern "C" fn(libc::c_int)>(function)(number);
        }
    }
    Earlier::Called
}
