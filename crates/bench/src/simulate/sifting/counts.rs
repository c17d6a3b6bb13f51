//! Exact counts of the priority-sifting lock, per operation, without disorder.

use siftlock_core_sim::platform::{Class, Platform as _, Raised};
use siftlock_sim::{Counts, Run, calls};
use std::cell::Cell;
use std::rc::Rc;

use super::super::counts::machine;
use super::super::platform::{Simulated, set_stage};
use super::cast::{Cast, Part};
use super::locks::Psrw;
use super::site::{Section, Tally};

/// The cost of some operations together.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) what: &'static str,
    pub(crate) counts: Counts,
    pub(crate) operations: u64,
    /// Times when interrupts were kept out.
    pub(crate) masked: u64,
}

const NANOS: u64 = 1_000_000;

/// The counts of all operations.
pub(crate) fn counts() -> Result<Vec<Counted>, String> {
    let read = |class| (Section::Read(class), 1);
    let write = (Section::Write, 1);
    let (p, np) = (Class::Thread, Class::NonPreemptible);
    Ok(vec![
        raise()?,
        threads("a P read", &[read(p)])?,
        threads("an NP read", &[read(np)])?,
        threads("a write", &[write])?,
        threads("2 P readers", &[(Section::Read(p), 2)])?,
        threads("8 P readers", &[(Section::Read(p), 8)])?,
        threads("8 NP readers", &[(Section::Read(np), 8)])?,
        threads("4 P readers and 4 writers", &[(Section::Read(p), 4), (Section::Write, 4)])?,
        threads("4 NP readers and 4 writers", &[(Section::Read(np), 4), (Section::Write, 4)])?,
        handler()?,
    ])
}

fn part(section: Section, processor: usize) -> Part {
    Part { name: "", section, is_try: false, hold: 100, gap: 200, disorder: 0, processor }
}

fn threads(what: &'static str, kinds: &[(Section, usize)]) -> Result<Counted, String> {
    let sections = kinds.iter().flat_map(|&(section, number)| vec![section; number]);
    let parts = sections.enumerate().map(|(seat, section)| part(section, seat)).collect();
    let cast = Cast { parts, interrupts: None, has_data: false };
    Ok(sum(what, &cast.play::<Psrw>(&machine(8), NANOS, None)?))
}

/// Handlers on all processors, and a thread that reads once, at the beginning, and is not counted.
fn handler() -> Result<Counted, String> {
    let idle = Part { gap: machine(8).cycles(2 * NANOS), ..part(Section::Read(Class::Thread), 0) };
    let cast = Cast { parts: vec![idle], interrupts: Some((10_000, 100)), has_data: false };
    let tallies = cast.play::<Psrw>(&machine(8), NANOS, None)?;
    Ok(sum("a read in a handler, all 8 processors", &tallies[1..]))
}

fn sum(what: &'static str, tallies: &[Tally]) -> Counted {
    let (mut counts, mut operations, mut masked) = (Counts::default(), 0, 0);
    for tally in tallies {
        counts += tally.counts;
        operations += tally.sections;
        masked += tally.masked.times;
    }
    Counted { what, counts, operations, masked }
}

/// Raises the class and restores it, without a lock.
fn raise() -> Result<Counted, String> {
    const TIMES: u64 = 1_000;
    let counted = Rc::new(Cell::default());
    let inner = Rc::clone(&counted);
    set_stage(1);
    let mut run = Run::new(machine(8), 1, None);
    run.thread(0, move || {
        for _ in 0..TIMES {
            Simulated::restore(Simulated::raise(Class::Irq, Raised::NOTHING));
        }
        let masked = super::super::platform::masked(Class::Irq).times;
        inner.set((calls::counts(), masked));
    });
    run.go().map_err(|stuck| stuck.to_string())?;
    let (counts, masked) = counted.get();
    Ok(Counted { what: "raise and restore", counts, operations: TIMES, masked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_what_nobody_disturbs_are_two_steps() {
        for it in counts().unwrap() {
            let steps = match it.what {
                "raise and restore" => 0,
                "a P read" | "an NP read" | "a write" => 2,
                _ => continue,
            };
            assert_eq!(it.counts.steps, steps * it.operations, "{it:?}");
            assert!(it.counts.transfers <= 1 && it.counts.calls == 0, "{it:?}");
            let masks = matches!(it.what, "raise and restore" | "a write");
            assert_eq!(it.masked, if masks { it.operations } else { 0 }, "{it:?}");
        }
    }
}
