//! One thread of a test.

use std::thread;

use siftlock_core::psrw::{Context, NonPreemptible, Thread};

use super::cast::{FAIL_AFTER, Role, TRYLOCK_WRITER_DELAY, WRITER_DELAY};
use super::interrupts::Interrupts;
use super::ledger::{Done, Ledger, Passage};
use super::stage::Stage;
use super::watch::Watch;
use crate::machine::clock::stay_awake;
use crate::run::{Fault, Phase, Signal};
use crate::stats::Part;
use crate::subjects::Placed;
use crate::verify::Witness;

/// Pauses of a bystander between two looks at the signal.
const ELSEWHERE: u32 = 1000;

/// A thread, with all it needs to act.
pub(super) struct Actor<'a, L: Placed, W> {
    stage: &'a Stage<L>,
    seat: usize,
    lock: &'a L,
    witness: Witness<'a>,
    watch: W,
    ledger: Ledger,
    interrupts: Option<Result<Interrupts<'a, L>, Fault>>,
}

impl<'a, L: Placed, W: Watch> Actor<'a, L, W> {
    /// Acts on this seat until the run is over, and returns what the thread did.
    pub(super) fn play(stage: &'a Stage<L>, seat: usize, signal: &Signal) -> Result<Part, Fault> {
        stage.scheduling.settle();
        let mut actor = Self {
            stage,
            seat,
            lock: stage.lock(seat),
            witness: stage.ward().witness(),
            watch: W::new(&stage.clock),
            ledger: Ledger::new(stage.test.role(seat)),
            interrupts: None,
        };
        while {
            let done = actor.act();
            actor.goes_on(signal, done)
        } {
            actor.rest();
        }
        actor.leave()
    }

    fn role(&self) -> Role {
        self.stage.test.role(self.seat).0
    }

    #[inline]
    fn act(&mut self) -> Done {
        match self.role() {
            Role::Writer => Done::passed(self.write()),
            Role::TrylockWriter => Done::tried(|| self.try_write()),
            Role::NonPreemptibleReader => Done::passed(self.read(NonPreemptible)),
            Role::PreemptibleReader => Done::passed(self.read(Thread)),
            Role::TrylockReader => Done::tried(|| self.try_read()),
            Role::Bystander => {
                (0..ELSEWHERE).for_each(|_| std::hint::spin_loop());
                Done::NOTHING
            }
        }
    }

    fn rest(&self) {
        let delay = match self.role() {
            Role::Writer => WRITER_DELAY,
            Role::TrylockWriter => TRYLOCK_WRITER_DELAY,
            _ => return,
        };
        if self.stage.rests_awake {
            stay_awake(self.stage.clock.in_ticks(delay));
        } else {
            thread::sleep(delay);
        }
    }

    #[inline]
    fn goes_on(&mut self, signal: &Signal, done: Done) -> bool {
        let phase = signal.phase();
        if phase == Phase::Measure && !self.ledger.is_open() {
            self.watch.begin();
            self.ledger.open();
            let wanted = L::HANDLERS && self.stage.test.interrupts;
            self.interrupts = wanted.then(|| Interrupts::start(self.stage, self.seat));
            return true;
        }
        if phase == Phase::Over {
            self.ledger.cut(signal.span(), done);
            return false;
        }
        self.ledger.enter(done);
        true
    }

    fn leave(self) -> Result<Part, Fault> {
        let (interruptions, lost) = match self.interrupts {
            Some(interrupts) => interrupts?.stop(),
            None => (Vec::new(), 0),
        };
        let books = self.ledger.close(self.watch.end());
        Ok(Part { interruptions, lost_interruptions: lost, ..books })
    }

    #[inline]
    fn read<C: Context>(&mut self, at: C) -> Passage {
        let Self { stage, lock, witness, watch, .. } = self;
        let asked = watch.mark();
        let (lock, leaving) =
            lock.reading(at, || inside(watch, &asked, || witness.read(|| stage.read())));
        Passage { asked: W::moment(&asked), lock, unlock: watch.since(&leaving) }
    }

    #[inline]
    fn write(&mut self) -> Passage {
        let Self { stage, lock, witness, watch, .. } = self;
        let asked = watch.mark();
        let (lock, leaving) =
            lock.writing(|| inside(watch, &asked, || witness.write(|| stage.write())));
        Passage { asked: W::moment(&asked), lock, unlock: watch.since(&leaving) }
    }

    #[inline]
    fn try_read(&mut self) -> Option<Passage> {
        let Self { stage, lock, witness, watch, .. } = self;
        let asked = watch.mark();
        let (lock, leaving) =
            lock.try_reading(Thread, || inside(watch, &asked, || witness.read(|| stage.read())))?;
        Some(Passage { asked: W::moment(&asked), lock, unlock: watch.since(&leaving) })
    }

    #[inline]
    fn try_write(&mut self) -> Option<Passage> {
        let Self { stage, lock, witness, watch, .. } = self;
        let asked = watch.mark();
        let (lock, leaving) =
            lock.try_writing(|| inside(watch, &asked, || witness.write(|| stage.write())))?;
        Some(Passage { asked: W::moment(&asked), lock, unlock: watch.since(&leaving) })
    }
}

/// A section between two looks at the clock.
#[inline]
pub(super) fn inside<W: Watch>(
    watch: &mut W,
    asked: &W::Mark,
    section: impl FnOnce(),
) -> (crate::machine::Spell, W::Mark) {
    let lock = watch.since(asked);
    section();
    (lock, watch.mark())
}

impl Done {
    /// One passage.
    #[inline]
    fn passed(passage: Passage) -> Self {
        Self { tries: 1, passage: Some(passage) }
    }

    /// Tries until one succeeds, [`FAIL_AFTER`] times at most.
    #[inline]
    fn tried(mut attempt: impl FnMut() -> Option<Passage>) -> Self {
        for tries in 1..=FAIL_AFTER {
            if let Some(passage) = attempt() {
                return Self { tries, passage: Some(passage) };
            }
        }
        Self { tries: FAIL_AFTER, passage: None }
    }
}
