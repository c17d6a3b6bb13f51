//! Rules whose breach needs loads that are always up to date, or many threads.

use siftlock_model::model::FOR_SHUTTLE;
use siftlock_model::mutants;

mutants! {
    SpinsOnReservedLock => spinning::rwsem_reserved_lock_is_not_spun_on_r9;
    NeverReserves => starvation::rwsem_rolling_readers_do_not_starve_writer;
    PassesForEver => starvation::rwsem_turns_joining_readers_end_by_count;
    TimeLookedAtOnlyWhenHeld => starvation::rwsem_thieves_in_lockstep_do_not_starve_writer;
    HeadUnheededBeforeItsCall => crowd::rwsem_turns_unheeded_heir_is_called_r5;
    GrantsBeforeCount => crowd::rwsem_crowd_of_six;
    WokenCallsNobody => crowd::rwsem_crowd_calls_each_other_r5;
    QueueingReaderWakesNobody => crowd::rwsem_crowd_of_readers_and_writers;
}

#[test]
fn mutants_left_by_loom_are_listed() {
    assert!(FOR_SHUTTLE.iter().all(|mutant| LISTED.contains(mutant)));
}
