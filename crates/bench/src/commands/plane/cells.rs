//! Which cells of the plane are measured.

use std::time::Duration;

use crate::cli::{PlaneArgs, distinct};
use crate::experiments::Cell;

const MICRO: Duration = Duration::from_micros(1);
const TEN: Duration = Duration::from_micros(10);
const HUNDRED: Duration = Duration::from_micros(100);
const HOLDS: [Duration; 4] = [Duration::from_nanos(50), MICRO, TEN, HUNDRED];
const PAUSES: [Duration; 4] = [Duration::ZERO, MICRO, TEN, HUNDRED];
/// Threads for each CPU.
const THREADS: [usize; 3] = [1, 2, 8];
/// Per cent.
const WRITES: [f64; 5] = [100.0, 50.0, 10.0, 1.0, 0.0];

/// Cells of the short form besides the corners: hold, pause, threads for each CPU, writes. Long
/// sections among many threads, and readers among some writes (README.md, where it is behind).
const LOSERS: [(Duration, Duration, usize, f64); 7] = [
    (MICRO, Duration::ZERO, 2, 10.0),
    (MICRO, MICRO, 2, 1.0),
    (TEN, Duration::ZERO, 2, 10.0),
    (TEN, Duration::ZERO, 8, 1.0),
    (TEN, TEN, 8, 10.0),
    (HUNDRED, Duration::ZERO, 8, 50.0),
    (HUNDRED, TEN, 2, 10.0),
];

/// All cells of the axes, or of the parts that were asked for.
pub(in super::super) fn whole(args: &PlaneArgs, cpus: usize) -> Vec<Vec<Cell>> {
    let threads = axis(&args.threads, &THREADS.map(|each| each * cpus));
    let (holds, pauses) = (axis(&args.holds, &HOLDS), axis(&args.pauses, &PAUSES));
    let writes = axis(&args.writes, &WRITES);
    let group = |&threads: &usize| {
        let mut cells = Vec::new();
        for &writes in &writes {
            for &hold in &holds {
                cells.extend(pauses.iter().map(|&pause| Cell { hold, pause, threads, writes }));
            }
        }
        cells
    };
    threads.iter().map(group).collect()
}

/// The values that were asked for, each once, or the default.
fn axis<T: Copy + PartialEq>(asked: &[T], default: &[T]) -> Vec<T> {
    distinct(if asked.is_empty() { default } else { asked })
}

/// The corners, and cells in which we were behind.
pub(super) fn short(cpus: usize) -> Vec<Vec<Cell>> {
    // Without a pause: threads that are mostly outside hardly meet.
    let ends = PlaneArgs {
        holds: vec![HOLDS[0], HOLDS[3]],
        pauses: vec![PAUSES[0]],
        threads: vec![cpus, 8 * cpus],
        writes: vec![100.0, 0.0],
        ..PlaneArgs::default()
    };
    let mut groups = whole(&ends, cpus);
    let cell = |(hold, pause, each, writes)| Cell { hold, pause, threads: each * cpus, writes };
    groups.push(LOSERS.map(cell).to_vec());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_is_every_hold_pause_number_of_threads_and_share_of_writes() {
        let groups = whole(&PlaneArgs::default(), 2);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [80, 80, 80]);
        assert_eq!(groups[2][0].threads, 16);
        let part = PlaneArgs { threads: vec![4, 3, 4], writes: vec![1.0], ..PlaneArgs::default() };
        let part = whole(&part, 2);
        assert_eq!((part.len(), part[0].len(), part[1][0].threads), (2, 16, 3));
    }

    #[test]
    fn plane_in_short_is_the_corners_and_a_few_cells_more() {
        let cells = short(2).concat();
        assert_eq!(cells.len(), 8 + LOSERS.len());
        assert!(cells.iter().all(|cell| cell.threads <= 16));
    }
}
