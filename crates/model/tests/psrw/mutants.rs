//! For each rule the smallest row found that falls when the rule is broken.

use crate::model::falls;
use crate::subject::mutant::Mutant;
use crate::subject::{IrqAlone, Threads, Two};
use crate::world::{lazy, overdue, spins};
use crate::{handlers, orders};

falls! {
    psrw_reader_and_writer_stuck_if_queue_publishes_in_own_step: Threads, "R W", PsrwQueuePublishedInOwnStep;
    psrw_writers_stuck_if_queue_publishes_in_own_step: Threads, "W W", PsrwQueuePublishedInOwnStep;
    psrw_reader_and_writer_stuck_if_drain_publishes_in_own_step: Threads, "R W", PsrwDrainPublishedInOwnStep;
    psrw_reader_and_writer_stuck_if_queue_looks_at_head: Threads, "R W", PsrwQueueLooksAtHead;
    psrw_writer_stuck_if_drain_awaits_high_readers: Two, "I W", PsrwDrainAwaitsHighReaders;
    psrw_writer_stuck_if_drain_awaits_high_readers_beside_thread_reader: Two, "R I W", PsrwDrainAwaitsHighReaders;
    psrw_writer_stuck_if_drain_queues_at_end: Threads, "R R W", PsrwDrainQueuesAtEnd;
    psrw_head_is_lost_if_drain_clears_it: Threads, "R,R W", PsrwDrainClearsHead;
    psrw_heir_sleeps_if_leaving_head_wakes_nobody: Threads, "W Wt W", PsrwLeavingWakesNobody, lazy;
    psrw_heir_sleeps_if_leaving_reader_wakes_nobody: Threads, "W Rt W", PsrwLeavingWakesNobody, lazy;
    psrw_reader_sleeps_if_timed_out_drainer_wakes_nobody: Threads, "R Wt R", PsrwDrainTimeoutWakesNobody, lazy;
    psrw_reader_sleeps_if_failed_try_wakes_nobody: Two, "Rh W? R", PsrwUndoWakesNobody, spins;
    psrw_reader_sleeps_if_failed_timed_write_wakes_nobody: Two, "Ih Wt R", PsrwUndoWakesNobody;
    psrw_reader_sleeps_behind_reader_if_granted_one_wakes_nobody: Threads, "Wt Rh R", PsrwGrantedReaderWakesNobody;
    psrw_reader_sleeps_at_cap_if_leaving_one_wakes_nobody: Threads, "R R", PsrwCapWakesNobody,
        |setup| setup.found = ((1 << 18) - 2) * crate::monitor::THREAD;
    psrw_reader_touches_freed_lock_if_unlock_looks_again: Threads, "R Wx", PsrwUnlockLooksAgain;
    psrw_writer_touches_freed_lock_if_unlock_looks_again: Threads, "W Wx", PsrwUnlockLooksAgain;
    psrw_closed_outlives_writer_if_unlock_takes_two_steps: Threads, "R W", PsrwUnlockInTwoSteps;
    psrw_writers_meet_if_two_sift_at_once: Threads, "W W", PsrwTwoWritersSift;
    psrw_writer_beside_reader_if_fields_are_not_looked_at_again: Two, "I W", PsrwFieldsNotLookedAtAgain;
    psrw_writer_beside_reader_of_one_stage_if_fields_are_not_looked_at_again: IrqAlone, "I W", PsrwFieldsNotLookedAtAgain;
    psrw_lock_stays_reserved_if_leaving_head_keeps_handoff: Threads, "W W", PsrwLeavingKeepsHandoff, overdue;
    psrw_lock_stays_reserved_if_drainer_keeps_handoff: Threads, "R W W", PsrwDrainKeepsHandoff, overdue;
    psrw_threads_shut_out_if_closed_though_they_do_not_read: IrqAlone, "W W", PsrwClosesThreadsUnread;
    psrw_reader_sleeps_behind_downgraded_writer_if_it_wakes_nobody: Threads, "Wdh R", PsrwDowngradeWakesNobody;
    psrw_writer_comes_between_write_and_read_if_downgraded_in_two_steps: Threads, "Wd W", PsrwDowngradeInTwoSteps;
    psrw_update_is_lost_if_prepared_before_its_turn: Threads, "W Wu", PsrwPreparesBeforeItsTurn;
    psrw_writer_stuck_if_failed_update_keeps_turn: Threads, "Wf W", PsrwFailedUpdateKeepsTurn;
    psrw_raised_writer_sleeps_if_it_queues_raised: Two, "W W", PsrwQueuesRaised;
}

#[test]
fn psrw_every_rule_is_broken_by_a_row() {
    // The rules of the other lock have a list of their own.
    let of_psrw = |rule: &&Mutant| format!("{rule:?}").starts_with("Psrw");
    for rule in Mutant::ALL.iter().filter(of_psrw) {
        let lists = [BROKEN, handlers::BROKEN, orders::BROKEN];
        assert!(lists.iter().any(|list| list.contains(rule)), "{rule:?} has no row");
    }
}
