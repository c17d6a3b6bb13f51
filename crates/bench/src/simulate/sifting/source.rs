//! The published figures of the 2008 lock that belong beside ours.

use super::delays::DelayRow;
use super::locks::{Placed as _, Psrw};
use crate::report::scenes::published;

/// The machine on which they were measured.
pub(super) const MACHINE: &str = "harpertown";

/// The published figures of one kind of context in one test, in cycles.
pub(super) struct Source {
    /// Mean and longest.
    pub(super) take: [f64; 2],
    pub(super) release: [f64; 2],
}

/// The published figures of this row's test, lock and context.
pub(super) fn of(row: &DelayRow) -> Option<Source> {
    let rows = published::delays(test(row)?, who(row)?);
    let found = rows.into_iter().find(|it| it.label == label(row))?;
    Some(Source { take: found.lock, release: found.unlock })
}

/// The longest time for which interrupts were kept out: writers alone do that.
pub(super) fn masked(row: &DelayRow) -> Option<f64> {
    /// The index of interrupts among the published classes.
    const IRQ: usize = 2;
    if row.context != "writer" {
        return None;
    }
    let rows = published::masked(test(row)?, IRQ);
    rows.into_iter().find(|it| it.label == label(row)).map(|it| it.max)
}

fn label(row: &DelayRow) -> &'static str {
    if row.lock == Psrw::NAME { published::OURS } else { published::STANDARD }
}

fn test(row: &DelayRow) -> Option<&'static str> {
    Some(match row.test {
        "one writer" => "single-writer",
        "one P reader" => "single-preader",
        "one NP reader" => "single-npreader",
        "2 P and 2 NP readers" => "readers",
        "high contention" => "contention",
        _ => return None,
    })
}

fn who(row: &DelayRow) -> Option<&'static str> {
    Some(match row.context {
        "writer" => "writer_thread",
        "P reader" => "preader_thread",
        "NP reader" => "npreader_thread",
        "interrupt" => "interrupt readers",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use siftlock_sim::presets;

    use super::super::delays::delays;
    use super::*;

    /// Not published: the standard lock's P reader, try contexts.
    #[test]
    fn source_has_figures_for_each_published_row() {
        let machine = presets::named(MACHINE).unwrap();
        let rows = delays(&machine, 200_000, Some(1)).unwrap();
        let found: Vec<_> = rows.iter().filter(|row| of(row).is_some()).collect();
        let all = found.iter().map(|row| (row.test, row.context, row.lock)).collect::<Vec<_>>();
        assert_eq!(found.len(), 2 + 1 + 2 + 4 + 7, "{all:?}");
        let masked: Vec<_> = rows.iter().filter_map(masked).collect();
        assert_eq!(masked, [1_527.0, 14_176.0, 5_804_000.0]);
    }
}
