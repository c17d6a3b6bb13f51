use siftlock::PsRwLock;
use siftlock::context::{self, Interrupt, Irq};

type Symbols = Vec<(usize, &'static str)>;

static SYMBOLS: PsRwLock<Symbols> = PsRwLock::new(Vec::new());

/// Handles SIGPROF: comes between any two instructions of any thread.
fn sample(interrupt: &Interrupt<'_, Irq>) {
    let symbols = SYMBOLS.read_at(interrupt);
    let _last = symbols.last(); // Look up what was interrupted.
}

/// Adds a symbol: the new table is made, and the old one freed, outside of the write section.
fn add(address: usize, name: &'static str) {
    let _old = SYMBOLS.update(|symbols| {
        let mut new = Vec::with_capacity(symbols.len() + 1);
        new.extend_from_slice(symbols);
        new.push((address, name));
        new
    });
}

fn main() -> Result<(), context::RegisterError> {
    // SAFETY: `sample` does nothing but read, which is async-signal-safe.
    unsafe { context::register(libc::SIGPROF, sample)? };
    add(0x1000, "main");
    Ok(())
}
