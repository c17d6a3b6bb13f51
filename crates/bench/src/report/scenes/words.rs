//! E4 and E5 in words, all made from the results.

use super::lines::IRQ;
use super::rival;
use crate::experiments::scenes::{Role, Scenes, Test};
use crate::machine::Clock;
use crate::report::numbers::{figure, times};
use crate::stats::{Takes, What, ratio};
use crate::subjects::{Role as As, Subject};

/// Where our lock stands.
pub(crate) fn words(takes: &Takes, scenes: Scenes, clock: &Clock) -> Vec<String> {
    let tests = scenes.tests();
    let mut out = Vec::new();
    match scenes {
        Scenes::Latency => {
            let crowded = tests.iter().filter(|test| test.interrupts);
            out.extend(crowded.filter_map(|test| kept_out(takes, test, clock)));
        }
        Scenes::Delays => {
            let alone = tests.iter().filter(|test| test.only_role().is_some());
            out.extend(alone.filter_map(|test| uncontended(takes, test)));
            let crowded = tests.iter().filter(|test| test.interrupts && test.only_role().is_none());
            for test in crowded {
                out.extend(writers(takes, test));
                let quiet = tests.iter().find(|test| test.only_role() == Some(Role::Bystander));
                out.extend(quiet.and_then(|quiet| handlers(takes, quiet, test)));
            }
        }
    }
    out.extend(rival::sentence(takes, scenes));
    out
}

/// The other locks that know contexts, as far as they took part.
fn others(takes: &Takes, test: &Test) -> Vec<Subject> {
    let other = |one: &Subject| *one != Subject::Psrw && one.role() == As::Placed;
    takes.subjects(test).into_iter().filter(other).collect()
}

/// How long interrupts were kept out under contention: the longest time of all threads, and the
/// 99.9 % of the writers alone, since rounds of failed tries make many short times.
fn kept_out(takes: &Takes, test: &Test, clock: &Clock) -> Option<String> {
    let figures = |subject| {
        let longest = takes.figures(test, subject, What::Masked(IRQ))?.cpu_max;
        let usual = takes.figures(test, subject, What::MaskedBy(Role::Writer, IRQ))?.cpu_p999;
        Some([longest, usual])
    };
    let ours = figures(Subject::Psrw)?;
    let each = others(takes, test).into_iter().filter_map(|other| {
        let theirs = figures(other)?;
        let over = |at: usize| ratio(Some(theirs[at] as f64), Some(ours[at] as f64)).map(times);
        Some(format!("{} {} × and {} ×", other.name(), over(0)?, over(1)?))
    });
    let each: Vec<String> = each.collect();
    let floor = figures(Subject::Limit).map(|[longest, _]| figure(clock.micros(longest)));
    let floor = floor.map_or_else(String::new, |longest| {
        format!(" (limit, which never waits: {longest} µs at the longest)")
    });
    let [longest, usual] = ours.map(|ticks| figure(clock.micros(ticks)));
    Some(format!(
        "E4, {}: psrw keeps interrupts out for {longest} µs of CPU time at the longest, its writers \
         for {usual} µs at 99.9 %{floor}; {}",
        test.title,
        if each.is_empty() { "nobody else took part".to_owned() } else { each.join(", ") },
    ))
}

/// Lock and unlock together, at the median, against the floor.
fn uncontended(takes: &Takes, test: &Test) -> Option<String> {
    let role = test.only_role()?;
    let (lock, unlock) = match role {
        Role::Bystander => (What::InterruptLock, What::InterruptUnlock),
        role => (What::Lock(role), What::Unlock(role)),
    };
    let pair = |subject| {
        let p50 = |what| takes.figures(test, subject, what).map(|f| f.p50);
        Some((p50(lock)? + p50(unlock)?) as f64)
    };
    let ours = pair(Subject::Psrw)?;
    let mut parts = vec![format!("psrw {} cycles", figure(ours))];
    let floor = ratio(Some(ours), pair(Subject::Limit));
    parts.extend(floor.map(|floor| format!("{} × limit", times(floor))));
    let each = others(takes, test).into_iter();
    parts.extend(
        each.filter_map(|other| Some(format!("{} {}", other.name(), figure(pair(other)?)))),
    );
    Some(format!("E5, {}, lock + unlock at the median: {}", test.title, parts.join(", ")))
}

/// Whether the writers progress alike, and their longest delay.
fn writers(takes: &Takes, test: &Test) -> Option<String> {
    let told = |subject: Subject| {
        let rates = takes.rates(test, subject, Role::Writer);
        let least = rates.iter().copied().reduce(f64::min)?;
        let most = rates.iter().copied().reduce(f64::max)?;
        let longest = takes.figures(test, subject, What::Lock(Role::Writer))?;
        let (max, cpu) = (figure(longest.max as f64), figure(longest.cpu_max as f64));
        let share = ratio(Some(least), Some(most)).map_or_else(|| "0".to_owned(), times);
        Some(format!("{} {share}, {max} ({cpu})", subject.name()))
    };
    let ours = told(Subject::Psrw)?;
    let each = others(takes, test).into_iter().filter_map(told);
    let all: Vec<String> = [ours].into_iter().chain(each).collect();
    Some(format!(
        "E5, {}: slower writer / faster, longest lock delay in cycles (in CPU time): {}",
        test.title,
        all.join("; ")
    ))
}

/// The handlers' delays with and without contention, at the median.
fn handlers(takes: &Takes, quiet: &Test, crowded: &Test) -> Option<String> {
    let told = |subject: Subject| {
        let step = |what| {
            let p50 = |test| takes.figures(test, subject, what).map(|f| f.p50 as f64);
            ratio(p50(crowded), p50(quiet)).map(times)
        };
        let (lock, unlock) = (step(What::InterruptLock)?, step(What::InterruptUnlock)?);
        Some(format!("{} {lock} × and {unlock} ×", subject.name()))
    };
    let ours = told(Subject::Psrw)?;
    let each = others(takes, crowded).into_iter().filter_map(told);
    let all: Vec<String> = [ours].into_iter().chain(each).collect();
    Some(format!(
        "E5, interrupt readers, lock and unlock delay under contention over without, at the \
         median: {}",
        all.join(", ")
    ))
}
