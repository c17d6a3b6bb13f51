//! The tables of the sources on the machines that they were measured on, with the sources' figures
//! beside.

use siftlock_sim::presets;

use super::scene::{Pace, Scene};
use super::study::{Placement, Study};
use super::subjects::Subject;
use super::table::{median, spread};
use crate::report::{Grid, figure, say};

/// Thousands of operations a second of the try-read patch, on x86: before, after.
const TRYLOCK: [(usize, f64, f64); 4] =
    [(1, 14_496.0, 14_716.0), (2, 8_644.0, 8_453.0), (4, 6_799.0, 6_983.0), (8, 5_664.0, 7_190.0)];

/// Thousands of operations a second of the whole-queue patch: before, after.
const MIXED: [(usize, f64, f64); 6] = [
    (4, 1_641.0, 1_674.0),
    (8, 731.0, 1_062.0),
    (16, 564.0, 924.0),
    (32, 78.0, 300.0),
    (64, 38.0, 195.0),
    (240, 50.0, 149.0),
];

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
    published: &[(usize, f64, f64)],
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
    for &(threads, was, is) in published {
        let study = Study { threads, ..study.clone() };
        let runs = [study.of_seeds(before, seeds)?, study.of_seeds(after, seeds)?];
        let [old, new] =
            runs.each_ref().map(|runs| median(runs.iter().map(|it| it.rate / 1e3).collect()));
        let idle = median(runs[1].iter().map(|run| run.idle).collect());
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
