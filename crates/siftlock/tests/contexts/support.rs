//! Processes, signals, and the log of those that arrived.

use siftlock::context::{Handler, HandlerClass, Interrupt, Irq, RegisterError, Registration};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Read as _};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, mem, thread};

/// Defines tests that each run in a process of their own.
macro_rules! alone {
    ($($(#[$meta:meta])* fn $name:ident() $body:block)*) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            let name = concat!(module_path!(), "::", stringify!($name));
            $crate::support::in_own_process(name, $crate::support::TIMEOUT, || $body);
        }
    )*};
}
pub(crate) use alone;

/// A handler of these tests.
pub(crate) fn handler<C: HandlerClass>(handler: fn(&Interrupt<'_, C>)) -> Handler<C> {
    // SAFETY: they do only async-signal-safe things; some end the process on purpose.
    unsafe { Handler::new(handler) }
}

pub(crate) fn register<C: HandlerClass>(
    signal: i32,
    handles: fn(&Interrupt<'_, C>),
) -> Result<Registration, RegisterError> {
    handler(handles).register(signal)
}

/// Long enough for every test here on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Runs `body` in a new process, which runs this test once more. It hangs if it takes longer than
/// `timeout`.
pub(crate) fn in_own_process(name: &str, timeout: Duration, body: impl FnOnce()) {
    const MARK: &str = "SIFTLOCK_TEST_ALONE";
    if env::var_os(MARK).is_some() {
        return body();
    }
    let name = name.split_once("::").map_or(name, |(_crate, path)| path);
    let mut child = Command::new(env::current_exe().expect("the tests' own program"))
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(MARK, "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a process for the test");
    let end = Instant::now() + timeout;
    let status = loop {
        match child.try_wait().expect("our own child") {
            Some(status) => break status,
            None if Instant::now() < end => thread::sleep(Duration::from_millis(2)),
            None => {
                child.kill().expect("our own child");
                panic!("{name} hangs");
            }
        }
    };
    let mut said = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut said).expect("text");
    assert!(status.success() && said.contains("1 passed"), "{name}: {status}\n{said}");
}

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the allocator is `System`, with a counter.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Calls `f`, which must not allocate on this thread, handlers included.
pub(crate) fn without_allocating(f: impl FnOnce()) {
    let before = ALLOCATIONS.get();
    f();
    assert_eq!(ALLOCATIONS.get(), before, "something was allocated, or freed");
}

/// The values that arrived, in order. It is for handlers, so it has no lock.
pub(crate) struct Log {
    len: AtomicUsize,
    entries: [AtomicI32; 256],
}

impl Log {
    pub(crate) const fn new() -> Self {
        Self { len: AtomicUsize::new(0), entries: [const { AtomicI32::new(0) }; 256] }
    }

    pub(crate) fn push(&self, entry: i32) {
        let place = self.len.fetch_add(1, Ordering::SeqCst);
        self.entries[place].store(entry, Ordering::SeqCst);
    }

    /// Returns all values, and forgets them.
    pub(crate) fn take(&self) -> Vec<i32> {
        let len = self.len.swap(0, Ordering::SeqCst);
        self.entries[..len].iter().map(|entry| entry.load(Ordering::SeqCst)).collect()
    }
}

/// The log of [`note_value`].
pub(crate) static VALUES: Log = Log::new();

/// A handler that logs the value which came with the signal.
pub(crate) fn note_value(interrupt: &Interrupt<'_, Irq>) {
    VALUES.push(value_of(interrupt.info()));
}

/// The value that came with a signal sent by [`queue`].
pub(crate) fn value_of(info: &libc::siginfo_t) -> i32 {
    // SAFETY: reads a number; another signal has other bytes there.
    unsafe { info.si_value().sival_ptr as usize as i32 }
}

/// Sends `signal` with `value` to the calling thread.
pub(crate) fn queue(signal: i32, value: i32) -> io::Result<()> {
    queue_to(thread_id(), signal, value)
}

/// Sends `signal` with `value` to a thread of this process.
pub(crate) fn queue_to(thread: i32, signal: i32, value: i32) -> io::Result<()> {
    #[repr(C)]
    struct Info {
        signo: i32,
        errno: i32,
        code: i32,
        sender: (i32, u32, usize),
        rest: [u64; 16],
    }
    // SAFETY: `sigqueue` may send the same to a thread of this process; the structure begins as a
    // `siginfo_t` and is larger.
    let sent = unsafe {
        let sender = (libc::getpid(), libc::getuid(), value as usize);
        let info = Info { signo: signal, errno: 0, code: libc::SI_QUEUE, sender, rest: [0; 16] };
        libc::syscall(libc::SYS_rt_tgsigqueueinfo, libc::getpid(), thread, signal, &raw const info)
    };
    if sent == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

pub(crate) fn thread_id() -> i32 {
    // SAFETY: touches no memory.
    unsafe { libc::gettid() }
}

/// Whether the calling thread has `signal` blocked.
pub(crate) fn is_blocked(signal: i32) -> bool {
    let mask = change_mask(libc::SIG_BLOCK, &[]);
    // SAFETY: a set.
    unsafe { libc::sigismember(&mask, signal) == 1 }
}

/// Changes the calling thread's mask, and returns the one before.
pub(crate) fn change_mask(how: i32, signals: &[i32]) -> libc::sigset_t {
    // SAFETY: sets on this stack.
    unsafe {
        let (mut set, mut old) = (mem::zeroed(), mem::zeroed());
        libc::sigemptyset(&mut set);
        for signal in signals {
            libc::sigaddset(&mut set, *signal);
        }
        assert_eq!(libc::pthread_sigmask(how, &set, &mut old), 0);
        old
    }
}

/// A real-time signal that the C library leaves free.
pub(crate) fn real_time(n: i32) -> i32 {
    libc::SIGRTMIN() + n
}

/// Sends `signal` to the calling thread, without a value.
pub(crate) fn send(signal: i32) {
    // SAFETY: a signal for this thread.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread_id(), signal) };
}

/// Sends `signal` to the process.
pub(crate) fn send_to_process(signal: i32) {
    // SAFETY: a signal for this process.
    unsafe { libc::kill(libc::getpid(), signal) };
}

/// Sends `signal` to the calling thread as the system does for a fault.
pub(crate) fn pretend_fault(signal: i32) {
    pretend(signal, 1, [0; 4]);
}

/// Sends `signal` to the calling thread, with this code and these fields behind it. The system
/// fills no more.
pub(crate) fn pretend(signal: i32, code: i32, fields: [u64; 4]) {
    /// Where the fields begin: behind three numbers, aligned as an address.
    const FIELDS: usize = 12_usize.next_multiple_of(align_of::<*const ()>());
    // SAFETY: a thread may send itself whatever it likes; the fields are inside a `siginfo_t`.
    unsafe {
        let mut info: libc::siginfo_t = mem::zeroed();
        (info.si_signo, info.si_code) = (signal, code);
        (&raw mut info).byte_add(FIELDS).cast::<[u64; 4]>().write_unaligned(fields);
        let (pid, call) = (libc::getpid(), libc::SYS_rt_tgsigqueueinfo);
        assert_eq!(libc::syscall(call, pid, thread_id(), signal, &raw const info), 0);
    }
}

/// Makes this the calling thread's mask.
pub(crate) fn set_mask(mask: &libc::sigset_t) {
    // SAFETY: a set.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, mask, std::ptr::null_mut()) };
}

/// The calling thread's `errno`, after setting it to `new`.
pub(crate) fn errno(new: Option<i32>) -> i32 {
    // SAFETY: the address of the thread's own `errno`.
    unsafe {
        let errno = libc::__errno_location();
        if let Some(new) = new {
            *errno = new;
        }
        *errno
    }
}

/// Runs `f` in a forked child, and returns its wait status: 0 if `f` returned, another if it
/// panicked.
pub(crate) fn in_child(f: impl FnOnce()) -> i32 {
    // SAFETY: the child calls `f`, and leaves without clean-up.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "{}", io::Error::last_os_error());
    if child == 0 {
        // A child that hangs ends too: the timeout kills the test that waits for it, but not the
        // child.
        // SAFETY: touches no memory.
        unsafe { libc::alarm(TIMEOUT.as_secs() as u32) };
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err();
        // SAFETY: ends the process.
        unsafe { libc::_exit(i32::from(panicked)) };
    }
    let mut status = 0;
    // SAFETY: our own child.
    while unsafe { libc::waitpid(child, &mut status, 0) } != child {}
    status
}

/// Whether `f` ends the process, as a panic in a handler does.
pub(crate) fn aborts(f: impl FnOnce()) -> bool {
    let status = in_child(|| {
        std::panic::set_hook(Box::new(|_| {}));
        f();
    });
    status & 0x7f == libc::SIGABRT
}
