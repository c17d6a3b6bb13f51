//! The plane of holds, pauses, threads and writes, on a simulated machine.

use std::time::Duration;

use super::plan::{at_least, seeds};
use super::runs::by_seed;
use super::scene::{Pace, Scene};
use super::setting::Setting;
use super::study::{Placement, Study};
use super::subjects::Subject;
use super::table::{Cell, median};
use crate::cli::{SimulateArgs, distinct};
use crate::error::Error;
use crate::report::{self, Grid, Steps, figure, say};

/// Nanoseconds.
const HOLDS: [u64; 4] = [50, 1_000, 10_000, 100_000];
const GAPS: [u64; 4] = [1, 1_000, 10_000, 100_000];
/// Threads for each processor.
const THREADS: [usize; 3] = [1, 2, 8];
/// Of a hundred sections.
const WRITES: [f64; 5] = [100.0, 50.0, 10.0, 1.0, 0.0];
/// Milliseconds of a run at least.
const MILLIS: u64 = 20;

/// The axes of the plane, and its machine.
struct Plane<'a> {
    args: &'a SimulateArgs,
    setting: Setting,
    holds: Vec<u64>,
    gaps: Vec<u64>,
}

/// Shows a map for each number of threads and share of writes.
pub(super) fn show(args: &SimulateArgs) -> Result<(), Error> {
    let setting = Setting::of(args)?;
    let processors = setting.machine.topology.processors();
    let threads = match &args.threads[..] {
        [] => THREADS.map(|each| each * processors).to_vec(),
        some => distinct(some),
    };
    let writes = args.write_share.map_or(WRITES.to_vec(), |share| vec![share]);
    let plane = Plane {
        args,
        setting,
        holds: args.hold.map_or(HOLDS.to_vec(), |hold| vec![hold]),
        gaps: args.gap.map_or(GAPS.to_vec(), |gap| vec![gap]),
    };
    say(&format!(
        "{}\ncells    the rate over that of a mutex · % of the reads that begin beside another · \
         % of the time that processors are idle",
        plane.setting.head(),
    ));
    let steps = Steps::of(threads.len() * writes.len() * plane.holds.len() * plane.gaps.len());
    for &threads in &threads {
        for &writes in &writes {
            let map = plane.map(threads, writes, &steps)?;
            steps.say(&map);
        }
    }
    Ok(())
}

impl Plane<'_> {
    fn map(&self, threads: usize, writes: f64, steps: &Steps) -> Result<String, Error> {
        let title = format!("plane, {}, {writes} % writes", report::threads(&[threads]));
        let mut head = vec!["hold, pause".to_owned()];
        head.extend(self.gaps.iter().map(|&gap| time(gap)));
        let mut grid = Grid::of_numbers(&head);
        for &hold in &self.holds {
            let mut row = Vec::new();
            for &gap in &self.gaps {
                steps.begin(format!("{title}, {} and {}", time(hold), time(gap)));
                let study = self.study(threads, writes, Pace { load: 0, hold, gap });
                let run = |lock| by_seed(&study, lock, &seeds(self.args), |_, _| ());
                row.push(shown(&run(Subject::Rwsem)?, &run(Subject::Mutex)?));
                steps.end();
            }
            grid.row(&time(hold), row);
        }
        Ok(grid.titled(&title))
    }

    fn study(&self, threads: usize, writes: f64, pace: Pace) -> Study {
        let machine = self.setting.machine.clone();
        let millis = self.args.ms.unwrap_or_else(|| at_least(MILLIS, &machine, threads));
        Study {
            machine,
            scene: Scene::Readers { writes },
            pace,
            threads,
            placement: self.args.placement.unwrap_or(Placement::Compact),
            nanos: millis * 1_000_000,
            seed: None,
        }
    }
}

/// A cell: our runs against a mutex's.
fn shown(ours: &Cell, mutex: &Cell) -> String {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let together = match median(ours, |run| run.reads as f64) {
        0.0 => "–".to_owned(),
        _ => percent(median(ours, |run| run.together as f64 / run.reads.max(1) as f64)),
    };
    let ratio = median(ours, |run| run.rate) / median(mutex, |run| run.rate);
    format!("{} · {together} · {}", figure(ratio), percent(median(ours, |run| run.idle)))
}

fn time(nanos: u64) -> String {
    report::plane::time(Duration::from_nanos(nanos))
}
