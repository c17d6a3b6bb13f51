use siftlock::PsRwLock;
use siftlock::context::{self, Interrupt, Irq};

static SYMBOLS: PsRwLock<Vec<(usize, &str)>> = PsRwLock::new(Vec::new());

fn sample(interrupt: &Interrupt<'_, Irq>) {
    let _symbols = SYMBOLS.read_at(interrupt); // in the handler of SIGPROF
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // SAFETY: `sample` does nothing but read, which is async-signal-safe.
    unsafe { context::register(libc::SIGPROF, sample)? };
    SYMBOLS.write().push((0x1000, "main"));
    Ok(())
}
