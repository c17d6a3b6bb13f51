//! From the command line to studies: the defaults of each experiment, and the quick comparison.

use std::time::Duration;

use super::changes::ChangesStudy;
use super::inquiry::Inquiry;
use super::plane::PlaneStudy;
use super::readers::{BIASES, ReadersStudy};
#[cfg(target_os = "linux")]
use super::scenes::SceneStudy;
use super::study::{Study, What};
use crate::cli::{Cli, Command, PointArgs, distinct};
#[cfg(target_os = "linux")]
use crate::experiments::scenes::Scenes;
use crate::experiments::{Hold, Mix};
use crate::machine::Pinning;
use crate::report::Detail;
use crate::run::Plan;
use crate::subjects::{Role, Subject};

/// The load of the sources' critical sections.
const SOURCE_LOAD: u32 = 10;
/// The two forms of try-read.
const TRY_READ_FORMS: [Subject; 2] = [Subject::RwsemCasFirst, Subject::RwsemLoadFirst];
/// Before and after the whole-queue patch, on the lock as it stood then and on ours; then ours with
/// each of its other policies changed.
const MIXED_POLICIES: [Subject; 20] = [
    Subject::RwsemPatch10Before,
    Subject::RwsemPatch10After,
    Subject::RwsemFirstWriter,
    Subject::Rwsem,
    Subject::RwsemClassic,
    Subject::RwsemNoSpin,
    Subject::RwsemAlwaysSpins,
    Subject::RwsemNoBackOff,
    Subject::RwsemNoAsking,
    Subject::RwsemNoReaderSpin,
    Subject::RwsemNoLook,
    Subject::RwsemNoStealing,
    Subject::RwsemNoJoining,
    Subject::RwsemNoQueueing,
    Subject::RwsemNoAlternation,
    Subject::RwsemNoPassLimit,
    Subject::RwsemWholeBatches,
    Subject::RwsemNoTree,
    Subject::RwsemNoDoze,
    Subject::RwsemNoGivingWay,
];

/// Ours without each tweak of the anon-vma report.
const MAIL_TWEAKS: [Subject; 5] = [
    Subject::Rwsem,
    Subject::RwsemNoSpin,
    Subject::RwsemAlwaysSpins,
    Subject::RwsemNoLook,
    Subject::RwsemNoStealing,
];

/// An experiment's defaults.
struct Defaults {
    threads: &'static [usize],
    millis: u64,
    rounds: usize,
    load: u32,
}

const UNCONTENDED: Defaults = Defaults { threads: &[1], millis: 100, rounds: 9, load: 0 };
const TRYLOCK: Defaults =
    Defaults { threads: &[1, 2, 4, 8], millis: 500, rounds: 5, load: SOURCE_LOAD };
const MIXED: Defaults =
    Defaults { threads: &[4, 8, 16, 32, 64, 240], millis: 1000, rounds: 3, load: SOURCE_LOAD };

/// Clients for each CPU.
const MAIL: Defaults = Defaults { threads: &[1, 2, 4], millis: 1000, rounds: 5, load: 0 };

/// Threads for each CPU.
const HOLDS: Defaults = Defaults { threads: &[1, 2, 4, 16], millis: 200, rounds: 3, load: 0 };
/// Readers.
const WAKEUPS: Defaults = Defaults { threads: &[16, 64, 256], millis: 300, rounds: 3, load: 0 };
/// Writers of the kernel's test that sleeps inside.
const SLEEPERS: usize = 240;

// The quick comparison: with the usual subjects about a minute and a half together.
const QUICK_UNCONTENDED: Defaults = Defaults { millis: 20, rounds: 7, ..UNCONTENDED };
const QUICK_TRYLOCK: Defaults = Defaults { millis: 60, rounds: 3, ..TRYLOCK };
const QUICK_MIXED: Defaults =
    Defaults { threads: &[2, 4, 8, 16], millis: 200, rounds: 3, load: SOURCE_LOAD };

const QUICK_MAIL: Defaults = Defaults { threads: &[2], millis: 100, rounds: 3, load: 0 };

/// Whether threads are bound: as asked, or else where the experiment is about latency.
pub(super) fn pins(cli: &Cli) -> bool {
    #[cfg(target_os = "linux")]
    if matches!(cli.command, Some(Command::Latency { .. } | Command::Delays { .. })) {
        return !cli.no_pin;
    }
    cli.pin
}

/// The inquiries that the command line asks for, and the name of the whole.
pub(super) fn inquiries(cli: &Cli, pinning: &Pinning) -> (&'static str, Vec<Inquiry>) {
    let subjects = |extra: &[Subject], only_extra| choose(&cli.subjects, extra, only_extra);
    let study = |what, subjects, defaults: &Defaults, point: &PointArgs, detail| Study {
        what,
        plan: defaults.plan(point, subjects, pinning),
        load: point.load.unwrap_or(defaults.load),
        detail,
        together: false,
    };
    // Threads by the number of CPUs, and no floors: they protect nothing.
    let by_cpus =
        |what, mut subjects: Vec<Subject>, defaults: &Defaults, point: &PointArgs, detail| {
            subjects.retain(|subject| subject.role() != Role::Floor);
            let mut study = study(what, subjects, defaults, point, detail);
            if point.threads.is_empty() {
                let cpus = std::thread::available_parallelism().map_or(1, usize::from);
                study.plan.threads = defaults.threads.iter().map(|each| each * cpus).collect();
            }
            study
        };
    let Some(command) = &cli.command else {
        let point = &PointArgs::default();
        let brief = |what, extra, defaults| {
            study(what, subjects(extra, false), defaults, point, Detail::Brief)
        };
        let quick = vec![
            Inquiry::Study(brief(What::Uncontended, &[], &QUICK_UNCONTENDED)),
            Inquiry::Study(brief(What::TryLock, &TRY_READ_FORMS, &QUICK_TRYLOCK)),
            Inquiry::Study(brief(What::Mixed(Mix::Dedicated), &[], &QUICK_MIXED)),
            Inquiry::Study(by_cpus(
                What::Mail,
                subjects(&[], false),
                &QUICK_MAIL,
                point,
                Detail::Brief,
            )),
            Inquiry::Plane(PlaneStudy::quick(cli, pinning)),
            #[cfg(target_os = "linux")]
            Inquiry::Scenes(SceneStudy::quick(cli, pinning)),
        ];
        return ("quick", quick);
    };
    let one = Inquiry::Study(match command {
        Command::Holds { point, holds, together } => {
            let holds = distinct(if holds.is_empty() { &Hold::ALL } else { holds });
            let each = holds.iter().map(|&hold| {
                let subjects = subjects(&[], false);
                let mut study = by_cpus(What::Holds(hold), subjects, &HOLDS, point, Detail::Full);
                if hold == Hold::Sleep && point.threads.is_empty() {
                    study.plan.threads.push(SLEEPERS);
                }
                // Every thread of `Hold::Sleep` writes: there are no reads to count.
                study.together = *together && hold != Hold::Sleep;
                Inquiry::Study(study)
            });
            return ("holds", each.collect());
        }
        // Nothing is measured: see `simulate`.
        Command::Simulate { .. } => return ("simulate", Vec::new()),
        // Nothing is measured: see `trace`.
        #[cfg(target_os = "linux")]
        Command::Trace { .. } => return ("trace", Vec::new()),
        Command::Plane { plane } => {
            let one = Inquiry::Plane(PlaneStudy::new(plane, cli, pinning));
            return (one.name(), vec![one]);
        }
        Command::Changes { changes } => {
            let one = Inquiry::Changes(ChangesStudy::new(changes, cli, pinning));
            return (one.name(), vec![one]);
        }
        Command::Readers { readers } => {
            let subjects = subjects(&BIASES, readers.policies);
            let one = Inquiry::Readers(ReadersStudy::new(readers, subjects, pinning));
            return (one.name(), vec![one]);
        }
        #[cfg(target_os = "linux")]
        Command::Latency { scene } | Command::Delays { scene } => {
            let latency = matches!(command, Command::Latency { .. });
            let scenes = if latency { Scenes::Latency } else { Scenes::Delays };
            let one = Inquiry::Scenes(SceneStudy::new(scenes, scene, cli, pinning));
            return (one.name(), vec![one]);
        }
        Command::Wakeups { point } => {
            let mut subjects = subjects(&[Subject::RwsemNoTree, Subject::RwsemCalls], false);
            subjects.retain(|subject| subject.role() != Role::Floor);
            study(What::Wakeups, subjects, &WAKEUPS, point, Detail::Full)
        }
        Command::Uncontended { point } => {
            study(What::Uncontended, subjects(&[], false), &UNCONTENDED, point, Detail::Full)
        }
        Command::Trylock { point, policies } => {
            let subjects = subjects(&TRY_READ_FORMS, *policies);
            study(What::TryLock, subjects, &TRYLOCK, point, Detail::Full)
        }
        Command::Mail { point, policies } => {
            let subjects = subjects(&MAIL_TWEAKS, *policies);
            by_cpus(What::Mail, subjects, &MAIL, point, Detail::Full)
        }
        Command::Mixed { point, mix, together, policies } => {
            let extra: &[Subject] = if *policies { &MIXED_POLICIES } else { &[] };
            let subjects = subjects(extra, *policies);
            let study = study(What::Mixed(*mix), subjects, &MIXED, point, Detail::Full);
            Study { together: *together && *mix != Mix::Writers, ..study }
        }
    });
    (one.name(), vec![one])
}

/// The subjects, in the order of the roster, each once: the named ones, or else the usual ones and
/// the experiment's variants. With `only_variants`: the variants, and the named ones.
fn choose(named: &[Subject], variants: &[Subject], only_variants: bool) -> Vec<Subject> {
    let chosen = match (named, only_variants) {
        ([], true) => variants.to_vec(),
        ([], false) => [&Subject::usual(), variants].concat(),
        (named, true) => [named, variants].concat(),
        (named, false) => named.to_vec(),
    };
    Subject::ALL.iter().copied().filter(|subject| chosen.contains(subject)).collect()
}

impl Defaults {
    fn plan(&self, point: &PointArgs, subjects: Vec<Subject>, pinning: &Pinning) -> Plan {
        let threads = if point.threads.is_empty() { self.threads } else { &point.threads };
        Plan {
            subjects,
            threads: distinct(threads),
            rounds: point.rounds.unwrap_or(self.rounds),
            window: point.seconds.unwrap_or(Duration::from_millis(self.millis)),
            pinning: pinning.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
