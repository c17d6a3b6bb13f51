//! Deliberate mistakes that the models must catch. Each mistake breaks one rule of the protocol.

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
