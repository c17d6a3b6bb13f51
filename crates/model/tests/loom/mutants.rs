//! The rule on the left is broken, and the model on the right has to fall. The model's own test
//! shows that it holds otherwise.

use siftlock_core::sync::mutant::Mutant;
use siftlock_model::model::FOR_SHUTTLE;
use siftlock_model::mutants;

mutants! {
    // Freed memory.
    UnlockLooksAgain => free::rwsem_writer_frees_after_reader_r7;
    // Ids of threads that have ended.
    FreeIdsUntagged => free_ids::free_ids_first_comes_back_while_another_pops;
    FreeIdPushedRelaxed => free_ids::free_ids_pass_from_thread_to_thread;
    FreeIdPoppedRelaxed => free_ids::free_ids_pass_from_thread_to_thread;
    // Calls lost.
    HeadPublishedInOwnStep => wakeups::rwsem_reader_and_writer_lose_no_call_r5;
    NewHeadDoesNotLook => wakeups::rwsem_reader_and_writer_lose_no_call_r5;
    QueueingReaderWakesNobody => wakeups::rwsem_queueing_reader_takes_back_its_share_r5;
    ReservationKeptInSilence => handoff::rwsem_overdue_writer_is_not_passed_r9;
    NestedReaderWakesNobody => slots::rwsem_slot_reader_reads_again_beside_two_writers_r5;
    GuardWakesNobody => overflow::rwsem_refused_reader_calls_writer_r5;
    LeavingWakesNobody => wakeups::rwsem_leaving_writer_calls_reader_behind_reader_r5;
    LeavingWakesOnlyIfFree => wakeups::rwsem_leaving_writer_calls_reader_behind_reader_r5;
    WriteUnlockWakesOnlyIfFree => wakeups::rwsem_write_unlock_calls_beside_passing_share_r5;
    DowngradeWakesNobody => downgrade::rwsem_downgrade_lets_reader_in_r5;
    LimitWakesNobody => batch::rwsem_batch_limit_calls_the_next;
    // Shares where there may be slots.
    ShareAddedTwice => symmetric::rwsem_share_without_a_question_beside_writer_r4;
    ShareTakenBesideNote => symmetric::rwsem_symmetric_reader_and_writer_come_again_r5;
    // Slots: exclusion.
    SlotNotLookedAtAgain => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotsSeenWithoutFence => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    ThreadListedNowhere => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotFreeUnlisted => holds::rwsem_unlock_of_slot_calls_the_sleeping_writer_r5;
    SlotLooksAtBiasOnly => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotClearedRelaxed => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotSeenRelaxed => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    RefusedUpgradeGoesIn => slots::rwsem_slot_hasty_upgrade_tries_again_r4;
    RefusedWriterGoesIn => slots::rwsem_slot_hasty_writer_tries_again_r4;
    RevokerSignsTooSoon => slots::rwsem_slot_reader_comes_again_beside_timed_writer_r4;
    RevokerGivingUpRelaxed => symmetric::rwsem_bias_changes_its_form_before_another_writer_comes_r4;
    RevokerGivingUpSigns => slots::rwsem_slot_reader_comes_again_beside_timed_writer_r4;
    BiasNotLookedAtAgain => slots::rwsem_slot_reader_beside_writer_that_comes_again_r4;
    SlotLooksAtOwnerFirst => slots::rwsem_slot_reader_beside_writer_that_comes_again_r4;
    BiasShownRelaxed => slots::rwsem_bias_is_switched_on_behind_writer_r4;
    BiasSeenRelaxed => slots::rwsem_bias_is_switched_on_among_light_fences_r4;
    SlotCountSeenRelaxed => symmetric::rwsem_symmetric_reader_and_writer_exclude_each_other_r4;
    BellRungRelaxed => symmetric::rwsem_symmetric_reader_comes_again_beside_writer_r4;
    BellSeenRelaxed => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotReadersIgnoreWaiters => slots::rwsem_slot_timed_writer_reserves_r9;
    ListGrowsOnce => slots::rwsem_slot_readers_of_two_groups_and_writer_r4;
    // Slots: calls lost, freed memory.
    RevokerGivingUpWakesNobody => slots::rwsem_slot_reader_stays_and_writer_lets_overdue_reader_in_r5;
    SlotNoSecondFence => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotNoSecondLook => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotWithdrawnInSilence => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotLookOvertakesClearing => slots::rwsem_slot_reader_and_writer_exclude_each_other_r4;
    SlotMarkIsAName => holds::rwsem_slot_is_used_for_another_lock_before_the_first_writer_wakes;
    SlotReadAgainByAnother => holds::rwsem_reader_reads_again_by_the_same_slot_r4;
    SlotUnlockUntokenedInSilence => holds::rwsem_unlock_without_token_calls_the_sleeping_writer_r5;
    OthersSlotsBeforeNotes => holds::rwsem_unlocks_of_two_threads_take_two_holds_r4;
    SlotUnlockInSilence => holds::rwsem_unlock_of_slot_calls_the_sleeping_writer_r5;
    MarkChangedRelaxed => holds::rwsem_unlock_for_another_thread_lets_the_writer_in_r4;
    MarkIgnoresDepth => holds::rwsem_slot_stands_for_each_hold_r4;
    WriteUnlockSubtracts => holds::rwsem_write_unlock_takes_nothing_that_is_not_there;
    UntokenedSubtracts => holds::rwsem_unlock_without_token_takes_nothing_that_is_not_there;
    MarkForgottenWhateverItNames => holds::rwsem_leaked_slot_ends_with_its_lock_in_another_thread_r4;
    SlotsOutliveTheLock => holds::rwsem_leaked_slot_ends_with_its_lock;
    TryWriteWaitsForSlots => slots::rwsem_slot_reader_stays_and_writer_only_tries;
    SlotUnlockLooksAtLock => slots::rwsem_slot_writer_frees_after_slot_reader_r7;
    WriterLooksBeforeItsStep => slots::rwsem_bias_is_switched_on_beside_writer_that_comes_again_r4;
    // Slots that are noted by a swap.
    FenceOfAnotherCounts => symmetric::rwsem_fence_begins_beside_reader_and_writer_r4;
    SymmetricNoteIsAStore => symmetric::rwsem_symmetric_reader_and_writer_exclude_each_other_r4;
    SymmetricSeenWithoutFence => symmetric::rwsem_symmetric_reader_and_writer_exclude_each_other_r4;
    UnfencedWriterSleepsOn => symmetric::rwsem_unfenced_reader_and_writer_exclude_each_other_r4;
    StoreFitsSymmetric => symmetric::rwsem_bias_changes_its_form_beside_reader_r4;
    SymmetricAgainByReader => symmetric::rwsem_symmetric_bias_does_not_replace_the_other_r4;
    SwitchedOnByStore => symmetric::rwsem_symmetric_bias_comes_beside_the_other_r4;
    BiasTakenAway => symmetric::rwsem_bias_stays_if_asked_for_late_r4;
    // Reads that note themselves.
    NoteNotMade => noted::rwsem_noted_reader_reads_again_past_writer_r5;
    NotedIsEverybody => noted::rwsem_noted_reader_comes_again_behind_writer_r9;
    NoteStaysBehind => noted::rwsem_noted_reader_comes_again_behind_writer_r9;
    NoteIgnoresRest => notes::rwsem_shares_without_a_note_are_of_every_lock_r5;
    UpgradeKeepsNote => noted::rwsem_noted_upgrade_is_no_read_r9;
    NoteLostByFailedUpgrade => notes::rwsem_failed_upgrade_is_noted_again_r5;
    NotesOutliveTheLock => notes_end::rwsem_leaked_note_ends_with_its_lock;
    // Step by step.
    NextShareThoughWriter => stepwise::rwsem_stepwise_reader_keeps_the_writer_out_r4;
    StepWakesNobody => stepwise::rwsem_stepwise_reader_keeps_the_writer_out_r4;
    // Leaving.
    LeavingKeepsHandoff => timeouts::rwsem_timed_head_leaves_with_lock_reserved;
    LeavingReaderKeepsWaiters => timeouts::rwsem_timed_first_reader_leaves;
    LeavingLooksThenAdds => timeouts::rwsem_timed_reader_leaves_beside_fair_unlock_r2;
    HeadUnlinksBeforeStep => timeouts::rwsem_timed_reader_leaves_beside_fair_unlock_r2;
    TimedReaderAddsFirst => timeouts::rwsem_late_reader_beside_writer_adds_nothing;
    TimedOutIgnoresClaimed => timeouts::rwsem_timed_reader_is_claimed;
    ClaimedReturnsAtOnce => timeouts::rwsem_timed_reader_is_claimed;
    // Handoff.
    HandoffAddedAgain => handoff::rwsem_reservation_is_set_once_r2;
    ReaderStealsThoughHandoff => handoff::rwsem_overdue_writer_is_not_passed_r9;
    ReaderOvertakesTheQueue => policy::rwsem_nobody_steals_as_the_lock_is_left;
    WriterStealsThoughHandoff => handoff::rwsem_overdue_writer_among_writers_r9;
    NeverReserves => handoff::rwsem_head_reserves_a_lock_that_stays_held;
    HeadStaysOnFreeLock => turns::rwsem_turns_dozing_writer_reserves_r2;
    ReservesDozing => turns::rwsem_turns_dozing_writer_reserves_r2;
    HeadSleepsThroughDue => handoff::rwsem_usual_patience_with_calls_first;
    TimeLookedAtOnlyWhenHeld => handoff::rwsem_overdue_writer_loses_once;
    FairUnlockReservesNothing => fair::rwsem_fair_read_unlock_reserves_r9;
    // Batches.
    GrantsBeforeCount => batch::rwsem_batch_meets_writer_twice_r4;
    GrantLooksBack => timeouts::rwsem_timed_reader_is_claimed;
    WokenCallsNobody => batch::rwsem_batch_woken_reader_calls_the_next_r5;
    BatchTakesOneTooMany => batch::rwsem_batch_limit_calls_the_next;
    // Too many readers.
    GuardIgnored => overflow::rwsem_one_reader_too_many_is_refused;
    GuardLeftOutOfLocked => overflow::rwsem_full_lock_is_locked;
    // Upgrades.
    UpgradeKeepsUpgrader => upgrade::rwsem_upgrade_waits_for_reader_r4;
    UpgradeReservesNothing => upgrade::rwsem_upgrade_before_writer;
    UpgradeTimeoutLosesShare => upgrade::rwsem_timed_upgrade_is_a_reader_again_r3;
    WatchesInVain => upgrade::rwsem_overdue_upgradable_sleeps;
    UpgradableUnlockWakesOnlyIfFree => upgrade::rwsem_upgradable_behind_upgradable_r5;
    UpgraderLeavingWakesNobody => upgrade::rwsem_upgrader_becomes_reader_r5;
    // Turns.
    ReaderJoinsThoughHandoff => turns::rwsem_turns_overdue_writer_is_not_passed_r9;
    WriterBehindBatchNotTold => turns::rwsem_turns_heir_of_batch_watches_its_time;
    WriterHeirNotTold => turns::rwsem_turns_heir_watches_its_time;
    FollowerStaysBehind => turns::rwsem_turns_reader_follows_writer_r1;
    PacedHeirStaysBehind => batch::rwsem_batch_paced_r1;
    RefillTakesNoShares => batch::rwsem_batch_refilled_r3;
    PassesForEver => turns::rwsem_turns_passing_ends;
    BeatenInSilence => turns::rwsem_turns_passing_ends;
    HeirNotBeaten => turns::rwsem_turns_heir_of_batch_watches_its_time;
    DozerIsNotCalled => turns::rwsem_turns_dozing_writer_is_called_r5;
    HeadStaysUnheeded => turns::rwsem_turns_unheeded_writer_is_called_r5;
    DozesForGood => turns::rwsem_turns_beaten_writer_dozes;
    // Giving way.
    GiversStayBehind => turns::rwsem_turns_reader_and_writers_r4;
    GivingReaderHasNoShare => turns::rwsem_turns_reader_and_writers_r4;
    GivingReaderHasNoNote => symmetric::rwsem_symmetric_reader_gives_way_to_called_writer_r4;
    WaiterPassedWithoutBias => slots::rwsem_slot_reader_beside_called_writer_r4;
    // Spinning.
    SpinsWithoutBound => spinning::rwsem_spin_on_unsigned_owner_is_bounded;
    SpinnerAsksForEver => spinning::rwsem_spinner_that_gives_up_asks_no_more_r6;
    PoliteReaderHasNoShare => spinning::rwsem_spinner_that_gives_up_asks_no_more_r6;
    ForbidsNobody => spinning::rwsem_spinning_is_forbidden_by_the_first;
    SpunReaderIsInAnyway => spinning::rwsem_spinning_reader_queues_behind_a_writer_that_stays_r4;
    OsqLinksBeforePrev => spinners::spinners_two_give_up;
    OsqCancelLinksBeforePrev => spinners::spinners_three_give_up;
    OsqLinkedRelaxed => spinners::spinners_middle_gives_up;
    OsqPassedOverRelaxed => spinners::spinners_three_give_up;
    OsqPrevGivenRelaxed => spinners::spinners_two_give_up_and_last_comes_again;
    OsqPrevSeenRelaxed => spinners::spinners_two_give_up_and_last_comes_again;
    OsqNextTakenRelaxed => spinners::spinners_middle_gives_up;
    OsqEnteredRelaxed => spinners::spinners_pair_takes_turns;
    OsqBeforeSeenRelaxed => spinners::spinners_pair_takes_turns;
    OsqTailGivenBackRelaxed => spinners::spinners_pair_takes_turns;
    // Memory order.
    ReadTakenRelaxed => exclusion::rwsem_reader_and_writer_exclude_r4;
    CasTakenRelaxed => exclusion::rwsem_writers_exclude_r4;
    SpunReadRelaxed => spinning::rwsem_spinning_reader_beside_writer_r4;
    EmptyQueueSeenRelaxed => exclusion::rwsem_reader_and_writer_exclude_r4;
    ReadUnlockRelaxed => exclusion::rwsem_reader_and_writer_exclude_r4;
    WriteUnlockRelaxed => exclusion::rwsem_reader_and_writer_exclude_r4;
    ReleasingCasRelaxed => exclusion::rwsem_writers_exclude_r4;
    DowngradeRelaxed => downgrade::rwsem_downgrade_publishes_r4;
    UpgradableUnlockRelaxed => upgrade::rwsem_upgradable_and_writer_exclude_r4;
    ListTakenRelaxed => exclusion::rwsem_reader_and_writers_exclude_r4;
    ListDroppedRelaxed => exclusion::rwsem_reader_and_writers_exclude_r4;
    GrantGivenRelaxed => timeouts::rwsem_timed_reader_is_claimed;
    GrantSeenRelaxed => timeouts::rwsem_timed_reader_is_claimed;
    OsqTurnPassedRelaxed => spinners::spinners_pair_takes_turns;
    OsqTurnSeenRelaxed => spinners::spinners_pair_takes_turns;
    TokenEmptiedAfterTest => token::token_caller_wakes_sleeper;
    TokenGivenRelaxed => token::token_caller_wakes_sleeper;
    TokenTakenRelaxed => token::token_caller_wakes_sleeper;
    // Waits on top of waits.
    WaitOnTopStaysBehind => on_top::rwsem_reader_on_top_of_reader_r5;
    WaitOnTopIsOvertaken => on_top::rwsem_reader_on_top_is_overtaken_by_the_wait_below;
    WaitOnTopQueuesBehindItsShare => on_top::rwsem_reader_on_top_of_a_granted_reader_r9;
    DrainLetsHandlersIn => on_top::rwsem_reader_on_top_of_writer_that_waits_for_a_slot_r5;
    NestedWaitKeepsCalls => token::token_call_for_a_wait_below_another_is_kept;
}

#[test]
fn mutants_are_all_listed() {
    // The mutants of the other protocols have rows of their own.
    let of_others = |name: &str| ["Psrw", "Defer"].iter().any(|other| name.starts_with(other));
    let of_rwsem = |mutant: &&Mutant| !of_others(&format!("{mutant:?}"));
    for mutant in Mutant::ALL.iter().filter(of_rwsem) {
        assert!(LISTED.contains(mutant) || FOR_SHUTTLE.contains(mutant), "{mutant:?} is not");
    }
}
