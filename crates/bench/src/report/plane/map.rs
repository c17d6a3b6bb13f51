//! Places by hold and pause: a map for each number of threads and share of writes.
//!
//! The colours come from `console`: only on a terminal, and never where `NO_COLOR` is set.

use console::{Alignment, Style, Term, pad_str};

use super::cell::{Measured, Verdict};
use super::{ratio, time, times_processors};
use crate::report::numbers::{self, NONE};

/// Columns of text where there is no terminal.
const USUAL_WIDTH: usize = 100;
/// The space between two maps.
const GAP: &str = "    ";
/// Columns of text of a row's name, and of a place.
const NAME: usize = 8;
const PLACE: usize = 8;

/// The explanation of the maps.
pub(crate) const LEGEND: &str = "
Rows: how long sections last. Columns: how long a thread is outside between two.
Numbers: our rate over that of the best peer that starves neither a thread nor a kind of section.
~ holds: 0.8 × or more, at 0.75 × the processor time a section or less.  ! is behind.
x does not hold, whatever its rate: our lock starves somebody there.
";

/// Maps of all these places, side by side as the terminal allows.
pub(crate) fn maps(places: &[Measured], cpus: usize) -> String {
    let width = Term::stdout().size_checked().map_or(USUAL_WIDTH, |(_, columns)| columns.into());
    laid_out(places, cpus, width)
}

fn laid_out(places: &[Measured], cpus: usize, width: usize) -> String {
    let mut maps: Vec<Vec<&Measured>> = Vec::new();
    for place in places {
        let alike = |map: &&mut Vec<&Measured>| {
            let cell = map[0].cell;
            (cell.threads, cell.writes) == (place.cell.threads, place.cell.writes)
        };
        match maps.iter_mut().find(alike) {
            Some(map) => map.push(place),
            None => maps.push(vec![place]),
        }
    }
    let each = maps.iter().map(|map| wide(map)).max().unwrap_or(0);
    let abreast = ((width + GAP.len()) / (each + GAP.len()).max(1)).max(1);
    let blocks = maps.chunks(abreast).map(|row| {
        let maps: Vec<Vec<String>> = row.iter().map(|map| lines(map, cpus, each)).collect();
        let height = maps.iter().map(Vec::len).max().unwrap_or(0);
        let empty = String::new();
        let line = |at: usize| {
            let parts = maps.iter().map(|map| map.get(at).unwrap_or(&empty).as_str());
            parts.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
        };
        format!("\n{}", (0..height).map(line).collect::<Vec<_>>().join("\n"))
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// The columns of text that a map takes.
fn wide(map: &[&Measured]) -> usize {
    let title = format!("{} × the processors, {} % writes", 1000, map[0].cell.writes);
    (NAME + PLACE * pauses(map).len()).max(title.chars().count())
}

fn pauses(map: &[&Measured]) -> Vec<std::time::Duration> {
    let mut pauses: Vec<_> = map.iter().map(|place| place.cell.pause).collect();
    pauses.sort_unstable();
    pauses.dedup();
    pauses
}

/// One map, each line of the same width.
fn lines(map: &[&Measured], cpus: usize, width: usize) -> Vec<String> {
    let (pauses, cell) = (pauses(map), map[0].cell);
    let threads = match times_processors(cell.threads, cpus) {
        Some(times) => format!("{times} × the processors"),
        None => numbers::threads(&[cell.threads]),
    };
    let head = pauses.iter().map(|&pause| format!("{:>PLACE$}", time(pause)));
    let mut out = vec![
        format!("{threads}, {} % writes", cell.writes),
        format!("{:<NAME$}{}", "", head.collect::<String>()),
    ];
    let mut holds: Vec<_> = map.iter().map(|place| place.cell.hold).collect();
    holds.sort_unstable();
    holds.dedup();
    for hold in holds {
        let at = |pause: &_| {
            let here = |one: &&&Measured| (one.cell.hold, one.cell.pause) == (hold, *pause);
            map.iter().find(here).map_or_else(|| " ".repeat(PLACE), |place| coloured(place))
        };
        out.push(format!("{:<NAME$}{}", time(hold), pauses.iter().map(at).collect::<String>()));
    }
    let pad = |line: String| pad_str(&line, width, Alignment::Left, None).into_owned();
    out.into_iter().map(pad).collect()
}

/// The number of a place, and its mark, on its colour.
fn coloured(place: &Measured) -> String {
    let (Some(number), Some(verdict)) = (place.ratio(), place.verdict()) else {
        return format!("{NONE:>width$} ", width = PLACE - 1);
    };
    let mark = match verdict {
        Verdict::Level => ' ',
        Verdict::Sparing => '~',
        Verdict::Lost => '!',
        Verdict::Unfair => 'x',
    };
    let text = format!("{:>width$}{mark}", ratio(number), width = PLACE - 1);
    colour(number, verdict).apply_to(text).to_string()
}

/// The ground: red to yellow where we are behind; green where we hold, the darker the higher the
/// ratio; grey where our lock is not fair. The text on it is black.
fn colour(ratio: f64, verdict: Verdict) -> Style {
    let ground = match verdict {
        Verdict::Lost if ratio < 0.6 => 196,
        Verdict::Lost if ratio < 0.8 => 209,
        Verdict::Lost => 222,
        Verdict::Unfair => 250,
        Verdict::Sparing => 193,
        Verdict::Level if ratio < 1.05 => 157,
        Verdict::Level if ratio < 1.5 => 114,
        Verdict::Level => 71,
    };
    Style::new().color256(16).on_color256(ground)
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::place;
    use super::*;

    fn places() -> Vec<Measured> {
        vec![
            place(10, 0, 4, 0.61),
            place(10, 100, 4, 1.0),
            place(100, 0, 4, 12.3),
            Measured { best: None, ..place(100, 100, 4, 1.0) },
        ]
    }

    #[test]
    fn map_has_a_row_for_each_hold_and_a_column_for_each_pause() {
        insta::assert_snapshot!(laid_out(&places(), 2, 80), @r"
        2 × the processors, 10 % writes
                       0  100 µs
        10 µs      0.61!   1.00
        100 µs     12.3       –
        ");
    }

    #[test]
    fn map_stands_beside_another_where_there_is_room() {
        let more = places().into_iter().map(|mut place| {
            place.cell.writes = 1.0;
            place
        });
        let places: Vec<Measured> = places().into_iter().chain(more).collect();
        let lines = |width| laid_out(&places, 2, width).lines().count();
        assert_eq!((lines(80), lines(40)), (5, 10));
    }

    #[test]
    fn map_is_coloured_by_the_ratio() {
        let colour =
            |ratio, verdict| colour(ratio, verdict).force_styling(true).apply_to("x").to_string();
        assert!(colour(0.5, Verdict::Lost).contains("48;5;196"));
        assert!(colour(2.0, Verdict::Level).contains("48;5;71"));
    }
}
