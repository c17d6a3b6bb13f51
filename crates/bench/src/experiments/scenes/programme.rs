//! The tests of the 2008 lock.

use std::time::Duration;

use super::cast::{Role, Test};

/// How long a slow reader stays inside.
const SLOW: Duration = Duration::from_millis(1);

/// The defaults of a test.
const ALONE: Test = Test {
    name: "",
    title: "",
    cast: &[],
    interrupts: false,
    inside: Duration::ZERO,
    brief: Duration::from_millis(300),
    full: Duration::from_secs(10),
};

/// The defaults of the tests under high contention.
const CROWD: Test = Test {
    interrupts: true,
    brief: Duration::from_millis(1500),
    full: Duration::from_secs(60),
    ..ALONE
};

/// The readers of the tests of latency are non-preemptible, as the readers of 2008 were.
pub(crate) static LATENCY: [Test; 6] = [
    Test {
        name: "single-writer",
        title: "single writer, no contention",
        cast: &[(Role::Writer, 1)],
        ..ALONE
    },
    Test {
        name: "single-trylock-writer",
        title: "single trylock writer, no contention",
        cast: &[(Role::TrylockWriter, 1)],
        ..ALONE
    },
    Test {
        name: "single-reader",
        title: "single reader, no contention",
        cast: &[(Role::NonPreemptibleReader, 1)],
        ..ALONE
    },
    Test {
        name: "readers",
        title: "4 readers, no contention",
        cast: &[(Role::NonPreemptibleReader, 4)],
        ..ALONE
    },
    Test {
        name: "contention",
        title: "high contention",
        cast: &[
            (Role::Writer, 2),
            (Role::TrylockWriter, 1),
            (Role::NonPreemptibleReader, 4),
            (Role::TrylockReader, 1),
        ],
        ..CROWD
    },
    Test {
        name: "slow-readers",
        title: "high contention, preemptible readers that stay inside for 1 ms",
        cast: &[
            (Role::Writer, 2),
            (Role::TrylockWriter, 1),
            (Role::PreemptibleReader, 4),
            (Role::TrylockReader, 1),
        ],
        inside: SLOW,
        ..CROWD
    },
];

/// The tests of delays. The handler's reads without contention are our addition, to compare with.
pub(crate) static DELAYS: [Test; 6] = [
    Test {
        name: "single-writer",
        title: "single writer, no contention",
        cast: &[(Role::Writer, 1)],
        ..ALONE
    },
    Test {
        name: "single-preader",
        title: "single preemptible reader, no contention",
        cast: &[(Role::PreemptibleReader, 1)],
        ..ALONE
    },
    Test {
        name: "single-npreader",
        title: "single non-preemptible reader, no contention",
        cast: &[(Role::NonPreemptibleReader, 1)],
        ..ALONE
    },
    Test {
        name: "readers",
        title: "2 preemptible and 2 non-preemptible readers, no writer",
        cast: &[(Role::NonPreemptibleReader, 2), (Role::PreemptibleReader, 2)],
        ..ALONE
    },
    Test {
        name: "interrupts",
        title: "interrupt readers, no contention",
        cast: &[(Role::Bystander, 1)],
        interrupts: true,
        ..ALONE
    },
    Test {
        name: "contention",
        title: "high contention",
        cast: &[
            (Role::Writer, 2),
            (Role::TrylockWriter, 1),
            (Role::NonPreemptibleReader, 2),
            (Role::PreemptibleReader, 2),
            (Role::TrylockReader, 1),
        ],
        ..CROWD
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_have_a_role_on_each_seat() {
        for test in LATENCY.iter().chain(&DELAYS) {
            for &(role, number) in test.cast {
                let here = (0..test.threads()).filter(|&seat| test.role(seat).0 == role);
                assert_eq!(here.count(), number, "{} {}", test.name, role.label());
            }
        }
    }

    #[test]
    fn tests_of_one_role_know_it() {
        assert_eq!(LATENCY[3].only_role(), Some(Role::NonPreemptibleReader));
        assert_eq!(LATENCY[4].only_role(), None);
    }
}
