//! Deliberate mistakes that the models must catch. Each mistake breaks one rule of the protocols.
//!
//! A model test switches one on for its own thread. The protocol asks for it with `mutated!` at the
//! place where it keeps the rule. None of this exists outside the models.

/// Fills a module with the rules that the models of one crate can break, and with their switch.
#[doc(hidden)]
#[macro_export]
macro_rules! breakable_rules {
    ($($rule:ident)*) => {
        std::thread_local! {
            static ON: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
        }

        /// A rule that can be broken.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each name says what is done wrong; the models say why")]
        pub enum Mutant {
            $($rule),*
        }

        impl Mutant {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$rule),*];
        }

        /// Breaks this rule, and no other, in the models that this OS thread runs.
        pub fn switch_on(mutant: Mutant) {
            ON.set(Some(mutant));
        }

        /// Keeps all rules again.
        pub fn switch_off() {
            ON.set(None);
        }

        pub(crate) fn is_on(mutant: Mutant) -> bool {
            ON.get() == Some(mutant)
        }
    };
}

crate::breakable_rules! {
    BatchTakesOneTooMany
    BeatenInSilence
    BellRungRelaxed
    BellSeenRelaxed
    BiasNotLookedAtAgain
    BiasSeenRelaxed
    BiasShownRelaxed
    BiasTakenAway
    CasTakenRelaxed
    ClaimedReturnsAtOnce
    DeferArrivalOvertakes
    DeferBlocksAndRequeues
    DeferChainsUnheld
    DeferDropsWhatMerges
    DeferFaultLeavesOthersBehind
    DeferForgetsOuterBlocked
    DeferForgetsRefusedKick
    DeferKicksAfterHandler
    DeferKicksUnheld
    DeferKicksWhatIsBlocked
    DeferKicksWhatIsKept
    DeferLeavesFrameUnblocked
    DeferLeavesKickBehind
    DeferLeavesOthersBehind
    DeferLeavesRefusedBehind
    DeferLooksBeforeLowering
    DeferMergesInPlace
    DeferNoChain
    DeferOneBlockedSet
    DeferPendInTwoSteps
    DowngradeRelaxed
    DowngradeWakesNobody
    DozerIsNotCalled
    DozesForGood
    DrainLetsHandlersIn
    EmptyQueueSeenRelaxed
    FairUnlockReservesNothing
    FenceOfAnotherCounts
    FollowerStaysBehind
    ForbidsNobody
    FreeIdPoppedRelaxed
    FreeIdPushedRelaxed
    FreeIdsUntagged
    GiversStayBehind
    GivingReaderHasNoNote
    GivingReaderHasNoShare
    GrantGivenRelaxed
    GrantLooksBack
    GrantSeenRelaxed
    GrantsBeforeCount
    GuardIgnored
    GuardLeftOutOfLocked
    GuardWakesNobody
    HandoffAddedAgain
    HeadPublishedInOwnStep
    HeadSleepsThroughDue
    HeadStaysOnFreeLock
    HeadStaysUnheeded
    HeadUnheededBeforeItsCall
    HeadUnlinksBeforeStep
    HeirNotBeaten
    LeavingKeepsHandoff
    LeavingLooksThenAdds
    LeavingReaderKeepsWaiters
    LeavingWakesNobody
    LeavingWakesOnlyIfFree
    LimitWakesNobody
    ListDroppedRelaxed
    ListGrowsOnce
    ListTakenRelaxed
    MarkChangedRelaxed
    MarkForgottenWhateverItNames
    MarkIgnoresDepth
    NestedReaderWakesNobody
    NestedWaitKeepsCalls
    NeverReserves
    NewHeadDoesNotLook
    NextShareThoughWriter
    NoteIgnoresRest
    NoteLostByFailedUpgrade
    NoteNotMade
    NoteStaysBehind
    NotedIsEverybody
    NotesOutliveTheLock
    OsqBeforeSeenRelaxed
    OsqCancelLinksBeforePrev
    OsqEnteredRelaxed
    OsqLinkedRelaxed
    OsqLinksBeforePrev
    OsqNextTakenRelaxed
    OsqPassedOverRelaxed
    OsqPrevGivenRelaxed
    OsqPrevSeenRelaxed
    OsqTailGivenBackRelaxed
    OsqTurnPassedRelaxed
    OsqTurnSeenRelaxed
    OthersSlotsBeforeNotes
    PacedHeirStaysBehind
    PassesForEver
    PoliteReaderHasNoShare
    PsrwAddsThenTakesBack
    PsrwCapWakesNobody
    PsrwClosesAllAtOnce
    PsrwClosesBeforeRaising
    PsrwClosesThreadsUnread
    PsrwDowngradeInTwoSteps
    PsrwDowngradeWakesNobody
    PsrwDrainAwaitsHighReaders
    PsrwDrainClearsHead
    PsrwDrainKeepsHandoff
    PsrwDrainPublishedInOwnStep
    PsrwDrainQueuesAtEnd
    PsrwDrainTimeoutWakesNobody
    PsrwEnterRelaxed
    PsrwFailedUpdateKeepsTurn
    PsrwFieldsNotLookedAtAgain
    PsrwGrantedReaderWakesNobody
    PsrwHighUnlockRelaxed
    PsrwHighUnlockTakesListLock
    PsrwLeavingKeepsHandoff
    PsrwLeavingWakesNobody
    PsrwLowersBeforeRelease
    PsrwPreparesBeforeItsTurn
    PsrwQueueLooksAtHead
    PsrwQueuePublishedInOwnStep
    PsrwQueuesRaised
    PsrwReadUnlockRelaxed
    PsrwReadsWithoutRaising
    PsrwSeenRelaxed
    PsrwTwoWritersSift
    PsrwUndoWakesNobody
    PsrwUnlockInTwoSteps
    PsrwUnlockLooksAgain
    PsrwWriteUnlockRelaxed
    QueueingReaderWakesNobody
    ReadTakenRelaxed
    ReadUnlockRelaxed
    ReaderJoinsThoughHandoff
    ReaderOvertakesTheQueue
    ReaderStealsThoughHandoff
    RefillTakesNoShares
    RefusedUpgradeGoesIn
    RefusedWriterGoesIn
    ReleasingCasRelaxed
    ReservationKeptInSilence
    ReservesDozing
    RevokerGivingUpRelaxed
    RevokerGivingUpSigns
    RevokerGivingUpWakesNobody
    RevokerSignsTooSoon
    ShareAddedTwice
    ShareTakenBesideNote
    SlotClearedRelaxed
    SlotCountSeenRelaxed
    SlotFreeUnlisted
    SlotLookOvertakesClearing
    SlotLooksAtBiasOnly
    SlotLooksAtOwnerFirst
    SlotMarkIsAName
    SlotNoSecondFence
    SlotNoSecondLook
    SlotNotLookedAtAgain
    SlotReadAgainByAnother
    SlotReadersIgnoreWaiters
    SlotSeenRelaxed
    SlotUnlockInSilence
    SlotUnlockLooksAtLock
    SlotUnlockUntokenedInSilence
    SlotWithdrawnInSilence
    SlotsOutliveTheLock
    SlotsSeenWithoutFence
    SpinnerAsksForEver
    SpinsOnReservedLock
    SpinsWithoutBound
    SpunReadRelaxed
    SpunReaderIsInAnyway
    StepWakesNobody
    StoreFitsSymmetric
    SwitchedOnByStore
    SymmetricAgainByReader
    SymmetricNoteIsAStore
    SymmetricSeenWithoutFence
    ThreadListedNowhere
    TimeLookedAtOnlyWhenHeld
    TimedOutIgnoresClaimed
    TimedReaderAddsFirst
    TokenEmptiedAfterTest
    TokenGivenRelaxed
    TokenTakenRelaxed
    TryWriteWaitsForSlots
    UnfencedWriterSleepsOn
    UnlockLooksAgain
    UntokenedSubtracts
    UpgradableUnlockRelaxed
    UpgradableUnlockWakesOnlyIfFree
    UpgradeKeepsNote
    UpgradeKeepsUpgrader
    UpgradeReservesNothing
    UpgradeTimeoutLosesShare
    UpgraderLeavingWakesNobody
    WaitOnTopIsOvertaken
    WaitOnTopQueuesBehindItsShare
    WaitOnTopStaysBehind
    WatchesInVain
    WaiterPassedWithoutBias
    WokenCallsNobody
    WriteUnlockRelaxed
    WriteUnlockSubtracts
    WriteUnlockWakesOnlyIfFree
    WriterBehindBatchNotTold
    WriterHeirNotTold
    WriterLooksBeforeItsStep
    WriterStealsThoughHandoff
}
