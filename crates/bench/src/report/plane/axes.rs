//! The axes of the plane, and a region of it in words.

use std::time::Duration;

use super::cell::Measured;
use super::regions::{AXES, Region};
use super::{time, times_processors};
use crate::report::numbers;

/// The values of each axis, the least first.
pub(super) struct Axes {
    holds: Vec<Duration>,
    pauses: Vec<Duration>,
    threads: Vec<usize>,
    writes: Vec<f64>,
}

impl Axes {
    pub(super) fn of(places: &[Measured]) -> Self {
        let cells = || places.iter().map(|place| place.cell);
        Self {
            holds: sorted(cells().map(|cell| cell.hold)),
            pauses: sorted(cells().map(|cell| cell.pause)),
            threads: sorted(cells().map(|cell| cell.threads)),
            writes: sorted(cells().map(|cell| cell.writes)),
        }
    }

    /// The numbers of a place on the axes.
    pub(super) fn place(&self, place: &Measured) -> [usize; AXES] {
        let cell = place.cell;
        [
            at(&self.holds, cell.hold),
            at(&self.pauses, cell.pause),
            at(&self.threads, cell.threads),
            at(&self.writes, cell.writes),
        ]
    }

    /// A region in words. An axis of which it has all values is left out.
    pub(super) fn told(
        &self,
        Region([holds, pauses, threads, writes]): &Region,
        cpus: usize,
    ) -> String {
        let part = |values: &[usize], all: usize, words: String| {
            (all == 1 || values.len() < all).then_some(words)
        };
        let range = |values: &[usize], text: &dyn Fn(usize) -> String| listed(values, text);
        let hold = range(holds, &|at| time(self.holds[at]));
        let pause = match range(pauses, &|at| time(self.pauses[at])).as_str() {
            "0" => "no pause".to_owned(),
            times => format!("pauses of {times}"),
        };
        let share = range(writes, &|at| self.writes[at].to_string());
        let parts = [
            part(holds, self.holds.len(), format!("{hold} holds")),
            part(pauses, self.pauses.len(), pause),
            part(writes, self.writes.len(), format!("{share} % writes")),
            part(threads, self.threads.len(), self.threads_told(threads, cpus)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "everywhere".to_owned() } else { parts.join(", ") }
    }

    fn threads_told(&self, threads: &[usize], cpus: usize) -> String {
        let numbers: Vec<usize> = threads.iter().map(|&at| self.threads[at]).collect();
        let times = numbers.iter().map(|&number| times_processors(number, cpus));
        match times.collect::<Option<Vec<usize>>>() {
            Some(times) => {
                let times: Vec<String> = times.iter().map(|times| format!("{times} ×")).collect();
                format!("{} the processors", joined(&times))
            }
            None => numbers::threads(&numbers),
        }
    }
}

/// Values in words: those that follow each other on their axis are a range.
fn listed(values: &[usize], text: &dyn Fn(usize) -> String) -> String {
    match values {
        [first, .., last] if last - first + 1 == values.len() => {
            format!("{} to {}", text(*first), text(*last))
        }
        _ => joined(&values.iter().map(|&value| text(value)).collect::<Vec<_>>()),
    }
}

/// `a, b and c`.
fn joined(texts: &[String]) -> String {
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

fn sorted<T: PartialOrd + Copy>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut out: Vec<T> = values.collect();
    // No value is NaN: the command line refuses it.
    out.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    out.dedup();
    out
}

fn at<T: PartialEq>(axis: &[T], value: T) -> usize {
    axis.iter().position(|one| *one == value).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_told_as_ranges_where_values_follow_each_other() {
        let text = |at: usize| at.to_string();
        assert_eq!(listed(&[1, 2, 3], &text), "1 to 3");
        assert_eq!(listed(&[0, 2, 3], &text), "0, 2 and 3");
        assert_eq!(listed(&[2], &text), "2");
    }
}
