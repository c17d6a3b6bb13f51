//! Places as rows, with all their figures.

use super::cell::{Figures, Measured, Verdict};
use super::{ratio, time};
use crate::report::grid::Grid;
use crate::report::numbers::{NONE, figure, or_none, percent};

/// At most this many of the places in which we are behind are listed, the worst first.
const WORST: usize = 20;

/// Every place, or only the places in which we are behind.
pub(crate) fn list(places: &[Measured], all: bool) -> String {
    let behind = |place: &&Measured| place.verdict() == Some(Verdict::Lost);
    if all {
        return table(&places.iter().collect::<Vec<_>>(), "Cells: ours / best fair peer");
    }
    let mut lost: Vec<&Measured> = places.iter().filter(behind).collect();
    if lost.is_empty() {
        return String::new();
    }
    lost.sort_by(|one, other| one.ratio().unwrap_or(1.0).total_cmp(&other.ratio().unwrap_or(1.0)));
    let title = match lost.len() {
        number if number > WORST => format!(
            "The {WORST} worst of {number} cells in which we are behind: ours / best fair peer"
        ),
        _ => "The cells in which we are behind: ours / best fair peer".to_owned(),
    };
    lost.truncate(WORST);
    table(&lost, &title)
}

fn table(places: &[&Measured], title: &str) -> String {
    let head = [
        "hold",
        "pause",
        "threads",
        "writes\n%",
        "rate\nratio",
        "best\nfair peer",
        "user+sys\nµs/section",
        "processors\nbusy",
        "longest\nwait µs",
        "reads\ntogether %",
    ];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    for place in places {
        let (ours, best) = (place.ours, place.best.map(|(_, best)| best));
        let both = |value: fn(&Figures) -> Option<f64>, text: fn(f64) -> String| {
            let one = |figures: Option<&_>| or_none(figures.and_then(value), text);
            format!("{} / {}", one(ours.as_ref()), one(best.as_ref()))
        };
        let mark = match place.verdict() {
            Some(Verdict::Lost) => "!",
            Some(Verdict::Sparing) => "~",
            Some(Verdict::Unfair) => "x",
            Some(Verdict::Level) | None => "",
        };
        grid.row(
            &time(place.cell.hold),
            [
                time(place.cell.pause),
                place.cell.threads.to_string(),
                place.cell.writes.to_string(),
                format!("{}{mark}", or_none(place.ratio(), ratio)),
                place.best.map_or_else(|| NONE.to_owned(), |(peer, _)| peer.name().to_owned()),
                both(|figures| figures.cpu, figure),
                both(|figures| figures.busy, |busy| format!("{busy:.1}")),
                both(|figures| figures.wait, figure),
                both(|figures| figures.together, percent),
            ],
        );
    }
    grid.titled(title)
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::place;
    use super::*;

    #[test]
    fn table_lists_what_is_behind_worst_first() {
        let places = [place(1, 0, 4, 0.9), place(10, 0, 4, 0.5), place(100, 0, 4, 1.0)];
        let lost = list(&places, false);
        let holds: Vec<_> = lost.lines().filter(|line| line.contains('!')).collect();
        assert!(holds.len() == 2 && holds[0].starts_with("10 µs"), "{lost}");
        assert!(holds[0].contains("1.1 / 2.0") && holds[0].contains("0.50! "), "{lost}");
        assert_eq!(list(&places[2..], false), "");
        assert!(list(&places, true).contains("100 µs"));
    }
}
