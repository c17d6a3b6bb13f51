//! Deliberate mistakes, one a rule of the protocol, that the models must catch.

siftlock_core::breakable_rules! {
    AddsThenTakesBack
    CheckWithoutFence
    CountsWithoutMutex
    EntersRelaxed
    FastWriteUnlockRelaxed
    LockMutexDroppedRelaxed
    LooksAtReadersFirst
    LowersBeforeUnsubscribing
    NoSecondTest
    PostedUnlockLooksAtItsStart
    PostedWakesWritersFirst
    QueueDroppedRelaxed
    QueueTakenRelaxed
    ReaderGivesUpUnchecked
    ReadUnlockRelaxed
    SeenRelaxed
    SleeperTimesOutUnchecked
    SleepsUnmasked
    SleepsWithoutFence
    SlowReaderLeavesRelaxed
    SlowWriterOffRelaxed
    SubscribesBeforeRaising
    UndoForgetsSlowReader
    UndoForgetsSubscription
    UnsubscribesRelaxed
    WakesUnmasked
    WokenChecksNothing
    WokenUnmasked
    WriterUndoUnchecked
}
