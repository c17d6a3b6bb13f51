//! The tables of the sources on the machines that they were measured on, with the sources' figures
//! beside.

use siftlock_sim::presets;

use super::scene::{Pace, Scene};
use super::study::{Placement, Study};
use super::subjects::Subject;
use super::table::{median, spread};
use crate::report::published::{MIXED, Published, TRYLOCK};
use crate::report::{Grid, figure, say};

/// Shows both, each by these seeds.
pub(super) fn show(seeds: &[u64]) -> Result<(), String> {
    let ivb = presets::named("ivb-ex").ok_or("no such machine")?;
    let trylock = Study {
        machine: ivb.clone(),
        scene: Scene::TryLock,
        pace: Pace { load: 10, hold: 0, gap: 14 },
        threads: 1,
        placement: Placement::Compact,
        nanos: 3_000_000,
        seed: None,
    };
    let locks = [Subject::KernelLoadFirst, Subject::KernelCasFirst];
    say(&table(
        "the try-read patch on ivb-ex: try-read, load 10; gap, serial and keep fitted on it",
        &trylock,
        locks,
        &TRYLOCK,
        seeds,
    )?);
    let mixed = Study {
        scene: Scene::Each,
        pace: Pace { load: 10, hold: 0, gap: 20 },
        nanos: 100_000_000,
        ..trylock
    };
    let locks = [Subject::Patch10Before, Subject::Patch10After];
    let idle = "the whole-queue patch on ivb-ex, each thread by coin, idle states as published";
    say(&table(idle, &mixed, locks, &MIXED, seeds)?);
    let awake = Study { machine: ivb.without_idle_states(), ..mixed };
    let none = "the same without deep idle states";
    say(&table(none, &awake, locks, &MIXED, seeds)?);
    let now = [Subject::RwsemFirstWriter, Subject::Rwsem];
    say(&table(
        "the same switch on the lock as it is now, idle states as published",
        &Study { machine: mixed.machine.clone(), ..awake },
        now,
        &MIXED,
        seeds,
    )?);
    Ok(())
}

fn table(
    title: &str,
    study: &Study,
    [before, after]: [Subject; 2],
    published: &Published,
    seeds: &[u64],
) -> Result<String, String> {
    let head = [
        "threads",
        "before",
        "±%",
        "after",
        "±%",
        "ratio",
        "idle\n%",
        "published:\nbefore",
        "after",
        "ratio",
    ];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    // A source's first two rows are those before and after its change.
    let [was, is] = [0, 1].map(|row| published.rows[row].figures);
    for (&(threads, was), &(_, is)) in was.iter().zip(is) {
        let study = Study { threads, ..study.clone() };
        let runs = [study.of_seeds(before, seeds)?, study.of_seeds(after, seeds)?];
        let [old, new] = runs.each_ref().map(|runs| median(runs, |run| run.rate / 1e3));
        let idle = median(&runs[1], |run| run.idle);
        let percent = |share: f64| format!("{:.0}", share * 100.0);
        grid.row(
            &threads.to_string(),
            [
                figure(old),
                percent(spread(&runs[0])),
                figure(new),
                percent(spread(&runs[1])),
                format!("{:.2}", new / old),
                percent(idle),
                figure(was),
                figure(is),
                format!("{:.2}", is / was),
            ],
        );
    }
    Ok(grid.titled(title))
}
