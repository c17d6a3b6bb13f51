//! The tables of the sources on the machines that they were measured on, with the sources' figures
//! beside.

use siftlock_sim::presets;

use super::plan::joined;
use super::runs::by_seed;
use super::scene::{Pace, Scene};
use super::study::{Placement, Study};
use super::subjects::Subject;
use super::table::{median, spread};
use crate::error::Error;
use crate::report::published::{MIXED, Published, TRYLOCK};
use crate::report::{Grid, Steps, figure, percent, program, say, threads};

/// A source's table, and the runs for it.
struct Table {
    title: &'static str,
    scene: Scene,
    pace: Pace,
    millis: u64,
    has_deep_idle: bool,
    /// The lock before the source's change, and after it.
    locks: [Subject; 2],
    published: &'static Published,
}

const E2: Table = Table {
    title: "the whole-queue patch, each thread by coin, idle states as published",
    scene: Scene::Each,
    pace: Pace { load: 10, hold: 0, gap: 20 },
    millis: 100,
    has_deep_idle: true,
    locks: [Subject::Patch10Before, Subject::Patch10After],
    published: &MIXED,
};

const TABLES: [Table; 4] = [
    Table {
        title: "the try-read patch: try-read, load 10; gap, serial and keep fitted on it",
        scene: Scene::TryLock,
        pace: Pace { load: 10, hold: 0, gap: 14 },
        millis: 3,
        has_deep_idle: true,
        locks: [Subject::KernelLoadFirst, Subject::KernelCasFirst],
        published: &TRYLOCK,
    },
    E2,
    Table { title: "the same without deep idle states", has_deep_idle: false, ..E2 },
    Table {
        title: "the same switch on the lock as it is now, idle states as published",
        locks: [Subject::RwsemFirstWriter, Subject::Rwsem],
        ..E2
    },
];

/// The titles of the columns.
const HEAD: [&str; 10] = [
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

/// Shows all tables, with each of these seeds.
pub(super) fn show(seeds: &[u64]) -> Result<(), Error> {
    let machine = presets::ivb_ex().name;
    say(&format!("machine  {machine}\nprogram  {}\nseeds    {}", program(), joined(seeds)));
    let steps = Steps::of(TABLES.iter().map(|table| 2 * table.rows().count()).sum());
    TABLES.iter().try_for_each(|table| {
        steps.say(&table.shown(seeds, &steps)?);
        Ok(())
    })
}

impl Table {
    /// Numbers of threads, with the source's figures before and after its change.
    fn rows(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        // The source's first two rows are before and after its change.
        let [before, after] = [0, 1].map(|row| self.published.rows[row].figures);
        before.iter().zip(after).map(|(&(threads, before), &(_, after))| (threads, before, after))
    }

    /// A run on the machine that all tables were measured on.
    fn study(&self, threads: usize) -> Study {
        let machine = presets::ivb_ex();
        Study {
            machine: if self.has_deep_idle { machine } else { machine.without_idle_states() },
            scene: self.scene,
            pace: self.pace,
            threads,
            placement: Placement::Compact,
            nanos: self.millis * 1_000_000,
            seed: None,
        }
    }

    fn shown(&self, seeds: &[u64], steps: &Steps) -> Result<String, Error> {
        let mut grid = Grid::of_numbers(&HEAD.map(str::to_owned));
        for (number, was, is) in self.rows() {
            let study = self.study(number);
            let run = |lock: Subject| {
                steps.begin(format!("{}, {}", lock.name(), threads(&[number])));
                let runs = by_seed(&study, lock, seeds, |_, _| ());
                steps.end();
                runs
            };
            let [before, after] = [run(self.locks[0])?, run(self.locks[1])?];
            let [old, new] = [&before, &after].map(|runs| median(runs, |run| run.rate / 1e3));
            grid.row(
                &number.to_string(),
                [
                    figure(old),
                    spread(&before),
                    figure(new),
                    spread(&after),
                    format!("{:.2}", new / old),
                    percent(median(&after, |run| run.idle)),
                    figure(was),
                    figure(is),
                    format!("{:.2}", is / was),
                ],
            );
        }
        Ok(grid.titled(self.title))
    }
}
