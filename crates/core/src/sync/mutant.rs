//! Deliberate mistakes, one a rule of the protocols, that the models must catch.
//!
//! A model test switches one on for its own thread; the protocol asks for it with `mutated!` at the
//! place where the rule is kept. None of this exists outside the models.

use std::cell::Cell;

std::thread_local! {
    static ON: Cell<Option<Mutant>> = const { Cell::new(None) };
}

/// A rule that can be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each name says which rule is broken; the models say how it fails")]
pub enum Mutant {
    ClaimedReturnsAtOnce,
    DirectGrantAdds,
    DowngradeWakesNobody,
    GrantsBeforeCount,
    GuardLeftOutOfLocked,
    GuardWakesNobody,
    HeadPublishedInOwnStep,
    LeavingKeepsHandoff,
    LimitWakesNobody,
    NewHeadDoesNotLook,
    OsqCancelLinksBeforePrev,
    OsqLinksBeforePrev,
    QueueingReaderWakesNobody,
    ReaderGivingUpWakesNobody,
    ReaderStealsThoughHandoff,
    SpinsOnReservedLock,
    UnlockLooksAgain,
    WriterStealsThoughHandoff,
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
