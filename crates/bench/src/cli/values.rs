//! The values of options. A value that makes no sense is refused before anything runs.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use siftlock_sim::machine::Topology;
use siftlock_sim::presets;

use crate::subjects::Subject;

/// More threads than this are a typing error, not a measurement.
const THREADS: RangeInclusive<usize> = 1..=4096;
/// More rounds than this are a typing error, not a measurement.
const ROUNDS: RangeInclusive<usize> = 1..=1000;
/// The shortest sample that starts all its threads, and the longest that a user waits for.
const SECONDS: RangeInclusive<f64> = 0.001..=86_400.0;
/// More simulated processors than this are a typing error, not a machine.
const PROCESSORS: usize = 4096;
/// A longer stay leaves a sample with hardly a section.
const LONGEST_STAY: Duration = Duration::from_millis(10);
/// A load that changes more often changes within a turn of the locks.
const SHORTEST_VISIT: Duration = Duration::from_millis(1);
/// A load that changes less often makes a run of hours.
const LONGEST_VISIT: Duration = Duration::from_secs(10);
/// The least likeness of a name that is suggested, from 0 to 1.
const LIKENESS: f64 = 0.7;

/// How often a program is run in each of two ways: an interval needs three.
#[cfg(target_os = "linux")]
pub(super) fn runs(text: &str) -> Result<usize, String> {
    rounds(text)
        .ok()
        .filter(|&runs| runs >= 3)
        .ok_or_else(|| format!("give 3 to {} rounds", ROUNDS.end()))
}

/// A file for folded stacks.
#[cfg(target_os = "linux")]
pub(super) fn folded(text: &str) -> Result<std::path::PathBuf, String> {
    match text.ends_with(".folded") {
        true => Ok(text.into()),
        false => Err("give a name that ends with .folded".to_owned()),
    }
}

/// A number of threads.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    within(text, THREADS, "threads")
}

/// A number of rounds.
pub(super) fn rounds(text: &str) -> Result<usize, String> {
    within(text, ROUNDS, "rounds")
}

/// A share of writes in per cent.
pub(super) fn writes(text: &str) -> Result<f64, String> {
    within(text, 0.0..=100.0, "per cent")
}

/// The length of a section.
pub(super) fn load(text: &str) -> Result<u32, String> {
    within(text, 0..=1_000_000, "pause instructions")
}

/// How long a simulated thread stays inside, besides.
pub(super) fn hold(text: &str) -> Result<u64, String> {
    within(text, 0..=LONGEST_STAY.as_nanos() as u64, "ns")
}

/// How long a simulated thread stays outside. A thread that stays out for no time has no rival.
pub(super) fn gap(text: &str) -> Result<u64, String> {
    within(text, 1..=LONGEST_STAY.as_nanos() as u64, "ns")
}

/// The length of a simulated run.
pub(super) fn run(text: &str) -> Result<u64, String> {
    within(text, 1..=100_000, "ms")
}

/// The seed of a simulated machine's disorder.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    within(text, 0..=u64::MAX, "as a seed")
}

/// How long a thread stays inside or outside.
pub(super) fn stay(text: &str) -> Result<Duration, String> {
    let time = time_within(text, Duration::ZERO..=LONGEST_STAY);
    time.ok_or_else(|| "give a time of 0ns to 10ms with its unit, as in 50ns or 10us".to_owned())
}

/// How long a load stays as it is.
pub(super) fn every(text: &str) -> Result<Duration, String> {
    let time = time_within(text, SHORTEST_VISIT..=LONGEST_VISIT);
    time.ok_or_else(|| "give a time of 1ms to 10s with its unit, as in 100ms".to_owned())
}

/// A time with its unit.
fn time_within(text: &str, range: RangeInclusive<Duration>) -> Option<Duration> {
    humantime::parse_duration(text.trim()).ok().filter(|time| range.contains(time))
}

/// The length of a sample.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    within(text, SECONDS, "seconds").map(Duration::from_secs_f64)
}

/// The time between two interruptions. If they come more often than this, only handlers run.
#[cfg(target_os = "linux")]
pub(super) fn interrupt_delay(text: &str) -> Result<Duration, String> {
    within(text, 0.0001..=3600.0, "seconds").map(Duration::from_secs_f64)
}

/// The name of a test of the 2008 lock.
#[cfg(target_os = "linux")]
pub(super) fn test(name: &str) -> Result<String, String> {
    use crate::experiments::scenes::{DELAYS, LATENCY};
    let mut names: Vec<&str> = LATENCY.iter().chain(&DELAYS).map(|test| test.name).collect();
    if names.contains(&name) {
        return Ok(name.to_owned());
    }
    names.sort_unstable();
    names.dedup();
    Err(format!("no such test; there are {}", names.join(", ")))
}

/// A subject by its name.
pub(super) fn subject(name: &str) -> Result<Subject, String> {
    Subject::named(name).ok_or_else(|| {
        let likeness = |subject: &Subject| strsim::jaro_winkler(name, subject.name());
        let likest = Subject::listed().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        match likest.filter(|subject| likeness(subject) >= LIKENESS) {
            Some(likest) => format!("no such subject; did you mean {}?", likest.name()),
            None => "no such subject; --list shows them all".to_owned(),
        }
    })
}

/// The names of the simulated machines.
pub(super) fn machines() -> PossibleValuesParser {
    let values = presets::all().map(|machine| PossibleValue::new(machine.name).help(machine.about));
    PossibleValuesParser::new(values)
}

/// Sockets, cores, threads; or sockets, clusters, cores, threads.
pub(super) fn topology(text: &str) -> Result<Topology, String> {
    let parts = text.split('x').map(|part| part.parse().ok());
    let numbers: Vec<usize> = parts.collect::<Option<_>>().unwrap_or_default();
    let processors = numbers.iter().try_fold(1, |all: usize, &number| all.checked_mul(number));
    let fits = processors.is_some_and(|all| (1..=PROCESSORS).contains(&all));
    match numbers[..] {
        [sockets, cores, threads] if fits => Ok(Topology { sockets, clusters: 1, cores, threads }),
        [sockets, clusters, cores, threads] if fits => {
            Ok(Topology { sockets, clusters, cores, threads })
        }
        _ => Err(format!(
            "give three numbers, like 8x15x2, or four, like 2x2x2x1, of 1 to {PROCESSORS} \
             processors in all"
        )),
    }
}

/// Each value once, in the order of their first mention.
pub(crate) fn distinct<T: Copy + PartialEq>(values: &[T]) -> Vec<T> {
    let mut out = Vec::new();
    for value in values {
        if !out.contains(value) {
            out.push(*value);
        }
    }
    out
}

/// A number in a range. NaN is in none.
fn within<T>(text: &str, range: RangeInclusive<T>, what: &str) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let (least, most) = (range.start(), range.end());
    let value = text.trim().parse().ok().filter(|value| range.contains(value));
    value.ok_or_else(|| format!("give {least} to {most} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_threads_and_rounds_are_whole_and_in_range() {
        assert_eq!(threads("240"), Ok(240));
        for bad in ["0", "-1", "4097", "1.5", "", "many", "99999999999999999999"] {
            assert!(threads(bad).is_err(), "{bad}");
        }
        assert_eq!(rounds("1"), Ok(1));
        assert!(rounds("0").is_err());
    }

    #[test]
    fn values_of_writes_are_shares() {
        assert_eq!(writes("0.1"), Ok(0.1));
        for bad in ["-1", "101", "NaN", ""] {
            assert!(writes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn values_of_simulated_runs_are_whole_and_errors_name_the_range() {
        assert_eq!([hold("0"), gap("1"), run("20"), seed("3")], [Ok(0), Ok(1), Ok(20), Ok(3)]);
        for bad in ["-1", "1e30", "10000001", ""] {
            let range = |least: u64| Err(format!("give {least} to 10000000 ns"));
            assert_eq!([hold(bad), gap(bad)], [range(0), range(1)], "{bad}");
        }
        assert_eq!(run("0"), Err("give 1 to 100000 ms".to_owned()));
        assert!(seed("-1").is_err());
        assert_eq!(load("-1"), Err("give 0 to 1000000 pause instructions".to_owned()));
    }

    #[test]
    fn values_of_seconds_are_sane_durations() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for bad in ["0", "-1", "NaN", "inf", "1e9", "86401", "1e-9", "soon", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn values_of_topologies_are_three_or_four_numbers() {
        let numbers =
            |text| topology(text).map(|it| [it.sockets, it.clusters, it.cores, it.threads]);
        assert_eq!(numbers("8x15x2"), Ok([8, 1, 15, 2]));
        assert_eq!(numbers("2x2x2x1"), Ok([2, 2, 2, 1]));
        for bad in ["8x15", "1x1x1x1x1", "0x1x1", "x", "", "64x64x2", "axbxc"] {
            assert!(numbers(bad).is_err(), "{bad}");
        }
        assert!(numbers("4294967296x4294967296x1").is_err());
    }

    #[test]
    fn values_of_stays_are_short_times_with_a_unit() {
        let nanos = |text| stay(text).map(|time| time.as_nanos());
        assert_eq!([nanos("0ns"), nanos("50ns"), nanos("10us")], [Ok(0), Ok(50), Ok(10_000)]);
        for bad in ["10", "-1us", "1s", "11ms", "", "long"] {
            assert!(stay(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn values_of_visits_are_times_with_a_unit() {
        assert_eq!(every("100ms"), Ok(Duration::from_millis(100)));
        for bad in ["100", "0ms", "999us", "11s", "", "often"] {
            assert!(every(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn values_of_subjects_are_names() {
        assert_eq!(subject("parking_lot-0.12"), Ok(Subject::ParkingLot012));
        assert_eq!(subject("busted"), Ok(Subject::Busted));
    }

    #[test]
    fn values_suggest_a_name_that_is_like_and_listed() {
        let suggestion = |name| subject(name).expect_err("no subject");
        assert!(suggestion("parkinglot").contains("did you mean parking_lot?"));
        assert!(suggestion("rwsme").contains("did you mean rwsem?"));
        assert!(suggestion("zzz").contains("--list"));
        assert!(!suggestion("bustd").contains("busted"));
    }
}
