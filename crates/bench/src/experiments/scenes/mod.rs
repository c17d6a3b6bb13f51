//! E4 and E5, after the 2008 lock: readers in several contexts, and writers that keep them out.
//!
//! The tests are those of 2008 ([`programme`]): writers that pause between writes, readers that do
//! not, threads that only try, and, in the crowded tests, a timer on each thread whose handler
//! reads too ([`interrupts`]). Each section sets or compares 100 integers, and passes the ward
//! besides.
//!
//! * E4, [`Scenes::Latency`]: how long the lock keeps contexts out, logged by the platform it runs
//!   on. The threads themselves do not look at the clock.
//! * E5, [`Scenes::Delays`]: how long it takes to get in and out, by two readings of the counter
//!   each.

mod actor;
mod cast;
mod interrupts;
mod ledger;
mod programme;
mod stage;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use self::actor::Actor;
use self::stage::Stage;
use self::watch::{Stopwatch, Tracer, Watch};
use crate::machine::{Clock, Scheduling};
use crate::run::{Crew, Fault, Shift};
use crate::stats::{Longest, Part, Reading, Times};
use crate::subjects::{Placed, PlacedVisitor, Subject};

pub(crate) use self::cast::{
    FAIL_AFTER, INTERRUPT_READER_DELAY, Role, TRYLOCK_WRITER_DELAY, Test, WRITER_DELAY,
};
pub(crate) use self::programme::{DELAYS, LATENCY};

/// E4 or E5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scenes {
    /// E4.
    Latency,
    /// E5.
    Delays,
}

impl Scenes {
    /// Its name in commands and files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Delays => "delays",
        }
    }

    /// Its tests.
    pub(crate) fn tests(self) -> &'static [Test] {
        match self {
            Self::Latency => &LATENCY,
            Self::Delays => &DELAYS,
        }
    }

    /// Takes one sample.
    pub(crate) fn sample(self, subject: Subject, sampling: Sampling<'_>) -> Result<Sample, Fault> {
        match self {
            Self::Latency => subject.place_timed(Traced(sampling)),
            Self::Delays => subject.place(Stopped(sampling)),
        }
    }
}

/// The parameters of a sample.
#[derive(Clone, Copy)]
pub(crate) struct Sampling<'a> {
    pub(crate) test: &'static Test,
    pub(crate) crew: &'a Crew,
    pub(crate) interrupt_delay: Duration,
    pub(crate) scheduling: Scheduling,
    pub(crate) clock: &'a Clock,
}

/// The result of a sample.
pub(crate) struct Sample {
    pub(crate) seconds: f64,
    pub(crate) parts: Vec<Part>,
    /// How the threads fared, and what they cost.
    pub(crate) pressure: Vec<Reading>,
}

impl Sampling<'_> {
    fn take<L: Placed, W: Watch>(self) -> Result<Sample, Fault> {
        let Self { test, crew, interrupt_delay, scheduling, clock } = self;
        let stage =
            Arc::new(Stage::<L>::new(test, interrupt_delay, scheduling, clock, crew.window));
        let on_stage = Arc::clone(&stage);
        let shift = crew.run(move |seat, signal| Actor::<L, W>::play(&on_stage, seat, signal))?;
        stage.judge()?;
        let (elapsed, usage) = (shift.elapsed, shift.usage);
        let members: Vec<Part> = shift.members.into_iter().collect::<Result<_, _>>()?;
        let waits = Times::of_all(members.iter().map(|part| &part.lock)).figures();
        let waits = waits.filter(|_| W::TAKES_TIMES);
        let waits = waits
            .map(|waits| Longest { max: clock.micros(waits.max), p999: clock.micros(waits.p999) });
        let shift = Shift { members, elapsed, usage };
        let pressure = shift.pressure(|part| part.passed, waits);
        Ok(Sample { seconds: elapsed.as_secs_f64(), parts: shift.members, pressure })
    }
}

/// A sample by the platform's log.
struct Traced<'a>(Sampling<'a>);

impl PlacedVisitor for Traced<'_> {
    type Output = Result<Sample, Fault>;

    fn visit<L: Placed>(self) -> Self::Output {
        self.0.take::<L, Tracer>()
    }
}

/// A sample by the threads' own readings.
struct Stopped<'a>(Sampling<'a>);

impl PlacedVisitor for Stopped<'_> {
    type Output = Result<Sample, Fault>;

    fn visit<L: Placed>(self) -> Self::Output {
        self.0.take::<L, Stopwatch>()
    }
}

/// Why a subject has nothing to show in a test; `None` if it has something.
pub(crate) fn absence(scenes: Scenes, subject: Subject, test: &Test) -> Option<&'static str> {
    if scenes == Scenes::Latency && !subject.masks() {
        return Some("masks nothing, and no signal handler may read it");
    }
    match test.only_role()? {
        Role::PreemptibleReader if scenes == Scenes::Delays && !subject.serves_threads() => {
            Some("preemption must be masked to read it")
        }
        Role::NonPreemptibleReader if !subject.serves_non_preemptibles() && !subject.masks() => {
            Some("knows no readers that must not sleep")
        }
        Role::Bystander if !subject.serves_handlers() => Some("no signal handler may read it"),
        _ => None,
    }
}
