//! E4 and E5: tables and words.
//!
//! For each test: its conditions, the lines in the form of the 2008 lock ([`lines`]), a table with
//! the published figures beside ours ([`tables`], [`published`]), and the subjects that could not
//! take part, with the reasons.

mod lines;
pub(crate) mod published;
mod rival;
mod rows;
mod tables;
mod words;

use std::time::Duration;

pub(crate) use self::rows::rows;
pub(crate) use self::words::words;
use super::Detail;
use super::pressure::table;
use crate::experiments::scenes::{
    FAIL_AFTER, Role, Scenes, TRYLOCK_WRITER_DELAY, Test, WRITER_DELAY, absence,
};
use crate::machine::Clock;
use crate::run::ScenePlan;
use crate::stats::{Takes, median};
use crate::subjects::{Role as As, Subject};

/// With at most this many subjects, each has its lines. With more, our semaphore and the peers have
/// none.
const NAMED: usize = 3;

/// Everything but the words.
pub(crate) fn shown(takes: &Takes, plan: &ScenePlan, clock: &Clock, detail: Detail) -> String {
    let each = plan.tests.iter().map(|&test| {
        let mut parts = vec![heading(plan, test)];
        if detail == Detail::Full {
            let lined = |subject: &Subject| {
                !matches!(subject.role(), As::Ours | As::Peer) || plan.subjects.len() <= NAMED
            };
            let subjects = takes.subjects(test).into_iter().filter(lined);
            parts.extend(subjects.map(|subject| lines::of(takes, plan.scenes, test, subject)));
        }
        parts.extend(match plan.scenes {
            Scenes::Latency => tables::latency(takes, test, clock),
            Scenes::Delays => tables::delays(takes, test),
        });
        parts.extend(absent(plan, test));
        parts.extend(otherwise(takes, test));
        parts.extend(lost(takes, test));
        parts.join("\n")
    });
    let note = match plan.scenes {
        Scenes::Latency => {
            "from the moment when a class is masked to the moment before it is let in; CPU: the \
             thread's own CPU time"
        }
        Scenes::Delays => {
            "what reading the counter costs at least is subtracted; CPU: the thread's own CPU time"
        }
    };
    format!(
        "{}\ncycles, {note}; medians of the rounds, extremes of all",
        each.collect::<Vec<_>>().join("\n")
    )
}

/// How the threads of each test fared together, and what they cost.
pub(crate) fn pressure(takes: &Takes, plan: &ScenePlan) -> String {
    let experiment = label(plan.scenes);
    let each = plan.tests.iter().map(|&test| {
        let title = format!("{experiment} under pressure, {}: sections of all roles", test.title);
        table(&title, &takes.subjects(test), |subject, metric| {
            median(&takes.pressure(test, subject, metric))
        })
    });
    let dash = match plan.scenes {
        Scenes::Latency => "–: the threads of E4 do not look at the clock when they wait",
        Scenes::Delays => "–: nobody took the lock",
    };
    let tables = each.map(|table| format!("\n{table}")).collect::<String>();
    format!("{tables}\n{dash}; a writer pauses between sections, so threads differ by role")
}

fn label(scenes: Scenes) -> &'static str {
    match scenes {
        Scenes::Latency => "E4",
        Scenes::Delays => "E5",
    }
}

/// The conditions of a test.
fn heading(plan: &ScenePlan, test: &Test) -> String {
    let experiment = label(plan.scenes);
    let short = |time: Duration| humantime::format_duration(time).to_string();
    let cast = test.cast.iter().map(|(role, number)| format!("{number} {}", role.label()));
    let mut facts = vec![cast.collect::<Vec<_>>().join(", ")];
    if test.cast.iter().any(|(role, _)| role.tries()) {
        facts.push(format!("fail after {FAIL_AFTER} tries"));
    }
    if test.interrupts {
        facts.push(format!("interrupt readers each {}", short(plan.interrupt_delay)));
    }
    let pausing = |(role, _): &(Role, usize)| matches!(role, Role::Writer | Role::TrylockWriter);
    if test.cast.iter().any(pausing) {
        let how = if plan.scheduling(test).is_roomy() { "awake" } else { "asleep" };
        let (writer, trylock) = (short(WRITER_DELAY), short(TRYLOCK_WRITER_DELAY));
        facts.push(format!("pauses of {writer} (trylock writers {trylock}), {how}"));
    }
    if !test.inside.is_zero() {
        facts.push(format!("{} inside", short(test.inside)));
    }
    let bound = if plan.pinning.is_on() { "pinned" } else { "not pinned" };
    let how = plan.scheduling(test).words();
    facts.push(format!("{} rounds of {}", plan.rounds, short(plan.window(test))));
    facts.push(format!("threads {bound}, {how}"));
    format!("\n** {experiment}: {} **\n{}", test.title, facts.join("; "))
}

/// The subjects that could not take part in a test at all, and why.
fn absent(plan: &ScenePlan, test: &Test) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for &subject in &plan.subjects {
        let Some(why) = absence(plan.scenes, subject, test) else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(subject.name()),
            None => reasons.push((why, vec![subject.name()])),
        }
    }
    let told = |(why, names): (&str, Vec<&str>)| format!("N/A: {why}: {}", names.join(", "));
    reasons.into_iter().map(told).collect()
}

/// The subjects of which some reads in handlers have no times.
fn lost(takes: &Takes, test: &Test) -> Vec<String> {
    let of = |subject: Subject| {
        let parts = takes.of(test, subject).flat_map(|take| &take.parts);
        let lost = parts.map(|part| part.lost_interruptions).sum::<u64>();
        (lost > 0).then(|| {
            format!(
                "{}: {lost} reads of handlers came after the last that a sample has room for, and \
                 are in no figure; give fewer --seconds, or more to --interrupts-every",
                subject.name()
            )
        })
    };
    takes.subjects(test).into_iter().filter_map(of).collect()
}

/// The subjects that took part in another way than the test says.
fn otherwise(takes: &Takes, test: &Test) -> Vec<String> {
    let subjects = takes.subjects(test);
    let named = |wanted: fn(Subject) -> bool| {
        let names: Vec<_> =
            subjects.iter().filter(|one| wanted(**one)).map(|one| one.name()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let plays = |role| test.cast.iter().any(|(one, _)| *one == role);
    let mut out = Vec::new();
    if plays(Role::PreemptibleReader) || plays(Role::TrylockReader) {
        let names = named(|subject| !subject.serves_threads());
        out.extend(names.map(|names| format!("preemption masked by every reader of: {names}")));
    }
    if plays(Role::NonPreemptibleReader) {
        let names = named(|subject| !subject.serves_non_preemptibles());
        out.extend(names.map(|names| format!("npreader_thread reads as any thread: {names}")));
    }
    if test.interrupts {
        let names = named(|subject| !subject.serves_handlers());
        let told =
            |names| format!("no interrupt readers, since no signal handler may read: {names}");
        out.extend(names.map(told));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handlers_whose_times_were_not_kept_are_named() {
        let mut takes = tables::tests::failed();
        let test = takes.takes[0].test;
        assert!(lost(&takes, test).is_empty());
        takes.takes[0].parts[0].lost_interruptions = 7;
        assert!(lost(&takes, test)[0].starts_with("psrw: 7 reads of handlers"));
    }
}
