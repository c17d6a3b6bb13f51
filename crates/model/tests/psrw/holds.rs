//! Rows of threads alone: S1, S2, S4 to S7 and R7 at every step of each.

use crate::model::holds;
use crate::subject::{Four, Handlers, HighWriter, IrqAlone, Threads, Two, TwoStrict};
use crate::world::{lazy, overdue, spins};

holds! {
    psrw_reader_and_writer_exclude_each_other: Threads, "R W";
    psrw_two_writers_exclude_each_other: Threads, "W W";
    psrw_irq_reader_and_writer_exclude_each_other: Two, "I W";
    psrw_irq_reader_and_writer_alone_exclude_each_other: IrqAlone, "I W";
    psrw_nonpreemptible_reader_and_writer_exclude_each_other: Four, "N W";
    psrw_softirq_reader_and_writer_exclude_each_other: Four, "B W";
    psrw_handlers_readers_and_writer_exclude_each_other: Handlers, "B I W";
    psrw_readers_of_two_classes_and_writer_exclude_each_other: Two, "R I W";
    psrw_readers_of_high_classes_and_writer_exclude_each_other: Four, "N I W";
    psrw_two_readers_and_writer_leave_nothing: Threads, "R R W";
    psrw_reader_and_two_writers_leave_nothing: Two, "R W W";
    psrw_irq_reader_and_two_writers_leave_nothing: Two, "I W W";
    psrw_three_writers_leave_nothing: Threads, "W W W";
    psrw_reader_and_two_writers_leave_nothing_without_stealing: TwoStrict, "R W W";
    psrw_three_writers_leave_nothing_without_stealing: TwoStrict, "W W W";
    psrw_reader_comes_in_behind_a_reader_that_stays: Threads, "Wt Rh R";
    psrw_overdue_writers_get_in: Threads, "W W W", overdue;
    psrw_overdue_reader_and_writers_get_in: Two, "R W W", overdue;
    psrw_overdue_readers_and_writer_get_in: Threads, "R R W", overdue;
    /// R7: the lock is freed as soon as its last holder has let go.
    psrw_reader_unlocks_before_writer_frees: Threads, "R Wx";
    psrw_irq_reader_unlocks_before_writer_frees: Two, "I Wx";
    psrw_writer_unlocks_before_writer_frees: Two, "W Wx";
    psrw_reader_and_writer_unlock_before_writer_frees: Threads, "R W Wx";
    psrw_high_writers_exclude_each_other: HighWriter, "W W";
    psrw_high_writer_and_readers_exclude_each_other: HighWriter, "B I W";
    psrw_high_writers_and_reader_exclude_each_other: HighWriter, "I W W";
    psrw_waits_awake_with_looks_too: Two, "I W", spins;
    psrw_reader_and_writer_wait_awake_before_they_sleep: Threads, "R W", spins;
    psrw_writers_wait_awake_before_they_sleep: Threads, "W W", spins;
    /// Nobody writes between the look at the value and the write that was prepared from it.
    psrw_updates_exclude_each_other: Threads, "Wu Wu";
    psrw_update_and_reader_exclude_each_other: Threads, "R Wu";
    psrw_update_and_irq_reader_exclude_each_other: Two, "I Wu";
    psrw_update_of_one_stage_and_irq_reader_exclude_each_other: IrqAlone, "I Wu";
    psrw_update_and_readers_of_two_classes_exclude_each_other: Two, "R I Wu";
    psrw_update_and_writers_leave_nothing: Threads, "W W Wu";
    psrw_failed_update_lets_writers_in: Threads, "Wf W";
    psrw_failed_update_lets_reader_in_beside_writer: Threads, "R Wf W";
    psrw_update_unlocks_before_writer_frees: Two, "Wu Wx";
    /// Nobody writes between the write and the read that it becomes.
    psrw_downgraded_writer_and_writer_exclude_each_other: Threads, "Wd W";
    psrw_downgraded_writers_exclude_each_other: Threads, "Wd Wd";
    psrw_downgraded_writer_lets_waiting_reader_in: Threads, "Wdh R";
    psrw_downgraded_writer_lets_irq_reader_in: Two, "Wdh I";
    psrw_downgraded_writer_holds_drainer_up: Two, "Wd R W";
    psrw_downgraded_update_and_readers_exclude_each_other: Two, "Wud R I";
    psrw_downgraded_writer_unlocks_before_writer_frees: Two, "Wd Wx";
    psrw_reader_and_writer_in_any_order_of_timers: Threads, "Rt Wt", lazy;
}

/// Threads that take the lock twice, with fewer preemptions.
#[test]
fn psrw_readers_that_write_leave_nothing() {
    crate::model::Model::<Threads>::row("R,W W,R").within(Some(4)).holds();
    crate::model::Model::<Two>::row("I,W W,R").within(Some(4)).holds();
}
