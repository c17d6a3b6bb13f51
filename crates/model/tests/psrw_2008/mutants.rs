//! For each rule the smallest row found that falls when the rule is broken. The row is held to its
//! outcome alone: nobody is stuck, nothing overlaps, and nothing is left behind.
//!
//! Two of the smallest cases that a search without weak memory found are not reached here. In the
//! first, `Rt,W Wt,R`, a writer takes back its step and looks no more. It stays unnoticed, with one
//! preemption more than usual too. In the second, `R W W`, a reader adds. It stays unnoticed where
//! a handler interrupts the reader; where a handler interrupts a writer, the search takes minutes.
//! Each rule has another row, of the same failure: `Rh Wt R`, and a thread that reads twice with a
//! handler in between. Writers that count without their mutex break an invariant, a step before
//! they break exclusion.

use crate::model::falls;
use crate::subject::{Threads, Two};
use crate::world::{Demands, Setup, lazy};

fn outcome(setup: &mut Setup) {
    setup.demands = Demands::Outcome;
}

/// The failure takes one preemption more than such rows have.
fn deeper_outcome(setup: &mut Setup) {
    outcome(setup);
    setup.deeper = 1;
}

fn deepest_outcome(setup: &mut Setup) {
    outcome(setup);
    setup.deeper = 2;
}

fn lazy_outcome(setup: &mut Setup) {
    outcome(setup);
    lazy(setup);
}

falls! {
    psrw_2008_sleeper_is_stuck_if_unlock_looks_at_its_start_as_posted: Threads, "R,W W,R", PostedUnlockLooksAtItsStart, outcome;
    psrw_2008_sleeper_is_stuck_if_writers_are_woken_first_as_posted: Threads, "W W R", PostedWakesWritersFirst, outcome;
    psrw_2008_reader_sleeps_behind_reader_if_woken_one_checks_nothing: Threads, "Wt Rh R", WokenChecksNothing, deeper_outcome;
    psrw_2008_handler_waits_for_own_thread_if_it_sleeps_unmasked: Two, "R!I W", SleepsUnmasked, outcome;
    psrw_2008_handler_waits_for_own_thread_if_it_gets_up_unmasked: Two, "R!I W", WokenUnmasked, outcome;
    psrw_2008_handler_waits_for_own_thread_if_it_wakes_unmasked: Two, "R!I W", WakesUnmasked, outcome;
    psrw_2008_sleeper_is_stuck_without_second_test: Threads, "R W", NoSecondTest, outcome;
    psrw_2008_reader_is_stuck_if_one_gives_up_unchecked: Threads, "W Rt R", ReaderGivesUpUnchecked, deeper_outcome;
    psrw_2008_reader_is_stuck_if_writer_undoes_unchecked: Threads, "Rh Wt R", WriterUndoUnchecked, lazy_outcome;
    psrw_2008_writer_is_stuck_if_sleeper_times_out_unchecked: Threads, "R Wt W", SleeperTimesOutUnchecked, deeper_outcome;
    psrw_2008_all_are_shut_out_if_reader_forgets_itself: Threads, "Rt W", UndoForgetsSlowReader, outcome;
    psrw_2008_all_are_shut_out_if_writer_forgets_itself: Threads, "R Wt", UndoForgetsSubscription, outcome;
    psrw_2008_slow_writers_go_unseen_if_counted_without_mutex: Threads, "R,W W,R", CountsWithoutMutex;
    psrw_2008_writer_meets_reader_if_it_looks_inside_first: Threads, "R,W W,R", LooksAtReadersFirst, outcome;
    psrw_2008_handler_waits_for_own_thread_if_shut_out_before_raising: Two, "R W!I", SubscribesBeforeRaising, outcome;
    psrw_2008_handler_waits_for_own_thread_if_lowered_before_let_in: Two, "R W!I", LowersBeforeUnsubscribing, outcome;
    psrw_2008_handler_waits_for_writer_beside_reader_that_adds: Two, "R,R!I W", AddsThenTakesBack, deepest_outcome;
    /// Weak memory.
    psrw_2008_sleeper_is_stuck_without_its_fence: Threads, "R,R W", SleepsWithoutFence, deeper_outcome;
    psrw_2008_sleeper_is_stuck_without_fence_of_check: Threads, "R W W", CheckWithoutFence, deeper_outcome;
}

#[test]
fn psrw_2008_every_rule_is_broken_by_a_row() {
    for rule in crate::subject::mutant::Mutant::ALL {
        let listed = BROKEN.contains(rule) || crate::orders::BROKEN.contains(rule);
        assert!(listed, "{rule:?} has no row");
    }
}
