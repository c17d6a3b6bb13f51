//! A sampling profiler whose signal handler reads a symbol table that the program keeps changing.
//!
//! One thread runs "compiled" functions; another recompiles them all the time, each to a new
//! address, and keeps the table of addresses. `SIGPROF` interrupts whatever runs, the compiler in
//! the middle of a change included, and looks up where it was. Some profilers without such a lock
//! skip the sample when the table is busy, and so never see the code that changes it. Others read
//! the table unprotected.
//!
//! Run it with `cargo run --release --example profiler`.

#[cfg(target_os = "linux")]
mod profiler {
    use siftlock::PsRwLock;
    use siftlock::context::{self, Interrupt, Irq};
    use std::cell::Cell;
    use std::error::Error;
    use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;
    use std::{hint, io, mem, ptr, thread};

    const NAMES: [&str; 3] = ["parse", "solve", "print"];

    /// Code of one of these functions: 4 KiB from here.
    #[derive(Clone, Copy)]
    struct Symbol {
        function: usize,
        start: usize,
    }

    /// Sorted by address. Read by threads and by handlers of class `Irq`, written by threads.
    static SYMBOLS: PsRwLock<Vec<Symbol>> = PsRwLock::new(Vec::new());

    /// Old code stays until so much new code has come.
    const KEPT: usize = 1_000;

    /// Where each function is called now.
    static ADDRESSES: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    thread_local! {
        /// What this thread runs: its instruction pointer, as it were. 0: the compiler.
        static RUNS: Cell<usize> = const { Cell::new(0) };
    }

    static STOP: AtomicBool = AtomicBool::new(false);

    /// Samples in each function, in the compiler, in code that is gone; and how many had to wait.
    static IN: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];
    static COMPILER: AtomicU32 = AtomicU32::new(0);
    static GONE: AtomicU32 = AtomicU32::new(0);
    static WAITED: AtomicU32 = AtomicU32::new(0);
    /// Samples of the compiler in the middle of a change: put off until the table could be read.
    static CHANGING: AtomicU32 = AtomicU32::new(0);

    /// Runs on top of any thread at any instruction. A writer on another processor may keep it
    /// waiting, but only while that writer writes. A writer on this very thread puts the signal
    /// off.
    fn sample(interrupt: &Interrupt<'_, Irq>) {
        let symbols = SYMBOLS.try_read_at(interrupt).unwrap_or_else(|| {
            WAITED.fetch_add(1, Relaxed);
            SYMBOLS.read_at(interrupt)
        });
        let at = RUNS.get();
        let next = symbols.partition_point(|symbol| symbol.start <= at);
        let counter = match next.checked_sub(1) {
            Some(place) => &IN[symbols[place].function],
            // A real program looks up `interrupt.interrupted_at()`: the place in the write section.
            None if at == 0 && interrupt.was_put_off() => &CHANGING,
            None if at == 0 => &COMPILER,
            None => &GONE,
        };
        // Signals that came while this one was put off count as well.
        counter.fetch_add(interrupt.expirations(), Relaxed);
    }

    /// Recompiles one function after another: each change of the table is a write. The new table is
    /// made, and the old one freed, outside of the write section: a handler that waits for the
    /// writer may have interrupted the allocator.
    fn compile() -> usize {
        let mut changes = 0;
        while !STOP.load(Relaxed) {
            work(50_000);
            changes += 1;
            let (function, start) = (changes % NAMES.len(), changes * 0x1000);
            SYMBOLS.update(|old| {
                let kept = &old[old.len().saturating_sub(KEPT)..];
                let mut new = Vec::with_capacity(kept.len() + 1);
                new.extend_from_slice(kept);
                new.push(Symbol { function, start });
                new
            });
            ADDRESSES[function].store(start, Relaxed);
        }
        changes
    }

    /// Calls the functions, `solve` twice as often as the others.
    fn run() -> usize {
        let mut calls = 0;
        while !STOP.load(Relaxed) {
            RUNS.set(ADDRESSES[[0, 1, 2, 1][calls % 4]].load(Relaxed));
            work(10_000);
            calls += 1;
        }
        calls
    }

    fn work(steps: u32) {
        for step in 0..steps {
            hint::black_box(step);
        }
    }

    /// Has the system send `SIGPROF` to the calling thread after each millisecond that it has run,
    /// or at its next tick.
    fn profile_this_thread() -> io::Result<()> {
        // SAFETY: zero is a valid value of these plain structures, and all pointers are to them.
        unsafe {
            let mut event: libc::sigevent = mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = libc::SIGPROF;
            event.sigev_notify_thread_id = libc::gettid();
            let mut timer = mem::zeroed();
            let mut times: libc::itimerspec = mem::zeroed();
            times.it_value.tv_nsec = 1_000_000;
            times.it_interval = times.it_value;
            let clock = libc::CLOCK_THREAD_CPUTIME_ID;
            if libc::timer_create(clock, &mut event, &mut timer) != 0
                || libc::timer_settime(timer, 0, &times, ptr::null_mut()) != 0
            {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }

    pub(crate) fn main() -> Result<(), Box<dyn Error>> {
        // SAFETY: `sample` reads a lock and counts in atomics; it neither allocates nor panics.
        unsafe { context::register(libc::SIGPROF, sample)? };
        let profiled =
            |what: fn() -> usize| thread::spawn(move || profile_this_thread().map(|()| what()));
        let (runner, compiler) = (profiled(run), profiled(compile));
        thread::sleep(Duration::from_secs(2));
        STOP.store(true, Relaxed);
        runner.join().expect("it does not panic")?;
        let changes = compiler.join().expect("it does not panic")?;
        println!("{changes} changes of the symbol table in two seconds. Samples in:");
        let of_functions = NAMES.into_iter().zip(&IN);
        let others = [("the compiler", &COMPILER), ("its changes", &CHANGING), ("gone", &GONE)];
        for (name, samples) in of_functions.chain(others) {
            println!("  {name:<14}{:>5}", samples.load(Relaxed));
        }
        println!("{} found the table being written, and waited.", WAITED.load(Relaxed));
        Ok(())
    }
}

#[cfg(target_os = "linux")]
use profiler::main;

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("Signal handlers can be registered on Linux only.");
}
