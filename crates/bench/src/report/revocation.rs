//! The cost of a revocation: table and words.

use siftlock_core::rwsem::policy::{Policy, Standard};

use super::grid::Grid;
use super::numbers::{figure, or_none};
use crate::experiments::revocation::Cost;
use crate::stats::median;

/// By number of threads: the cost, a thread's part in it, and the pause that follows.
pub(crate) fn table(costs: &[Cost]) -> String {
    let head = [
        "threads that\nread by slot",
        "all asleep\nns",
        "one runs\nns",
        "cold cache\nns",
        "a thread,\nwarm, ns",
        "a thread,\ncold, ns",
        "pause after\none runs, µs",
    ];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    let first = costs.first();
    for cost in costs {
        let of_each = |samples: fn(&Cost) -> &Vec<f64>| {
            let (least, base) = (first?.readers, median(samples(first?))?);
            let more = (cost.readers > least).then(|| (cost.readers - least) as f64)?;
            Some((median(samples(cost))? - base) / more)
        };
        let pause = median(&cost.busy).map(|ns| ns * Standard::BIAS_PAUSE as f64 / 1e3);
        grid.row(
            &cost.readers.to_string(),
            [
                or_none(median(&cost.idle), figure),
                or_none(median(&cost.busy), figure),
                or_none(median(&cost.cold), figure),
                or_none(of_each(|cost| &cost.idle), figure),
                or_none(of_each(|cost| &cost.cold), figure),
                or_none(pause, figure),
            ],
        );
    }
    grid.titled("What a revocation costs: the heavy fence, and the look at each thread's slots")
}

/// The limit on revocations that follows from the costs and the pause.
pub(crate) fn words(costs: &[Cost]) -> Vec<String> {
    let times = Standard::BIAS_PAUSE;
    let share = 100.0 / (1 + times) as f64;
    let dearest = costs.last().and_then(|cost| Some((cost.readers, median(&cost.busy)?)));
    let told = dearest.map(|(readers, ns)| {
        format!(
            "A pause of {times} times what a revocation took holds revocations to {share:.0} % of the \
             time; with {readers} threads at most one each {} µs",
            figure(ns * (1 + times) as f64 / 1e3)
        )
    });
    told.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revocation_tells_a_thread_apart_from_the_fence() {
        let cost = |readers, idle: f64| Cost {
            readers,
            idle: vec![idle],
            busy: vec![idle + 1_000.0],
            cold: vec![2.0 * idle],
        };
        let table = table(&[cost(1, 100.0), cost(101, 400.0)]);
        let row = table.lines().find(|line| line.starts_with("101")).expect("a row");
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells[1..6], ["400", "1,400", "800", "3.00", "6.00"]);
    }
}
