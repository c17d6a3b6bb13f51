//! A crash handler that names the module in which a program has crashed, from a list that the
//! program keeps up to date.
//!
//! The crash may lie anywhere, also in the middle of a change of that very list. So the handler
//! uses `try_read_at`: it gets the list, or learns at once that it cannot be had. An ordinary lock
//! would leave the crashed program hanging, and no lock at all would read half a list.
//!
//! Run it with `cargo run --example crash_report`: it starts itself again to crash, once in its own
//! code, once in the middle of a change, and once by a stack overflow.

#[cfg(target_os = "linux")]
mod crash_report {
    use siftlock::PsRwLock;
    use siftlock::context::{self, Earlier, Interrupt, Irq};
    use std::error::Error;
    use std::fmt::{self, Write as _};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, exit};
    use std::{env, fs, hint, ptr};

    /// What is loaded where.
    struct Module {
        start: usize,
        end: usize,
        path: String,
    }

    static MODULES: PsRwLock<Vec<Module>> = PsRwLock::new(Vec::new());

    /// What the system has mapped to be executed: lines like `55d0-55e0 r-xp 0 08:01 42
    /// /usr/bin/x`.
    fn loaded() -> Result<Vec<Module>, Box<dyn Error>> {
        let maps = fs::read_to_string("/proc/self/maps")?;
        let modules = maps.lines().filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let (start, end) = words.next()?.split_once('-')?;
            words.next().filter(|access| access.contains('x'))?;
            let path = words.nth(3).unwrap_or("(no file)").to_owned();
            let address = |text| usize::from_str_radix(text, 16).ok();
            Some(Module { start: address(start)?, end: address(end)?, path })
        });
        Ok(modules.collect())
    }

    /// Text that goes out as it comes: no buffer, no lock, no allocation.
    struct Report;

    impl fmt::Write for Report {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            // SAFETY: writes out what `text` is.
            let sent =
                unsafe { libc::write(libc::STDOUT_FILENO, text.as_ptr().cast(), text.len()) };
            if sent < 0 { Err(fmt::Error) } else { Ok(()) }
        }
    }

    /// Says where the program has crashed. Then the crash goes on as without this handler: `std`'s
    /// own handler reports a stack overflow, or lets the system end the program.
    ///
    /// After a stack overflow it runs on the alternate stack that `std` gives each thread. That is
    /// small: no large arrays here.
    fn on_crash(crash: &Interrupt<'_, Irq>) {
        let at = instruction(crash);
        // Nobody is left to tell if a report cannot be written.
        let _ = match MODULES.try_read_at(crash) {
            Some(modules) => {
                let place = modules.iter().find(|module| (module.start..module.end).contains(&at));
                let path = place.map_or("unknown code", |module| module.path.as_str());
                let count = modules.len();
                writeln!(Report, "  crash at {at:#x}, in {path} (one of {count} modules)")
            }
            None => writeln!(Report, "  crash at {at:#x}, while the list of modules was changed"),
        };
        // A program without `std`'s handler would come back to the same fault for ever.
        if crash.call_earlier() != Earlier::Called {
            // SAFETY: ends the process without any of its destructors.
            unsafe { libc::_exit(3) };
        }
    }

    /// Where the thread stood when it crashed; 0 on machines that this example does not know.
    fn instruction(crash: &Interrupt<'_, Irq>) -> usize {
        let context = crash.ucontext().cast::<libc::ucontext_t>();
        // SAFETY: the handler of a fault has a context, which is the system's.
        let machine = unsafe { &(*context).uc_mcontext };
        match () {
            #[cfg(target_arch = "x86_64")]
            () => machine.gregs[libc::REG_RIP as usize] as usize,
            #[cfg(target_arch = "aarch64")]
            () => machine.pc as usize,
            #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
            () => (0, machine).0,
        }
    }

    fn crash() {
        // SAFETY: none. That is the point.
        unsafe { hint::black_box(ptr::null_mut::<u8>()).write_volatile(1) };
    }

    #[expect(unconditional_recursion, reason = "that is the point")]
    fn overflow(depth: u64) -> u64 {
        let used = hint::black_box([depth; 512]);
        overflow(depth + 1) + hint::black_box(used)[0]
    }

    /// The program: keeps its list up to date, and crashes.
    fn run(what: &str) -> Result<(), Box<dyn Error>> {
        // SAFETY: `on_crash` tries a lock, writes to a file descriptor, and calls what the system
        // would have called.
        unsafe { context::register(libc::SIGSEGV, on_crash)? };
        MODULES.replace(loaded()?);
        match what {
            "in a change" => {
                let mut modules = MODULES.write();
                modules[0].start = 0;
                crash();
            }
            "by a stack overflow" => {
                overflow(0);
            }
            _ => crash(),
        }
        Ok(())
    }

    pub(crate) fn main() -> Result<(), Box<dyn Error>> {
        if let Some(what) = env::args().nth(1) {
            return run(&what);
        }
        for what in ["in its own code", "in a change", "by a stack overflow"] {
            println!("A program that crashes {what}:");
            let output = Command::new(env::current_exe()?).arg(what).output()?;
            print!("{}", String::from_utf8_lossy(&output.stdout));
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            if output.stdout.is_empty() || output.status.signal().is_none() {
                eprintln!("no report, or no crash: {}", output.status);
                exit(1);
            }
        }
        Ok(())
    }
}

#[cfg(target_os = "linux")]
use crash_report::main;

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("Signal handlers can be registered on Linux only.");
}
