//! The tables of the priority-sifting lock.

use siftlock_sim::Machine;

use super::super::delay::Delay;
use super::curve::{SiftRow, sifting};
use super::delays::{DelayRow, Seats, delays, four_readers};
use super::source;
use crate::report::{Grid, figure};

/// How many readers are slow, of how many.
const READERS: [(usize, usize); 7] =
    [(1, 1), (4, 4), (16, 16), (48, 48), (1, 4), (4, 16), (12, 48)];

/// The sign for a missing figure.
const NONE: &str = "–";

/// The meaning of the mark in these tables.
const MARK: &str =
    "≥: at least. A longer wait ended only because the run did; no mean has such a wait in it.";

/// Least, mean and longest.
fn three(delay: &Delay) -> [String; 3] {
    let least = if delay.number == 0 { NONE.to_owned() } else { delay.least.to_string() };
    [least, mean(delay, |cycles| cycles), longest(delay, |cycles| cycles)]
}

/// The mean of the times that ended, in the unit that `unit` makes of cycles.
fn mean(delay: &Delay, unit: impl Fn(f64) -> f64) -> String {
    let mean = |cycles| marked(delay.mean_is_bound(), &figure(unit(cycles)));
    delay.mean().map_or_else(|| NONE.to_owned(), mean)
}

/// The longest time, in the unit that `unit` makes of cycles.
fn longest(delay: &Delay, unit: impl Fn(u64) -> u64) -> String {
    if delay.number == 0 && delay.cut == 0 {
        return NONE.to_owned();
    }
    marked(delay.longest_is_bound(), &unit(delay.longest_at_least()).to_string())
}

/// A figure that may be a lower bound.
fn marked(is_bound: bool, figure: &str) -> String {
    format!("{}{figure}", if is_bound { "≥" } else { "" })
}

/// E5: cycles to take and to release each lock, by test and context. On the sources' machine the
/// published cycles stand beside them.
pub(crate) fn delays_table(machine: &Machine, nanos: u64, seed: u64) -> Result<String, String> {
    let is_source = machine.name == source::MACHINE;
    let mut head = vec!["", "lock", "context", "sections", "failed"];
    head.extend(["take\nleast", "mean", "most", "release\nleast", "mean", "most"]);
    head.push("masked\nlongest");
    if is_source {
        head.extend(["published:\ntake\nmean", "most", "release\nmean", "most"]);
        head.push("masked\nlongest");
    }
    let head: Vec<_> = head.into_iter().map(str::to_owned).collect();
    let mut grid = Grid::of_numbers(&head);
    for row in delays(machine, nanos, Some(seed))? {
        let published = if is_source { published(&row) } else { Vec::new() };
        grid.row(row.test, ours(&row).into_iter().chain(published));
    }
    let title = format!("E5 on {}: cycles to take and to release, masked in cycles", machine.name);
    let four_readers = four_readers_table(machine, nanos / 10, seed)?;
    Ok(format!("{}\n{MARK}\n\n{four_readers}", grid.titled(&title)))
}

fn ours(row: &DelayRow) -> Vec<String> {
    let mut cells = vec![row.lock.to_owned(), row.context.to_owned()];
    cells.extend([row.take.number.to_string(), row.failed.to_string()]);
    cells.extend(three(&row.take).into_iter().chain(three(&row.release)));
    cells.push(longest(&row.masked, |cycles| cycles));
    cells
}

fn published(row: &DelayRow) -> Vec<String> {
    let source = source::of(row);
    let both = source.map(|it| [it.take, it.release].as_flattened().to_vec());
    let cells = both.map_or_else(|| vec![None; 4], |both| both.into_iter().map(Some).collect());
    let all = cells.into_iter().chain([source::masked(row)]);
    all.map(|cycles| cycles.map_or_else(|| NONE.to_owned(), figure)).collect()
}

/// Four readers that never pause: by compare-and-swap, and by addition.
fn four_readers_table(machine: &Machine, nanos: u64, seed: u64) -> Result<String, String> {
    let head = ["four readers", "compare-and-swap", "addition", "ratio (published: 1.69)"];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    for seats in [Seats::Compact, Seats::Spread, Seats::Pairs] {
        let rows = four_readers(machine, seats, nanos, Some(seed))?;
        let [ours, theirs] = rows.map(|row| row.take.mean().unwrap_or(f64::NAN));
        let cells = [figure(ours), figure(theirs), format!("{:.2}", ours / theirs)];
        grid.row(&format!("{seats:?}"), cells);
    }
    Ok(grid.titled("cycles to take the lock"))
}

/// E4: how long a writer keeps interrupts out, by the number of its slow readers.
pub(crate) fn sifting_table(machine: &Machine, nanos: u64, seed: u64) -> Result<String, String> {
    let mut head = vec!["slow of\nreaders", "lock", "writes", "masked\ntimes", "mean", "longest"];
    head.extend(["writer:\nlongest\nwait", "handlers:\nreads", "sleeps", "mean wait"]);
    head.push("longest\nwait");
    let head: Vec<_> = head.into_iter().map(str::to_owned).collect();
    let mut grid = Grid::of_numbers(&head);
    for row in sifting(machine, &READERS, nanos, Some(seed))? {
        grid.row(&format!("{}/{}", row.slow, row.readers), cells(&row, machine));
    }
    let what = "nanoseconds that a writer keeps interrupts out";
    let title = format!("slow readers on {}: {what}", machine.name);
    Ok(format!("{}\n{MARK}", grid.titled(&title)))
}

fn cells(row: &SiftRow, machine: &Machine) -> [String; 10] {
    let nanos = |cycles| machine.nanos(cycles);
    let mean_nanos = |cycles: f64| cycles * 1e3 / machine.mhz as f64;
    [
        row.lock.to_owned(),
        row.writer.number.to_string(),
        row.masked.number.to_string(),
        mean(&row.masked, mean_nanos),
        longest(&row.masked, nanos),
        longest(&row.writer, nanos),
        row.handlers.number.to_string(),
        row.handler_parks.to_string(),
        mean(&row.handlers, mean_nanos),
        longest(&row.handlers, nanos),
    ]
}
