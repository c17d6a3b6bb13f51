//! The tables of E4 and E5, the published figures beside ours.

use super::lines::{CLASSES, IRQ};
use super::published;
use crate::experiments::scenes::{Role, Test};
use crate::machine::Clock;
use crate::report::grid::Grid;
use crate::report::numbers::{NONE, figure, or_none};
use crate::stats::{Figures, Takes, What};

/// E4: a row for each subject and each class that it kept out.
pub(super) fn latency(takes: &Takes, test: &Test, clock: &Clock) -> Vec<String> {
    let head = ["", "masked\n/s", "min", "avg", "99.9 %", "longest"];
    let head = head.into_iter().chain(["99.9 %\nCPU", "longest\nCPU", "longest\nCPU µs"]);
    let mut grid = Grid::of_numbers(&head.map(str::to_owned).collect::<Vec<_>>());
    let mut empty = true;
    // A round of failed tries makes many short times, so the writers' times are shown apart as
    // well.
    let crowded = test.only_role().is_none() && test.cast.iter().any(|(role, _)| role.tries());
    let writers = (What::MaskedBy(Role::Writer, IRQ), "IRQ, writers".to_owned());
    let mut add = |grid: &mut Grid, what, name: &str| {
        for subject in takes.subjects(test) {
            let Some(f) = takes.figures(test, subject, what) else { continue };
            let rate = f.count as f64 / takes.seconds(test, subject);
            let micros = figure(clock.micros(f.cpu_max));
            let cells = [f.min, f.avg, f.p999, f.max, f.cpu_p999, f.cpu_max].map(cycles);
            let cells = [figure(rate)].into_iter().chain(cells).chain([micros]);
            grid.row(&format!("{name}  {}", subject.name()), cells);
            empty = false;
        }
    };
    if crowded {
        add(&mut grid, writers.0, &writers.1);
    }
    for (class, name) in CLASSES.iter().enumerate().rev() {
        add(&mut grid, What::Masked(class), name);
        for row in published::masked(test.name, class) {
            let cells = [
                or_none(row.rate, figure),
                or_none(row.min, figure),
                or_none(row.avg, figure),
                NONE.to_owned(),
                figure(row.max),
            ];
            grid.row(&format!("{name}  {}", row.label), pad(cells, 8));
        }
    }
    let title = format!("E4, {}: how long contexts were kept out, in cycles", test.title);
    if empty { Vec::new() } else { vec![grid.titled(&title)] }
}

/// E5: a table for each role, and one for the handlers.
pub(super) fn delays(takes: &Takes, test: &Test) -> Vec<String> {
    let roles = test.cast.iter().map(|&(role, _)| role).filter(|role| *role != Role::Bystander);
    let mut out: Vec<String> = roles.filter_map(|role| of_role(takes, test, Some(role))).collect();
    if test.interrupts {
        out.extend(of_role(takes, test, None));
    }
    out
}

/// One role's delays; without a role, the handlers' delays.
fn of_role(takes: &Takes, test: &Test, role: Option<Role>) -> Option<String> {
    let who = role.map_or("interrupt readers", Role::label);
    let (lock, unlock) = match role {
        Some(role) => (What::Lock(role), What::Unlock(role)),
        None => (What::InterruptLock, What::InterruptUnlock),
    };
    let head = ["", "least\n/s", "most\n/s", "lock\n50 %", "avg", "99.9 %", "longest"];
    let head = head.into_iter().chain(["longest\nCPU", "unlock\n50 %", "avg", "99.9 %"]);
    let head = head.chain(["longest", "longest\nCPU"]).map(str::to_owned);
    let mut grid = Grid::of_numbers(&head.collect::<Vec<_>>());
    let mut empty = true;
    for subject in takes.subjects(test) {
        let taken = takes.figures(test, subject, lock);
        // Handlers that never read are none; a thread that never got in has taken part.
        if taken.is_none() && role.is_none() {
            continue;
        }
        let left = takes.figures(test, subject, unlock);
        let rates = role.map_or_else(Vec::new, |role| takes.rates(test, subject, role));
        let cells = extremes(&rates).into_iter().chain(of_step(taken)).chain(of_step(left));
        grid.row(subject.name(), cells);
        empty = false;
    }
    for row in published::delays(test.name, who) {
        let step = |[avg, max]: [f64; 2]| {
            [NONE.to_owned(), figure(avg), NONE.to_owned(), figure(max), NONE.to_owned()]
        };
        let cells = extremes(&row.rates).into_iter().chain(step(row.lock)).chain(step(row.unlock));
        grid.row(row.label, cells);
    }
    let title = format!("E5, {}: {who}, cycles to take and to release", test.title);
    (!empty).then(|| grid.titled(&title))
}

fn of_step(f: Option<Figures>) -> [String; 5] {
    match f {
        Some(f) => [f.p50, f.avg, f.p999, f.max, f.cpu_max].map(cycles),
        None => [NONE; 5].map(str::to_owned),
    }
}

fn cycles(cycles: u64) -> String {
    let text = figure(cycles as f64);
    // Cycles are whole.
    text.split('.').next().unwrap_or(&text).to_owned()
}

/// The slowest and the fastest thread.
fn extremes(rates: &[f64]) -> [String; 2] {
    let least = rates.iter().copied().reduce(f64::min);
    [least, rates.iter().copied().reduce(f64::max)].map(|rate| or_none(rate, figure))
}

fn pad(cells: impl IntoIterator<Item = String>, to: usize) -> impl Iterator<Item = String> {
    cells.into_iter().chain(std::iter::repeat(NONE.to_owned())).take(to)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiments::scenes::DELAYS;
    use crate::stats::{Part, Take};
    use crate::subjects::Subject;

    /// The crowded test.
    pub(in super::super) const TEST: &Test = &DELAYS[5];

    /// A sample in which the only thread that acted tried in vain, twice.
    pub(in super::super) fn failed() -> Takes {
        let part = |seat| {
            let (role, number) = TEST.role(seat);
            let mut part = Part::new(role, number);
            if (role, number) == (Role::TrylockReader, 0) {
                (part.tries, part.gave_up) = (200, 2);
            }
            part
        };
        let parts = (0..TEST.threads()).map(part).collect();
        let (subject, pressure) = (Subject::Psrw, Vec::new());
        Takes { takes: vec![Take { subject, test: TEST, seconds: 2.0, parts, pressure }] }
    }

    #[test]
    fn table_of_delays_has_a_subject_that_never_got_in() {
        let table = of_role(&failed(), TEST, Some(Role::TrylockReader)).expect("a table");
        let row = table.lines().find(|line| line.trim_start().starts_with("psrw "));
        let cells: Vec<_> = row.expect("a row").split_whitespace().collect();
        assert_eq!(cells[..3], ["psrw", "0.00", "0.00"]);
        assert!(cells[3..].iter().all(|&cell| cell == NONE), "{cells:?}");
        assert!(of_role(&failed(), TEST, None).is_none(), "no handler has read");
    }
}
