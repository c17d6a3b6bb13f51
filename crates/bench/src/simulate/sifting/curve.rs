//! How long a writer keeps interrupts out, by the number of its slow readers.

use siftlock_core_sim::platform::Class;
use siftlock_sim::Machine;

use super::super::delay::Delay;
use super::super::peers::StandardRwLock;
use super::cast::{Cast, Part};
use super::locks::{Placed, Psrw};
use super::site::Section;

/// One lock with this many readers.
#[derive(Clone, Debug)]
pub(crate) struct SiftRow {
    pub(crate) lock: &'static str,
    pub(crate) readers: usize,
    pub(crate) slow: usize,
    /// The writer's waits for the lock, and the times for which it kept interrupts out, in cycles.
    pub(crate) writer: Delay,
    pub(crate) masked: Delay,
    /// The handlers' waits for the lock, in cycles.
    pub(crate) handlers: Delay,
    /// Sleeps of handlers: there must be none.
    pub(crate) handler_parks: u64,
}

/// Nanoseconds inside a section of a slow reader, and of the others. Between two sections a reader
/// pauses for four times as long on average.
const SLOW: u64 = 10_000;
const FAST: u64 = 200;
/// Nanoseconds between writes, and between interrupts of one processor.
const WRITER_PAUSE: u64 = 100_000;
const INTERRUPTS: u64 = 50_000;
/// Cycles that a writer and a handler are inside.
const HOLD: u64 = 200;

/// Both locks with each of these pairs: the number of slow readers, and of all. The writer has the
/// first processor, each reader one of its own.
pub(crate) fn sifting(
    machine: &Machine,
    readers: &[(usize, usize)],
    nanos: u64,
    seed: Option<u64>,
) -> Result<Vec<SiftRow>, String> {
    let mut rows = Vec::new();
    for &readers in readers {
        rows.push(row::<Psrw>(machine, readers, nanos, seed)?);
        rows.push(row::<StandardRwLock>(machine, readers, nanos, seed)?);
    }
    Ok(rows)
}

fn row<L: Placed>(
    machine: &Machine,
    (slow, readers): (usize, usize),
    nanos: u64,
    seed: Option<u64>,
) -> Result<SiftRow, String> {
    let writer = Part {
        name: "writer",
        section: Section::Write,
        is_try: false,
        hold: HOLD,
        gap: machine.cycles(WRITER_PAUSE),
        disorder: machine.cycles(WRITER_PAUSE) / 2,
        processor: 0,
    };
    let reader = |number: usize| {
        let cycles =
            machine.cycles(if number.is_multiple_of(readers / slow) { SLOW } else { FAST });
        let processor = number + 1;
        let section = Section::Read(Class::Thread);
        let (hold, gap, disorder) = (cycles, 4 * cycles, 4 * cycles);
        Part { name: "reader", section, hold, gap, disorder, processor, ..writer }
    };
    let parts = std::iter::once(writer).chain((0..readers).map(reader)).collect();
    let cast = Cast { parts, interrupts: Some((INTERRUPTS, HOLD)), has_data: false };
    let named = |why| format!("{readers} readers, {slow} of them slow: {why}");
    let tallies = cast.play::<L>(machine, nanos, seed).map_err(named)?;
    let mut handlers = Delay::default();
    let tallied = &tallies[cast.parts.len()..];
    tallied.iter().for_each(|it| handlers.merge(it.lock));
    Ok(SiftRow {
        lock: L::NAME,
        readers,
        slow,
        writer: tallies[0].lock,
        masked: tallies[0].masked.lasted,
        handlers,
        handler_parks: tallied.iter().map(|it| it.counts.parks).sum(),
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

    /// At 48 readers the lock's line is contended, and the mean grows to five times the mean with
    /// one reader. With the standard lock a writer is lucky to find one moment without a reader, so
    /// its mean would say how long the run is. So the lower bound of its longest masked time is
    /// compared: the longer the run, the truer the comparison.
    #[test]
    fn sifting_masks_no_longer_for_slow_readers() {
        let readers = [(1, 1), (16, 16), (48, 48)];
        let rows = sifting(&machine(), &readers, 10_000_000, Some(1)).unwrap();
        let [one, _, some, _, many, standard] = &rows[..] else { panic!("six rows") };
        assert!(rows.iter().all(|row| row.lock == StandardRwLock::NAME || row.masked.cut == 0));
        let mean = |row: &SiftRow| row.masked.mean().unwrap();
        assert!(mean(some) < 2.0 * mean(one), "{one:?} {some:?}");
        let least = standard.masked.longest_at_least();
        assert!(least > 5 * many.masked.longest, "{many:?} {standard:?}");
    }
}
