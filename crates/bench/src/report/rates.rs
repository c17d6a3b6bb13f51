//! The table of total rates, subjects down and numbers of threads across.

use super::columns::{self, Cell, Column};
use super::numbers::{kops, or_none};
use super::published::Published;
use crate::stats::{Metric, Results};

/// Numbers of threads side by side; more go into a table below.
const ABREAST: usize = 4;

const RATE: Column = ("kops/s ±%", Cell::Spread(Metric::Total, kops));

/// The table, in as many parts as it needs, with two columns beside each rate, and the source's
/// rows where they are wanted.
pub(super) fn tables(
    title: &str,
    results: &Results,
    &[best, other]: &[Column; 2],
    published: Option<&Published>,
) -> String {
    let threads = results.threads();
    let parts = threads.chunks(ABREAST).map(|abreast| {
        let mut grid = columns::abreast(results, abreast, &[RATE, best, other]);
        for row in published.map_or(&[][..], |published| published.rows) {
            let cell = |&threads| [or_none(row.at(threads), kops), String::new(), String::new()];
            grid.row(row.label, abreast.iter().flat_map(cell));
        }
        grid.titled(title)
    });
    let parts: Vec<String> = parts.collect();
    let note = published.map_or_else(String::new, |published| format!("\n{}", published.note));
    format!("{}{note}", parts.join("\n"))
}
