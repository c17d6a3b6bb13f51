//! E4 and E5 in the file of results: for each thread and each of its times the figures of every
//! round, and one histogram over all of them.

use serde_json::{Value, json};

use super::lines::CLASSES;
use crate::experiments::scenes::{Scenes, Test};
use crate::stats::{Metric, Take, Takes, Times, What, median};
use crate::subjects::Subject;

/// All rows.
pub(crate) fn rows(takes: &Takes, scenes: Scenes) -> Vec<Value> {
    let tests = scenes.tests().iter();
    let each = tests.flat_map(|test| takes.subjects(test).into_iter().map(move |one| (test, one)));
    each.flat_map(|(test, subject)| of(takes, scenes, test, subject)).collect()
}

fn of(takes: &Takes, scenes: Scenes, test: &'static Test, subject: Subject) -> Vec<Value> {
    let mut out = Vec::new();
    for seat in 0..test.threads() {
        let (role, number) = test.role(seat);
        let counts = |count: fn(&crate::stats::Part) -> u64| {
            let each = takes.of(test, subject).map(|take| count(&take.parts[seat]));
            each.collect::<Vec<_>>()
        };
        let whats: Vec<(String, What)> = match scenes {
            Scenes::Latency => (0..CLASSES.len())
                .map(|class| (format!("masked {}", CLASSES[class]), What::Masked(class)))
                .collect(),
            Scenes::Delays => vec![
                ("lock delay".to_owned(), What::Lock(role)),
                ("unlock delay".to_owned(), What::Unlock(role)),
                ("interrupt lock delay".to_owned(), What::InterruptLock),
                ("interrupt unlock delay".to_owned(), What::InterruptUnlock),
            ],
        };
        for (name, what) in whats {
            let in_round = |take: &Take| what.of(&take.parts[seat])?.figures();
            let rounds: Vec<_> = takes.of(test, subject).map(in_round).collect();
            // A thread whose tries all failed has no times, but it has taken part.
            let took_part = matches!(what, What::Lock(_) | What::Unlock(_))
                && takes.counts(test, subject, seat).tries > 0;
            if rounds.iter().all(Option::is_none) && !took_part {
                continue;
            }
            let all = takes.thread(test, subject, seat, what).as_ref().map(Times::buckets);
            out.push(json!({
                "test": test.name,
                "subject": subject.name(),
                "thread": format!("{}/{number}", role.label()),
                "metric": name,
                "unit": "cycles",
                "tries": counts(|part| part.tries),
                "iterations": counts(|part| part.passed),
                "gave_up": counts(|part| part.gave_up),
                "lost_interruptions": counts(|part| part.lost_interruptions),
                "rounds": rounds,
                "histogram": all,
            }));
        }
    }
    out.extend(pressure(takes, test, subject));
    out
}

/// How the threads fared together, and what they cost: rows like those of the other experiments.
fn pressure(takes: &Takes, test: &'static Test, subject: Subject) -> Vec<Value> {
    let metrics = takes.of(test, subject).take(1).flat_map(|take| &take.pressure);
    let row = |metric: Metric| {
        let samples = takes.pressure(test, subject, metric);
        json!({
            "test": test.name,
            "subject": subject.name(),
            "threads": test.threads(),
            "metric": metric.name(),
            "unit": metric.unit(),
            "median": median(&samples),
            "samples": samples,
        })
    };
    metrics.map(|reading| row(reading.metric)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::scenes::tables::tests::failed;

    #[test]
    fn rows_have_the_tries_of_a_thread_that_never_got_in() {
        let rows = rows(&failed(), Scenes::Delays);
        let metrics: Vec<_> = rows.iter().map(|row| row["metric"].as_str()).collect();
        assert_eq!(metrics, [Some("lock delay"), Some("unlock delay")]);
        let counts = ["tries", "iterations", "gave_up"].map(|count| rows[0][count][0].as_u64());
        assert_eq!(counts, [Some(200), Some(0), Some(2)]);
        assert!(rows[0]["rounds"][0].is_null());
    }
}
