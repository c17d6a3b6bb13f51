//! Rows that hold, of threads alone: T1 to T7 at every step of each.

use crate::model::holds;
use crate::monitor::READER;
use crate::subject::{Four, HighWriter, IrqAlone, Threads, Two};
use crate::world::{lazy, spins};

/// One fewer readers than a Thread finds too many.
const NEARLY_FULL: u64 = ((1 << 26) - 2) * READER;

/// The number of readers that a Thread finds too many.
const FULL_OF_LOW: u64 = ((1 << 26) - 1) * READER;

holds! {
    psrw_2008_reader_and_writer_exclude_each_other: Threads, "R W";
    psrw_2008_two_writers_exclude_each_other: Threads, "W W";
    psrw_2008_irq_reader_and_writer_exclude_each_other: Two, "I W";
    psrw_2008_irq_reader_and_writer_alone_exclude_each_other: IrqAlone, "I W";
    psrw_2008_two_raised_writers_exclude_each_other: Two, "W W";
    psrw_2008_nonpreemptible_reader_and_writer_exclude_each_other: Four, "N W";
    psrw_2008_softirq_reader_and_writer_exclude_each_other: Four, "B W";
    psrw_2008_readers_of_two_classes_and_writer_exclude_each_other: Two, "R I W";
    psrw_2008_two_readers_and_writer_leave_nothing: Threads, "R R W";
    psrw_2008_reader_and_two_writers_leave_nothing: Threads, "R W W";
    psrw_2008_irq_reader_and_two_writers_leave_nothing: Two, "I W W";
    psrw_2008_readers_that_write_leave_nothing: Threads, "R,W W,R";
    psrw_2008_waits_with_looks_first: Two, "R W", spins;
    psrw_2008_waits_awake_with_looks_first: Two, "I W", spins;
    psrw_2008_high_writers_exclude_each_other: HighWriter, "W W";
    psrw_2008_high_writer_and_readers_exclude_each_other: HighWriter, "B I W";
    /// T6: no thread sleeps behind a thread that stays, or gives up.
    psrw_2008_reader_comes_in_behind_a_reader_that_stays: Threads, "Wt Rh R";
    psrw_2008_reader_gives_up_and_calls_the_next: Threads, "W Rt R";
    psrw_2008_reader_gives_up_and_lets_writer_on: Threads, "Rt W W";
    psrw_2008_try_read_gives_up_and_lets_writer_on: Threads, "W R? W";

    psrw_2008_writer_gives_up_and_calls_the_next: Threads, "R Wt W";
    psrw_2008_writer_gives_up_at_a_stage_and_lets_reader_in: Threads, "Rh Wt R", lazy;
    psrw_2008_those_who_give_up_and_come_again_leave_nothing: Threads, "Rt,W Wt,R";
    psrw_2008_timed_reader_gives_up: Two, "Rt W", lazy;
    psrw_2008_timed_irq_reader_gives_up: Two, "It W";
    psrw_2008_timed_writer_gives_up: Two, "R Wt", lazy;
    psrw_2008_timed_writer_gives_up_at_the_last_stage: Two, "Ih Wt R";
    psrw_2008_timed_writers_give_up: Two, "R Wt Wt";
    psrw_2008_past_reader_and_writer_do_not_wait: Two, "Rp Wp W";
    psrw_2008_tries_beside_writer: Two, "R? I? W";
    psrw_2008_try_write_beside_reader: Two, "R W?";
    psrw_2008_try_write_beside_reader_waits_a_little: Two, "R W?", spins;
    psrw_2008_try_write_beside_writers: Two, "W W? W?";
    psrw_2008_try_write_gives_up_and_lets_reader_in: Two, "Ih W? R", spins;
    psrw_2008_timed_high_writer_gives_up: HighWriter, "Ih Wt W?", spins;
    /// The reader for which there is no room waits, and comes in when another has left.
    psrw_2008_reader_waits_at_the_cap: Threads, "R R", |setup| setup.found = NEARLY_FULL;
    psrw_2008_timed_reader_gives_up_at_the_cap: Threads, "Rh Rt", |setup| setup.found = NEARLY_FULL;
    /// A low class leaves room for a higher one.
    psrw_2008_irq_reader_enters_where_lower_class_is_full: Two, "Rt I", |setup| setup.found = FULL_OF_LOW;
}
