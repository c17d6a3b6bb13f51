//! The handlers' acts, and how they report a failure.

use crate::script::{Base, other_writes};
use crate::support::{VALUES, queue, value_of};
use crate::trap;
use siftlock::context::{HandlerClass, Interrupt};
use siftlock_core::platform::{Class, Platform};
use siftlock_core::psrw::{Context, Irq, PsRwLock, Readers, Reads, SoftIrq, policy::Standard};
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The name of the path that is walked: a `&'static str`.
static PATH: (AtomicPtr<u8>, AtomicUsize) =
    (AtomicPtr::new(std::ptr::null_mut()), AtomicUsize::new(0));

/// How often the test itself stands in a region raised to each class.
static INSIDE: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

pub(crate) fn set_path(name: &'static str) {
    PATH.0.store(name.as_ptr().cast_mut(), Ordering::SeqCst);
    PATH.1.store(name.len(), Ordering::SeqCst);
}

/// Ends the process, from wherever.
pub(crate) fn fail(what: &str, number: u64) -> ! {
    struct Line([u8; 300], usize);
    impl fmt::Write for Line {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = self.0.len() - self.1;
            let text = &text.as_bytes()[..text.len().min(room)];
            self.0[self.1..][..text.len()].copy_from_slice(text);
            self.1 += text.len();
            Ok(())
        }
    }
    trap::step_aside();
    // SAFETY: what `set_path` stored.
    let path = unsafe {
        let name = PATH.0.load(Ordering::SeqCst);
        let name = std::slice::from_raw_parts(name, PATH.1.load(Ordering::SeqCst));
        std::str::from_utf8_unchecked(name)
    };
    let mut line = Line([0; 300], 0);
    let _ = writeln!(line, "{path}, at {:#x}: {what} ({number:#x})", trap::place());
    // SAFETY: writes from this stack, and ends.
    unsafe {
        libc::write(libc::STDERR_FILENO, line.0.as_ptr().cast(), line.1);
        libc::abort()
    }
}

/// Marks the region in which the test itself has the thread raised.
pub(crate) fn inside(class: Class, region: impl FnOnce()) {
    INSIDE[class as usize].fetch_add(1, Ordering::SeqCst);
    region();
    INSIDE[class as usize].fetch_sub(1, Ordering::SeqCst);
}

/// The lock's words.
pub(crate) fn words<B: Base>() -> [usize; 4] {
    fn of<T>(lock: &T) -> [usize; 2] {
        assert_eq!(size_of::<T>(), 16);
        let words = std::ptr::from_ref(lock).cast::<[AtomicUsize; 2]>();
        // SAFETY: the lock is two words, both atomics.
        unsafe { &*words }.each_ref().map(|word| word.load(Ordering::SeqCst))
    }
    let ([a, b], [c, d]) = (of(B::lock()), of(B::high()));
    [a, b, c, d]
}

/// The handler of a signal with this value sends the next signal to itself.
pub(crate) const SENDS_ONE_MORE: i32 = 900;

/// How many signals were handled.
static HANDLED: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn handled() -> usize {
    HANDLED.load(Ordering::SeqCst)
}

/// The classes of handlers.
type Handlers = (SoftIrq, Irq);

/// Logs the value that came with the signal, and reads the locks.
pub(crate) fn read<B: Base, C>(interrupt: &Interrupt<'_, C>)
where
    C: HandlerClass + Reads<Handlers>,
{
    trap::step_aside();
    let class = C::CLASS;
    if interrupt.is_fault_when_raised() {
        fail("handled on a raised thread", class as u64);
    }
    if INSIDE[class as usize..].iter().any(|inside| inside.load(Ordering::SeqCst) != 0) {
        fail("handled inside", class as u64);
    }
    HANDLED.fetch_add(1, Ordering::SeqCst);
    let value = value_of(interrupt.info());
    VALUES.push(value);
    if value == SENDS_ONE_MORE {
        queue(interrupt.signal(), value + 1).expect("room for a signal");
    }
    // And no other handler begins in this one.
    inside(class, || {
        let [low, high] = other_writes();
        look(B::lock(), C::default(), low);
        look(B::high(), C::default(), high);
    });
    trap::go_on();
}

/// Reads in try form and, if nobody else writes, in waiting form.
fn look<R, W, P, C>(lock: &PsRwLock<R, W, Standard, P>, at: C, other_writes: bool)
where
    P: Platform,
    W: Context,
    R: Readers,
    C: Reads<R>,
{
    let tried = lock.try_read(at);
    match (tried.is_some(), other_writes) {
        (true, false) | (false, true) => {}
        (false, false) => fail("the handler is shut out by its own thread", C::CLASS as u64),
        (true, true) => fail("the handler reads beside a writer", C::CLASS as u64),
    }
    if let Some(raised) = tried {
        // SAFETY: taken above; again below.
        unsafe {
            lock.read_unlock(at, raised);
            let raised = lock.read(at);
            lock.read_unlock(at, raised);
        }
    }
}
