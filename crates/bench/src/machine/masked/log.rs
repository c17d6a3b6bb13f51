//! One thread's log of how long it kept classes out.

use std::cell::RefCell;

use siftlock_core::platform::{Class, Platform, Raised};

use crate::machine::Clock;
use crate::machine::clock::ticks;
use crate::machine::cpu_time::{Base, CpuClock, Mark};
use crate::stats::Times;

/// How long each class of [`Class::HIGH`] was kept out, in its order.
pub(crate) type Masked = [Times; Class::HIGH.len()];

thread_local! {
    static LOG: RefCell<Option<Box<Log>>> = const { RefCell::new(None) };
}

/// The log, and the moment since which each class is out.
struct Log {
    clock: CpuClock,
    out_since: [Option<Mark>; Class::HIGH.len()],
    times: Masked,
}

/// Begins the calling thread's log. The thread stands at no class above [`Class::Thread`].
pub(crate) fn begin(clock: &Clock) {
    let times = Class::HIGH.map(|_| Times::new());
    let log = Log { clock: CpuClock::new(clock), out_since: [None; Class::HIGH.len()], times };
    LOG.set(Some(Box::new(log)));
}

/// Empties the calling thread's log.
pub(crate) fn clear() {
    LOG.with_borrow_mut(|log| {
        log.iter_mut().flat_map(|log| &mut log.times).for_each(Times::clear);
    });
}

/// Ends the calling thread's log and returns its times, if it was begun.
pub(crate) fn end() -> Option<Masked> {
    LOG.take().map(|log| log.times)
}

/// [`Platform::raise`], logged.
#[inline]
pub(super) fn raise<P: Platform>(to: Class, held: Raised) -> Raised {
    LOG.with_borrow_mut(|log| match log {
        None => P::raise(to, held),
        Some(log) => {
            let before = P::level();
            let mark = log.clock.mark();
            let raised = P::raise(to, held);
            let mark = mark.moved_to(ticks());
            for (class, since) in Class::HIGH.into_iter().zip(&mut log.out_since) {
                if before < class && class <= to {
                    *since = Some(mark);
                }
            }
            raised
        }
    })
}

/// [`Platform::restore`], logged.
#[inline]
pub(super) fn restore<P: Platform>(held: Raised) {
    // The clock is read while the classes are still out. The platform's work after that, such as
    // running the handlers that came meanwhile, is not part of the time. The log is not borrowed
    // during that work.
    let ending = LOG.with_borrow(|log| log.as_ref().map(|log| log.ending::<P>()));
    P::restore(held);
    if let Some(ending) = ending {
        LOG.with_borrow_mut(|log| log.iter_mut().for_each(|log| log.enter(&ending, P::level())));
    }
}

/// The moment at which classes are let in again.
struct Ending {
    at: u64,
    /// The class that the thread stood at.
    before: Class,
    /// The CPU time, if a class was out for long.
    base: Option<Base>,
}

impl Log {
    fn ending<P: Platform>(&self) -> Ending {
        let at = ticks();
        let long = self.out_since.iter().flatten().any(|since| self.clock.is_long(since, at));
        Ending { at, before: P::level(), base: long.then(Base::now) }
    }

    /// The thread stands at `after` now.
    fn enter(&mut self, &Ending { at, before, base }: &Ending, after: Class) {
        let Self { clock, out_since, times } = self;
        for (class, (since, times)) in Class::HIGH.into_iter().zip(out_since.iter_mut().zip(times))
        {
            if after < class
                && class <= before
                && let Some(since) = since.take()
            {
                let base = base.filter(|_| clock.is_long(&since, at));
                times.add(clock.between(&since, at, base));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use siftlock::platform::Native;

    use super::*;
    use crate::machine::Timed;

    /// Does `work` with a log, and returns how many times of each class were logged.
    fn logged(work: fn()) -> [u64; 3] {
        begin(&Clock::calibrate());
        work();
        let masked = end().expect("a log");
        masked.map(|times| times.count())
    }

    #[test]
    fn masked_log_has_each_class_from_its_own_raise() {
        let counts = logged(|| {
            let held = Timed::<Native>::raise(Class::NonPreemptible, Raised::NOTHING);
            let held = Timed::<Native>::raise(Class::Irq, held);
            Timed::<Native>::restore(held);
        });
        assert_eq!(counts, [1, 1, 1]);
    }

    #[test]
    fn masked_log_has_no_class_that_was_out_already() {
        let counts = logged(|| {
            let outer = Timed::<Native>::raise(Class::SoftIrq, Raised::NOTHING);
            let inner = Timed::<Native>::raise(Class::NonPreemptible, Raised::NOTHING);
            Timed::<Native>::restore(inner);
            Timed::<Native>::restore(outer);
        });
        assert_eq!(counts, [1, 1, 0]);
    }

    #[test]
    fn masked_log_tells_sleep_from_work() {
        let clock = Clock::calibrate();
        begin(&clock);
        let held = Timed::<Native>::raise(Class::Irq, Raised::NOTHING);
        std::thread::sleep(Duration::from_millis(20));
        Timed::<Native>::restore(held);
        let [.., irq] = end().expect("a log");
        let figures = irq.figures().expect("one time");
        assert!(clock.micros(figures.max) >= 20_000.0);
        assert!(clock.micros(figures.cpu_max) < 5_000.0, "{} µs", clock.micros(figures.cpu_max));
    }

    #[test]
    fn masked_log_is_only_of_threads_that_began_one() {
        let held = Timed::<Native>::raise(Class::Irq, Raised::NOTHING);
        Timed::<Native>::restore(held);
        assert!(end().is_none());
    }
}
