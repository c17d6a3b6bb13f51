//! Time-outs, tries, full fields, and ids that do not fit.

use crate::model::{alone, holds};
use crate::monitor::{HIGH, THREAD};
use crate::subject::{Four, HighWriter, Threads, Two, TwoStrict};
use crate::world::{Setup, lazy, spins};
use siftlock_core::platform::Instant;
use siftlock_core::psrw::{Refused, Thread};

/// One fewer Thread readers than fit.
const NEARLY_FULL: u64 = ((1 << 18) - 2) * THREAD;

/// The number of readers that a NonPreemptible reader finds too many.
const FULL_OF_LOW: u64 = ((1 << 16) - 1) * HIGH;

/// A writer inside, as long as the model lasts.
const WRITTEN: u64 = 0b1_0011;

/// The first record id that does not fit HEAD.
const ONE_TOO_MANY: u32 = 1 << 22;

holds! {
    psrw_timed_writer_gives_up_in_queue: Two, "W Wt";
    psrw_timed_writer_gives_up_in_queue_late: Two, "W Wt W", lazy;
    psrw_timed_writer_gives_up_in_drain: Two, "Rh Wt";
    psrw_timed_writer_gives_up_in_drain_and_lets_reader_in: Two, "Rh Wt R", lazy;
    psrw_timed_writer_gives_up_in_drain_and_lets_writer_on: Two, "R Wt W", lazy;
    psrw_timed_writer_gives_up_in_last_stage: Two, "Ih Wt";
    psrw_timed_writer_gives_up_in_last_stage_and_lets_reader_in: Two, "Ih Wt R";
    psrw_timed_writer_gives_up_in_second_stage: Four, "Nh Wt I";
    psrw_timed_reader_gives_up: Two, "Rt W";
    psrw_timed_reader_gives_up_and_lets_reader_in: Threads, "W Rt R", lazy;
    psrw_timed_reader_gives_up_and_lets_writer_on: Threads, "W Rt W", lazy;
    psrw_timed_irq_reader_gives_up: Two, "It W";
    psrw_timed_readers_and_writers_give_up: Threads, "Rt Wt Wt", lazy;
    psrw_past_reader_and_writer_do_not_wait: Two, "Rp Wp W";
    psrw_try_read_beside_writer: Two, "R? I? W";
    psrw_try_write_beside_reader: Two, "R W?";
    psrw_try_write_beside_reader_waits_a_little: Two, "R W?", spins;
    psrw_try_write_gives_up_in_drain_and_lets_reader_in: Two, "Rh W? R", spins;
    psrw_try_write_gives_up_in_last_stage: Two, "Ih W? R", spins;
    psrw_try_write_beside_writers: Two, "W W? W", spins;
    psrw_try_write_beside_writers_without_stealing: TwoStrict, "W W? W", spins;
    psrw_timed_high_writer_gives_up: HighWriter, "Ih Wt W?", spins;
    psrw_timed_high_writers_give_up: HighWriter, "Wt Wt I";
    /// The reader for which there is no room waits, and comes in when another has left.
    psrw_reader_waits_at_the_cap: Threads, "R R", |setup| setup.found = NEARLY_FULL;
    psrw_timed_reader_gives_up_at_the_cap: Threads, "Rh Rt", |setup| setup.found = NEARLY_FULL;
    /// A low class leaves room for a higher one.
    psrw_irq_reader_enters_where_lower_class_is_full: Four, "Nt I", |setup| setup.found = FULL_OF_LOW;
    psrw_softirq_reader_enters_where_lower_class_is_full: Four, "Nt B", |setup| setup.found = FULL_OF_LOW;
}

/// A thread whose id does not fit HEAD is refused before it makes a step. Calls that do not sleep
/// work.
#[test]
fn psrw_thread_whose_id_does_not_fit_is_refused_where_it_would_sleep() {
    let setup = Setup { first_id: ONE_TOO_MANY, ..Setup::default() };
    alone::<Two>(Setup { found: WRITTEN, ..setup }, |lock| {
        assert_eq!(lock.read_until(Thread, None), Err(Refused::TooManyThreads));
        assert_eq!(lock.write_until(Thread, None), Err(Refused::TooManyThreads));
        assert!(lock.try_write(Thread).is_none());
        let past = Some(Instant::from_nanos(0));
        assert_eq!(lock.read_until(Thread, past), Err(Refused::TimedOut));
        assert_eq!(lock.write_until(Thread, past), Err(Refused::TimedOut));
    });
    alone::<Two>(setup, |lock| {
        let raised = lock.write(Thread);
        // SAFETY: taken just now.
        unsafe { lock.write_unlock(Thread, raised) };
    });
}

/// A thread with the last id that fits HEAD can wait.
#[test]
fn psrw_thread_with_the_last_id_that_fits_waits() {
    let ids = |setup: &mut Setup| setup.first_id = ONE_TOO_MANY - 2;
    crate::model::Model::<Two>::row("R W").with(ids).holds();
}
