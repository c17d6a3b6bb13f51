use siftlock::PsRwLock;
use siftlock::context::{self, Interrupt, Irq};

static SYMBOLS: PsRwLock<Vec<(usize, &str)>> = PsRwLock::new(Vec::new());

/// Handles SIGPROF, which comes between any two instructions of any thread.
fn sample(interrupt: &Interrupt<'_, Irq>) {
    let symbols = SYMBOLS.read_at(interrupt);
    let _last = symbols.last(); // Look up what was interrupted.
}

/// `update` makes the new table before the write section; the old one is freed after it.
fn add(address: usize, name: &'static str) {
    let _old = SYMBOLS.update(|old| [&old[..], &[(address, name)]].concat());
}

fn main() -> Result<(), context::RegisterError> {
    // SAFETY: `sample` only reads, which is async-signal-safe.
    unsafe { context::register(libc::SIGPROF, sample)? };
    add(0x1000, "main");
    Ok(())
}
