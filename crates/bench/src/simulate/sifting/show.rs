//! The tables of the priority-sifting lock.

use siftlock_sim::Machine;

use super::curve::sifting;
use super::delays::{Placement, delays, four_readers};
use super::site::Delay;
use crate::report::{Grid, figure};

/// Every how many readers one is slow.
const SLOW_OF: [usize; 2] = [1, 4];
const READERS: [usize; 4] = [1, 4, 16, 48];

/// E5: cycles to take and to release each lock, by test and context.
pub(crate) fn delays_table(machine: &Machine, nanos: u64, seed: u64) -> Result<String, String> {
    let head = [
        "",
        "lock",
        "context",
        "sections",
        "failed",
        "take\nleast",
        "mean",
        "most",
        "release\nleast",
        "mean",
        "most",
        "masked\nlongest",
    ];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    for row in delays(machine, nanos, Some(seed))? {
        let three = |it: Delay| [it.least.to_string(), figure(it.mean()), it.longest.to_string()];
        let first = [
            row.lock.to_owned(),
            row.context.to_owned(),
            row.iterations.to_string(),
            row.failed.to_string(),
        ];
        let cells = first.into_iter().chain(three(row.take)).chain(three(row.release));
        grid.row(row.test, cells.chain([row.masked.to_string()]));
    }
    let title = format!("E5 on {}: cycles to take and to release, masked in cycles", machine.name);
    Ok(grid.titled(&title) + &four_readers_table(machine, nanos / 10, seed)?)
}

/// Four readers that never pause: by compare-and-swap, and by addition.
fn four_readers_table(machine: &Machine, nanos: u64, seed: u64) -> Result<String, String> {
    let head = ["four readers", "compare-and-swap", "addition", "ratio (published: 1.69)"];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    for placement in [Placement::Compact, Placement::Spread, Placement::Pairs] {
        let rows = four_readers(machine, placement, nanos, Some(seed))?;
        let [ours, theirs] = rows.map(|row| row.take.mean());
        let cells = [figure(ours), figure(theirs), format!("{:.2}", ours / theirs)];
        grid.row(&format!("{placement:?}"), cells);
    }
    Ok(grid.titled("cycles to take the lock"))
}

/// E4: how long a writer keeps interrupts out, by the number of its slow readers.
pub(crate) fn sifting_table(machine: &Machine, nanos: u64, seed: u64) -> Result<String, String> {
    let head = [
        "slow of\nreaders",
        "lock",
        "writes",
        "masked\ntimes",
        "mean",
        "longest",
        "longest\nwrite",
        "handlers:\nreads",
        "sleeps",
        "longest wait",
    ];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    for slow_of in SLOW_OF {
        for row in sifting(machine, &READERS, slow_of, nanos, Some(seed))? {
            grid.row(
                &format!("{}/{}", row.slow, row.readers),
                [
                    row.lock.to_owned(),
                    row.writes.to_string(),
                    row.times.to_string(),
                    figure(row.mean),
                    row.longest.to_string(),
                    row.longest_write.to_string(),
                    row.interrupts.to_string(),
                    row.handler_parks.to_string(),
                    row.longest_handler.to_string(),
                ],
            );
        }
    }
    Ok(grid.titled(&format!(
        "slow readers on {}: nanoseconds that a writer keeps interrupts out",
        machine.name
    )))
}
