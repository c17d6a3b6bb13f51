//! How long a writer keeps interrupts out, by the number of its slow readers.

use siftlock_core_sim::platform::Class;
use siftlock_sim::Machine;

use super::cast::{Cast, Part};
use super::locks::{Placed, Psrw, Spinning};
use super::site::Section;

/// One lock with so many readers.
#[derive(Clone, Debug)]
pub(crate) struct SiftRow {
    pub(crate) lock: &'static str,
    pub(crate) readers: usize,
    pub(crate) slow: usize,
    pub(crate) writes: u64,
    /// How often the writer kept interrupts out, and for how many nanoseconds on average and at
    /// most.
    pub(crate) times: u64,
    pub(crate) mean: f64,
    pub(crate) longest: u64,
    /// The longest write, and the longest wait of a handler for the lock, in nanoseconds.
    pub(crate) longest_write: u64,
    pub(crate) longest_handler: u64,
    pub(crate) interrupts: u64,
    /// Sleeps of handlers: there must be none.
    pub(crate) handler_parks: u64,
}

/// Nanoseconds inside and between sections of a slow reader, and of the others.
const SLOW: u64 = 10_000;
const FAST: u64 = 200;
/// Nanoseconds between writes, and between interrupts of one processor.
const WRITER_PAUSE: u64 = 100_000;
const INTERRUPTS: u64 = 50_000;
/// Cycles that a writer and a handler are inside.
const HOLD: u64 = 200;

/// Both locks, with these numbers of readers, of which every `slow_of`th is slow. The writer has
/// the first processor, each reader one of its own.
pub(crate) fn sifting(
    machine: &Machine,
    readers: &[usize],
    slow_of: usize,
    nanos: u64,
    seed: Option<u64>,
) -> Result<Vec<SiftRow>, String> {
    let mut rows = Vec::new();
    for &readers in readers {
        rows.push(row::<Psrw>(machine, readers, slow_of, nanos, seed)?);
        rows.push(row::<Spinning>(machine, readers, slow_of, nanos, seed)?);
    }
    Ok(rows)
}

fn row<L: Placed>(
    machine: &Machine,
    readers: usize,
    slow_of: usize,
    nanos: u64,
    seed: Option<u64>,
) -> Result<SiftRow, String> {
    let writer = Part {
        name: "writer",
        section: Section::Write,
        is_try: false,
        hold: HOLD,
        gap: machine.cycles(WRITER_PAUSE),
        processor: 0,
    };
    let reader = |number: usize| {
        let cycles = machine.cycles(if number.is_multiple_of(slow_of) { SLOW } else { FAST });
        let processor = number + 1;
        let section = Section::Read(Class::Thread);
        Part { name: "reader", section, hold: cycles, gap: 4 * cycles, processor, ..writer }
    };
    let parts = std::iter::once(writer).chain((0..readers).map(reader)).collect();
    let cast = Cast { parts, interrupts: Some((INTERRUPTS, HOLD)), has_data: false };
    let named = |why| format!("{readers} readers, every {slow_of}. slow: {why}");
    let tallies = cast.play::<L>(machine, nanos, seed).map_err(named)?;
    let irq = tallies[0].masked[Class::Irq as usize];
    let handlers = &tallies[cast.parts.len()..];
    Ok(SiftRow {
        lock: L::NAME,
        readers,
        slow: readers.div_ceil(slow_of),
        writes: tallies[0].sections,
        times: irq.times,
        mean: machine.nanos(irq.total) as f64 / irq.times.max(1) as f64,
        longest: machine.nanos(irq.longest),
        longest_write: machine.nanos(tallies[0].lock.longest),
        longest_handler: machine
            .nanos(handlers.iter().map(|it| it.lock.longest).max().unwrap_or(0)),
        handler_parks: handlers.iter().map(|it| it.counts.parks).sum(),
        interrupts: handlers.iter().map(|it| it.sections).sum(),
    })
}

#[cfg(test)]
mod tests {
    use siftlock_sim::machine::Topology;
    use siftlock_sim::presets;

    use super::*;

    fn machine() -> Machine {
        let topology = Topology { sockets: 4, clusters: 1, cores: 16, threads: 1 };
        presets::named("ivb-ex").unwrap().with_topology(topology).without_idle_states()
    }

    /// At 48 readers the lock's line is contended, and the mean grows to five times that of one
    /// reader.
    #[test]
    fn sifting_masks_no_longer_for_slow_readers() {
        let rows = sifting(&machine(), &[1, 16, 48], 1, 50_000_000, Some(1)).unwrap();
        let [one, _, some, _, many, standard] = &rows[..] else { panic!("six rows") };
        assert!(some.mean < 2.0 * one.mean, "{one:?} {some:?}");
        assert!(standard.mean > 5.0 * many.mean, "{many:?} {standard:?}");
    }
}
