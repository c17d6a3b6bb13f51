//! Threads that send signals.

use crate::kinds::{self, From, Kind};
use crate::rounds::{Phase, Rounds};
use crate::station::{STATIONS, Station};
use crate::support::queue_to;
use std::sync::atomic::Ordering;
use std::thread;

/// How many real-time signals may be on their way: more than there are places for.
const ON_THE_WAY: u64 = 40;

/// Sends signals of these kinds until the end.
pub(crate) fn run(rounds: &Rounds, from: From) {
    let mut dice = Dice::new(from as u64 + 100);
    loop {
        match rounds.phase() {
            Phase::Storm => {
                let most = 1 + dice.roll(ON_THE_WAY) as u32;
                for station in &STATIONS {
                    kinds::of(from).for_each(|kind| shower(station, kind, most));
                }
                thread::yield_now();
            }
            Phase::Calm | Phase::Rest => rounds.sender_rests(),
            Phase::End => return,
        }
    }
}

fn shower(station: &Station, kind: Kind, most: u32) {
    let (mut handled, mut sent) = station.handled_of_sent(kind);
    if !kind.is_queued {
        send(station, kind, sent == handled, sent + 1);
        return;
    }
    while sent - handled < most && send(station, kind, false, sent + 1) {
        (handled, sent) = station.handled_of_sent(kind);
    }
}

/// Sends the signal. Returns whether there was room for it.
fn send(station: &Station, kind: Kind, is_alone: bool, number: u32) -> bool {
    let thread = station.thread.load(Ordering::SeqCst);
    let is_sent = match kind.from {
        From::Bare => {
            let call = libc::SYS_tgkill;
            // SAFETY: a thread of this process, and a signal with a handler.
            unsafe { libc::syscall(call, libc::getpid(), thread, kind.signal()) == 0 }
        }
        _ => queue_to(thread, kind.signal(), number as i32).is_ok(),
    };
    if is_sent {
        station.sent[kind.place].store(number, Ordering::SeqCst);
        if is_alone && kind.is_numbered() {
            station.must_come[kind.place].store(number, Ordering::SeqCst);
        }
    }
    is_sent
}

/// Numbers that are random enough.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`.
    pub(crate) fn roll(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % n
    }
}
