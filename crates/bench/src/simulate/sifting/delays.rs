//! How many cycles it takes to take and to release a lock, by context, as the 2008 lock was
//! measured.
//!
//! The work beside the lock was not fitted to the delays. The published numbers of sections in 10 s
//! give 540 cycles a round, the clock's four reads included, for one reader and for four, with
//! either lock.

use siftlock_core_sim::platform::Class;
use siftlock_sim::Machine;

use super::super::delay::Delay;
use super::super::peers::StandardRwLock;
use super::cast::{Cast, Part};
use super::locks::{Placed, Psrw};
use super::site::{Section, Tally};

/// One kind of context in one test.
#[derive(Clone, Debug)]
pub(crate) struct DelayRow {
    pub(crate) test: &'static str,
    pub(crate) lock: &'static str,
    pub(crate) context: &'static str,
    pub(crate) failed: u64,
    pub(crate) take: Delay,
    pub(crate) release: Delay,
    /// How long one thread kept interrupts out.
    pub(crate) masked: Delay,
}

/// Which processors the four readers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seats {
    /// One socket, two shared caches: 0, 1, 2, 3.
    Compact,
    /// A shared cache each: 0, 2, 4, 6.
    Spread,
    /// Two sockets, one shared cache in each: 0, 1, 4, 5.
    Pairs,
}

impl Seats {
    const fn processors(self) -> [usize; 4] {
        match self {
            Self::Compact => [0, 1, 2, 3],
            Self::Spread => [0, 2, 4, 6],
            Self::Pairs => [0, 1, 4, 5],
        }
    }
}

/// Cycles in a section besides the data, and between sections.
const HOLD: u64 = 350;
const GAP: u64 = 150;
/// Nanoseconds between writes, between tries, and between interrupts.
const WRITER_PAUSE: u64 = 100_000;
const TRY_PAUSE: u64 = 1_000_000;
const INTERRUPTS: u64 = 1_000_000;

const P: Section = Section::Read(Class::Thread);
const NP: Section = Section::Read(Class::NonPreemptible);

fn busy(name: &'static str, section: Section, processor: usize) -> Part {
    Part { name, section, is_try: false, hold: HOLD, gap: GAP, disorder: 0, processor }
}

fn alone(parts: Vec<Part>) -> Cast {
    Cast { parts, interrupts: None, has_data: true }
}

/// All tests with both locks.
pub(crate) fn delays(
    machine: &Machine,
    nanos: u64,
    seed: Option<u64>,
) -> Result<Vec<DelayRow>, String> {
    let mut rows = Vec::new();
    for (test, cast) in tests(machine) {
        rows.extend(played::<Psrw>(test, &cast, machine, nanos, seed)?);
        rows.extend(played::<StandardRwLock>(test, &cast, machine, nanos, seed)?);
    }
    Ok(rows)
}

fn tests(machine: &Machine) -> Vec<(&'static str, Cast)> {
    let writer = Part { gap: machine.cycles(WRITER_PAUSE), ..busy("writer", Section::Write, 0) };
    let readers = |[a, b, c, d]: [usize; 4]| {
        vec![
            busy("P reader", P, a),
            busy("P reader", P, b),
            busy("NP reader", NP, c),
            busy("NP reader", NP, d),
        ]
    };
    let mut crowd = readers([2, 3, 4, 5]);
    let gap = machine.cycles(TRY_PAUSE);
    crowd.push(writer);
    crowd.push(Part { processor: 1, ..writer });
    crowd.push(Part { name: "try writer", is_try: true, gap, processor: 6, ..writer });
    crowd.push(Part { is_try: true, ..busy("try reader", P, 7) });
    vec![
        ("one writer", alone(vec![writer])),
        ("one P reader", alone(vec![busy("P reader", P, 0)])),
        ("one NP reader", alone(vec![busy("NP reader", NP, 0)])),
        ("2 P and 2 NP readers", alone(readers(Seats::Pairs.processors()))),
        ("high contention", Cast { interrupts: Some((INTERRUPTS, 0)), ..alone(crowd) }),
    ]
}

/// Four busy readers of one kind at this placement: the delays of both locks, the sifting lock
/// first.
pub(crate) fn four_readers(
    machine: &Machine,
    seats: Seats,
    nanos: u64,
    seed: Option<u64>,
) -> Result<[DelayRow; 2], String> {
    let parts = seats.processors().map(|at| busy("NP reader", NP, at)).to_vec();
    let cast = alone(parts);
    let one = |rows: Vec<DelayRow>| rows.into_iter().next().ok_or("nobody has measured".to_owned());
    let test = "4 NP readers";
    Ok([
        one(played::<Psrw>(test, &cast, machine, nanos, seed)?)?,
        one(played::<StandardRwLock>(test, &cast, machine, nanos, seed)?)?,
    ])
}

fn played<L: Placed>(
    test: &'static str,
    cast: &Cast,
    machine: &Machine,
    nanos: u64,
    seed: Option<u64>,
) -> Result<Vec<DelayRow>, String> {
    let tallies = cast.play::<L>(machine, nanos, seed).map_err(|why| format!("{test}: {why}"))?;
    let mut rows: Vec<DelayRow> = Vec::new();
    for (seat, tally) in tallies.iter().enumerate() {
        let context = cast.parts.get(seat).map_or("interrupt", |part| part.name);
        match rows.iter_mut().find(|row| row.context == context) {
            Some(row) => row.add(tally),
            None => {
                let mut row = DelayRow::new(test, L::NAME, context);
                row.add(tally);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

impl DelayRow {
    fn new(test: &'static str, lock: &'static str, context: &'static str) -> Self {
        Self {
            test,
            lock,
            context,
            failed: 0,
            take: Delay::default(),
            release: Delay::default(),
            masked: Delay::default(),
        }
    }

    fn add(&mut self, tally: &Tally) {
        self.failed += tally.failed;
        self.take.merge(tally.lock);
        self.release.merge(tally.unlock);
        self.masked.merge(tally.masked.lasted);
    }
}

#[cfg(test)]
mod tests {
    use siftlock_sim::presets;

    use super::*;

    /// Published: 432 cycles to take the lock by compare-and-swap, 256 by addition.
    #[test]
    fn delays_ratio_of_four_readers_is_near_the_published_one() {
        let machine = presets::named("harpertown").unwrap();
        let [psrw, standard] = four_readers(&machine, Seats::Pairs, 2_000_000, Some(1)).unwrap();
        let ratio = psrw.take.mean().unwrap() / standard.take.mean().unwrap();
        assert!((1.3..2.2).contains(&ratio), "{ratio}");
    }
}
