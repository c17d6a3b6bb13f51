//! Threads that lock and unlock.

use crate::kinds::{self, From};
use crate::locks::{Base, How};
use crate::rounds::{Phase, Rounds};
use crate::senders::Dice;
use crate::station::{Station, fail};
use crate::support::{is_blocked, queue};
use crate::timers::Timers;
use siftlock::context::{Irq, NonPreemptible, SoftIrq, Thread};
use siftlock_core::platform::{Class, Raised};
use std::sync::atomic::Ordering;
use std::thread;

pub(crate) struct Worker {
    station: &'static Station,
    dice: Dice,
}

pub(crate) fn run<B: Base>(rounds: &Rounds, place: usize) {
    let mut worker = Worker { station: Station::take(place), dice: Dice::new(place as u64 + 1) };
    let timers = Timers::new();
    rounds.worker_is_there();
    timers.start();
    loop {
        match rounds.phase() {
            Phase::Storm | Phase::Calm => worker.lock::<B>(),
            Phase::Rest => {
                timers.stop();
                worker.rest::<B>();
                rounds.worker_rests();
                timers.start();
            }
            Phase::End => return timers.stop(),
        }
    }
}

impl Worker {
    /// Uses one lock, in a raised region or not.
    fn lock<B: Base>(&mut self) {
        const REGIONS: [Class; 8] = {
            use Class::{Irq, NonPreemptible, SoftIrq, Thread};
            [Thread, Thread, Thread, Thread, Thread, NonPreemptible, SoftIrq, Irq]
        };
        let class = REGIONS[self.dice.roll(8) as usize];
        if class == Class::Thread {
            self.lock_at::<B>(class);
        } else {
            let raised = B::raise(class, Raised::NOTHING);
            let station = self.station;
            station.inside(class, || {
                self.send_to_itself();
                self.lock_at::<B>(class);
            });
            B::restore(raised);
        }
        // Nobody else sends these signals: none is late.
        kinds::of(From::Itself).for_each(|kind| self.station.has_all(kind));
    }

    /// The thread stands at `level`. It may wait only above that level.
    fn lock_at<B: Base>(&mut self, level: Class) {
        let how = match self.dice.roll(4) {
            0 => How::Try,
            1 => How::Timed(self.dice.roll(200_000)),
            _ => How::Wait,
        };
        let from = |class: Class| if level <= class { how } else { How::Try };
        let (low, high) = (B::low(), B::high());
        let what = self.dice.roll(8);
        let lingers = self.dice.roll(16) == 0;
        let inside = || {
            if lingers {
                self.send_to_itself();
            }
        };
        match what {
            0 => low.read(Thread, from(Class::Thread), inside),
            1 => low.read(NonPreemptible, from(Class::NonPreemptible), inside),
            2 => low.read(SoftIrq, from(Class::SoftIrq), inside),
            3 => low.read(Irq, how, inside),
            4 => high.read(SoftIrq, from(Class::SoftIrq), inside),
            5 => high.write(SoftIrq, from(Class::SoftIrq), inside),
            _ => low.write(Thread, from(Class::Thread), inside),
        };
    }

    /// Sends to itself as many real-time signals as there are places for, or more; of the others
    /// one.
    fn send_to_itself(&mut self) {
        for kind in kinds::of(From::Itself) {
            let (handled, sent) = self.station.handled_of_sent(kind);
            if self.dice.roll(4) != 0 || handled != sent {
                continue;
            }
            let count = if kind.is_queued { self.dice.roll(24) as u32 } else { 1 };
            for number in sent + 1..=sent + count {
                self.station.sent[kind.place].store(number, Ordering::SeqCst);
                if queue(kind.signal(), number as i32).is_err() {
                    self.station.sent[kind.place].store(number - 1, Ordering::SeqCst);
                    break;
                }
            }
        }
    }

    /// Rests: nobody sends any more.
    fn rest<B: Base>(&mut self) {
        // A system call: signals on their way come before it returns.
        thread::yield_now();
        kinds::all().for_each(|kind| self.station.has_all(kind));
        if B::level() != Class::Thread {
            fail("still raised", B::level() as i64);
        }
        if let Some(kind) = kinds::all().find(|kind| is_blocked(kind.signal())) {
            fail("still blocked", kind.place as i64);
        }
    }
}
