//! Where our lock is behind, in words.

use super::axes::Axes;
use super::cell::{Measured, Verdict};
use super::ratio;
use super::regions::{Region, regions};
use crate::stats::median;

/// At most this many regions are told one by one, the largest first.
const TOLD: usize = 12;

/// How many cells hold, the median and the worst ratio; then the regions in which we lose.
pub(crate) fn words(places: &[Measured], cpus: usize) -> Vec<String> {
    let judged: Vec<(&Measured, Verdict, f64)> =
        places.iter().filter_map(|one| Some((one, one.verdict()?, one.ratio()?))).collect();
    let axes = Axes::of(places);
    let mut out = Vec::new();
    let ratios: Vec<f64> = judged.iter().map(|&(_, _, ratio)| ratio).collect();
    let worst = judged.iter().min_by(|one, other| one.2.total_cmp(&other.2));
    if let (Some(middle), Some(worst)) = (median(&ratios), worst) {
        let hold = judged.iter().filter(|(_, verdict, _)| verdict.holds()).count();
        let at = axes.told(&Region(axes.place(worst.0).map(|value| vec![value])), cpus);
        let (all, middle, least) = (judged.len(), ratio(middle), ratio(worst.2));
        out.push(format!(
            "Plane: {hold} of {all} cells hold; the median ratio is {middle} ×, the worst {least} × ({at})"
        ));
    }
    let lost: Vec<&Measured> = judged
        .iter()
        .filter(|(_, verdict, _)| *verdict == Verdict::Lost)
        .map(|(place, ..)| *place)
        .collect();
    let regions = regions(&lost.iter().map(|place| axes.place(place)).collect::<Vec<_>>());
    let inside = |region: &Region| {
        lost.iter().copied().filter(|place| region.has(axes.place(place))).collect::<Vec<_>>()
    };
    for region in regions.iter().take(TOLD) {
        let (at, inside) = (axes.told(region, cpus), inside(region));
        out.push(format!("Plane, behind: {at}: {}", figures(&inside, cpus)));
    }
    let rest: Vec<&Measured> = regions.iter().skip(TOLD).flat_map(inside).collect();
    if !rest.is_empty() {
        let cells = counted(rest.len(), "cell");
        out.push(format!("Plane, behind: {cells} more: {}", figures(&rest, cpus)));
    }
    out.extend(left_out(places));
    out
}

/// The cells that have no fair peer, the cells in which ours starves a thread or a kind, and the
/// peers that do so.
fn left_out(places: &[Measured]) -> Vec<String> {
    let mut out = Vec::new();
    let alone = places.iter().filter(|one| one.ours.is_some() && one.best.is_none()).count();
    if alone > 0 {
        out.push(format!("Plane: no peer is fair in {}", counted(alone, "cell")));
    }
    let starving = places.iter().filter(|one| one.ours.is_some() && !one.fair).count();
    if starving > 0 {
        let cells = counted(starving, "cell");
        out.push(format!("Plane: ours starves somebody in {cells}, and holds none of them"));
    }
    let mut unfair: Vec<(&str, usize)> = Vec::new();
    for peer in places.iter().flat_map(|place| &place.unfair) {
        match unfair.iter_mut().find(|(name, _)| *name == peer.name()) {
            Some((_, count)) => *count += 1,
            None => unfair.push((peer.name(), 1)),
        }
    }
    if !unfair.is_empty() {
        unfair.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let each = unfair.iter().map(|(name, count)| format!("{name} in {count}"));
        let each = each.collect::<Vec<_>>().join(", ");
        let all = counted(places.len(), "cell");
        out.push(format!("Plane, starve somebody and are not compared there: {each} of {all}"));
    }
    out
}

/// The range of the ratios, and how busy our lock keeps the processors.
fn figures(places: &[&Measured], cpus: usize) -> String {
    let mut ratios: Vec<String> = [f64::min, f64::max]
        .into_iter()
        .filter_map(|pick| places.iter().filter_map(|place| place.ratio()).reduce(pick).map(ratio))
        .collect();
    ratios.dedup();
    let busy: Vec<f64> = places.iter().filter_map(|place| place.ours?.busy).collect();
    let busy = median(&busy).map(|busy| format!(", {busy:.1} of {} busy", processors(cpus)));
    format!("{} ×{}", ratios.join(" to "), busy.unwrap_or_default())
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn processors(cpus: usize) -> String {
    counted(cpus, "processor")
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::place;
    use super::*;
    use crate::subjects::Subject;

    #[test]
    fn plane_words_name_the_regions_in_which_we_lose() {
        let mut places = Vec::new();
        for hold in [1, 10, 100] {
            for pause in [0, 100] {
                for threads in [2, 4, 16] {
                    let lost = hold == 10 && threads > 2;
                    let ratio = if lost { 0.6 + threads as f64 / 100.0 } else { 1.2 };
                    places.push(place(hold, pause, threads, ratio));
                }
            }
        }
        places.push(place(100, 100, 2, 0.5));
        places[0].unfair.push(Subject::Pthread);
        insta::assert_snapshot!(words(&places, 2).join("\n"), @r"
        Plane: 14 of 19 cells hold; the median ratio is 1.20 ×, the worst 0.50 × (100 µs holds, pauses of 100 µs, 10 % writes, 1 × the processors)
        Plane, behind: 10 µs holds, 10 % writes, 2 × and 8 × the processors: 0.64 to 0.76 ×, 1.1 of 2 processors busy
        Plane, behind: 100 µs holds, pauses of 100 µs, 10 % writes, 1 × the processors: 0.50 ×, 1.1 of 2 processors busy
        Plane, starve somebody and are not compared there: pthread in 1 of 19 cells
        ");
    }

    #[test]
    fn plane_words_do_not_count_cells_in_which_ours_starves_somebody() {
        let unfair = Measured { fair: false, ..place(1, 0, 2, 2.0) };
        insta::assert_snapshot!(words(&[unfair, place(10, 0, 2, 1.0)], 2).join("\n"), @r"
        Plane: 1 of 2 cells hold; the median ratio is 1.50 ×, the worst 1.00 × (10 µs holds, no pause, 10 % writes, 1 × the processors)
        Plane: ours starves somebody in 1 cell, and holds none of them
        ");
    }

    #[test]
    fn plane_words_say_where_nobody_is_compared() {
        let alone = Measured { best: None, ..place(1, 0, 3, 1.0) };
        assert_eq!(words(&[alone], 2), ["Plane: no peer is fair in 1 cell"]);
    }
}
