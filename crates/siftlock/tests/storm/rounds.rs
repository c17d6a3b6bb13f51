//! The storm comes in rounds. After each one all threads rest, and all signals are counted.

use crate::kinds::{self, From};
use crate::locks::Base;
use crate::station::{STATIONS, Station, THREADS};
use crate::{handlers, senders, workers};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SENDERS: usize = 2;

/// The acts of all threads in this phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    Storm,
    /// Nobody sends.
    Calm,
    /// Nobody locks.
    Rest,
    End,
}

pub(crate) struct Rounds {
    phase: AtomicU8,
    senders: Barrier,
    workers: Barrier,
    all: Barrier,
}

impl Rounds {
    pub(crate) fn phase(&self) -> Phase {
        const PHASES: [Phase; 4] = [Phase::Storm, Phase::Calm, Phase::Rest, Phase::End];
        PHASES[self.phase.load(Ordering::SeqCst) as usize]
    }

    fn begin(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::SeqCst);
    }

    /// A sender has sent its last; returns when the next storm begins.
    pub(crate) fn sender_rests(&self) {
        self.senders.wait();
        self.all.wait();
    }

    pub(crate) fn worker_is_there(&self) {
        self.all.wait();
    }

    /// A worker has counted; returns when the next storm begins.
    pub(crate) fn worker_rests(&self) {
        self.workers.wait();
        self.all.wait();
    }
}

pub(crate) fn run<B: Base>(lasts: Duration) {
    handlers::register::<B>();
    let rounds = Rounds {
        phase: AtomicU8::new(Phase::Storm as u8),
        senders: Barrier::new(SENDERS + 1),
        workers: Barrier::new(THREADS + 1),
        all: Barrier::new(THREADS + SENDERS + 1),
    };
    thread::scope(|s| {
        let rounds = &rounds;
        (0..THREADS).for_each(|place| drop(s.spawn(move || workers::run::<B>(rounds, place))));
        for from in [From::Numbered, From::Bare] {
            s.spawn(move || {
                rounds.worker_is_there();
                senders::run(rounds, from);
            });
        }
        rounds.all.wait();
        let end = Instant::now() + lasts;
        let mut count = 0;
        while Instant::now() < end || !all_came() {
            round::<B>(rounds, count);
            count += 1;
        }
        rounds.begin(Phase::End);
        report(count);
    });
}

/// The main thread rests last. It waits for each thread that does not rest, until the watchdog
/// comes.
fn round<B: Base>(rounds: &Rounds, count: u32) {
    for part in 0..8 {
        limit_queue(count % 2 == 1 && part % 2 == 1);
        thread::sleep(Duration::from_millis(3));
    }
    limit_queue(false);
    rounds.begin(Phase::Calm);
    rounds.senders.wait();
    rounds.begin(Phase::Rest);
    rounds.workers.wait();
    let written = |place: usize| -> u64 {
        STATIONS.iter().map(|station| station.writes[place].load(Ordering::SeqCst)).sum()
    };
    assert_eq!(B::low().at_rest(), written(0), "writes were lost");
    assert_eq!(B::high().at_rest(), written(1), "writes were lost");
    rounds.begin(Phase::Storm);
    rounds.all.wait();
}

/// Sets whether the system's queue of signals has room, for this process.
fn limit_queue(full: bool) {
    // SAFETY: a place for the limits.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        assert_eq!(libc::getrlimit(libc::RLIMIT_SIGPENDING, &mut limit), 0);
        limit.rlim_cur = if full { 0 } else { limit.rlim_max };
        assert_eq!(libc::setrlimit(libc::RLIMIT_SIGPENDING, &limit), 0);
    }
}

/// Whether each signal came to each thread.
fn all_came() -> bool {
    let came = |station: &Station| kinds::all().all(|kind| station.handled_of_sent(kind).0 > 0);
    STATIONS.iter().all(came)
}

fn report(rounds: u32) {
    let sum = |of: &dyn Fn(&Station) -> u64| STATIONS.iter().map(of).sum::<u64>();
    let reads = sum(&|station| station.reads.load(Ordering::SeqCst));
    let writes = [0, 1].map(|place| sum(&|station| station.writes[place].load(Ordering::SeqCst)));
    println!("{rounds} rounds, {reads} reads, {writes:?} writes; handled:");
    for kind in kinds::all() {
        let handled = sum(&|station| station.handled_of_sent(kind).0.into());
        println!("{kind:?}: {handled}");
    }
}
