//! How long a section lasts, and whether the lock collapses under more threads than processors.
//!
//! As in E2, half of the threads read and half write. But a section stays inside for a time: awake,
//! by the clock, or asleep. The sleeping hold is the kernel's own test of fairness: writers alone,
//! each asleep for 5 µs inside. The holder gives up its processor, so every other thread comes and
//! finds the lock held. (A sleep of 5 µs takes about 55: the system's timers are that coarse by
//! default.)
//!
//! A hold's time goes on while the holder has no processor: the section is over when the holder
//! runs again after that time.

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;

use super::company::Company;
use super::mixed::{Coin, Habit, Mix, Tally, readings, together, work};
use super::{Experiment, pause};
use crate::machine::Clock;
use crate::machine::clock::stay_awake;
use crate::run::{Arena, Crew, Fault};
use crate::stats::Reading;
use crate::subjects::Lock;

/// How long a section lasts, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hold {
    /// No time.
    #[value(name = "0us")]
    None,
    /// 1 µs awake.
    #[value(name = "1us")]
    Micros1,
    /// 10 µs awake.
    #[value(name = "10us")]
    Micros10,
    /// 100 µs awake.
    #[value(name = "100us")]
    Micros100,
    /// Writers alone, each asleep for 5 µs.
    #[value(name = "sleep")]
    Sleep,
}

/// How long a sleeping section asks to sleep.
const SLEEP: Duration = Duration::from_micros(5);

impl Hold {
    /// All holds.
    pub(crate) const ALL: [Self; 5] =
        [Self::None, Self::Micros1, Self::Micros10, Self::Micros100, Self::Sleep];

    /// Its measurement's name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "holds-0us",
            Self::Micros1 => "holds-1us",
            Self::Micros10 => "holds-10us",
            Self::Micros100 => "holds-100us",
            Self::Sleep => "holds-sleep",
        }
    }

    /// Its name in tables and words.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::None => "holds of no time",
            Self::Micros1 => "holds of 1 µs",
            Self::Micros10 => "holds of 10 µs",
            Self::Micros100 => "holds of 100 µs",
            Self::Sleep => "writers that sleep 5 µs inside",
        }
    }

    /// How long a section stays inside.
    pub(crate) const fn time(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Micros1 => Duration::from_micros(1),
            Self::Micros10 => Duration::from_micros(10),
            Self::Micros100 => Duration::from_micros(100),
            Self::Sleep => SLEEP,
        }
    }

    /// Which threads read and which write.
    pub(crate) const fn mix(self) -> Mix {
        match self {
            Self::Sleep => Mix::Writers,
            _ => Mix::Dedicated,
        }
    }
}

/// The experiment and its parameters.
pub(crate) struct Holds {
    pub(crate) hold: Hold,
    /// Pauses in each section besides.
    pub(crate) load: u32,
    pub(crate) clock: Clock,
    /// Measures only which reads begin beside another reader.
    pub(crate) together: bool,
}

impl Experiment for Holds {
    const NAME: &'static str = "holds";

    fn sample<L: Lock>(&self, arena: &Arc<Arena<L>>, crew: &Crew) -> Result<Vec<Reading>, Fault> {
        let (arena, clock, threads) = (Arc::clone(arena), self.clock.clone(), crew.threads);
        let (hold, load) = (self.hold, self.load);
        let time = clock.in_ticks(hold.time());
        let company = self.together.then(Company::new);
        let shift = crew.run(move |seat, signal| -> Tally {
            let mut coin = Coin::new(hold.mix(), seat, threads);
            let section = || {
                pause(load);
                match hold {
                    Hold::Sleep => std::thread::sleep(SLEEP),
                    _ => stay_awake(time),
                }
            };
            let habit =
                Habit { writes: || coin.writes(), section, rest: |_| (), company: &company };
            work(&arena, seat, habit, &clock, signal)
        })?;
        Ok(if self.together { together(&shift) } else { readings(&shift, &self.clock) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_have_a_name_each_by_which_they_are_asked_for() {
        for hold in Hold::ALL {
            let asked = hold.to_possible_value().expect("a name");
            assert_eq!(hold.name().strip_prefix("holds-"), Some(asked.get_name()));
        }
    }
}
