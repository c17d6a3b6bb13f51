//! Policies that make rare paths common, and those in which a rule is at stake alone.

use siftlock_core::rwsem::Policy;
pub use siftlock_core::rwsem::policy::{BeforePatch10, Classic, Patch10, Standard};

/// A batch takes two readers at most.
#[derive(Debug)]
pub struct TwoAtOnce;

impl Policy for TwoAtOnce {
    siftlock_core::without_turns!();
    const DIRECT_GRANT: bool = true;
    const MAX_READERS_WAKEUP: u32 = 2;
}

/// A batch takes one reader at most.
#[derive(Debug)]
pub struct OneAtOnce;

impl Policy for OneAtOnce {
    siftlock_core::without_turns!();
    const DIRECT_GRANT: bool = true;
    const MAX_READERS_WAKEUP: u32 = 1;
}

/// Each reader of a batch calls one more.
#[derive(Debug)]
pub struct OneAfterTheOther;

impl Policy for OneAfterTheOther {
    siftlock_core::without_turns!();
    const WAKES_EACH: u32 = 1;
}

/// Each reader of a batch calls two more.
#[derive(Debug)]
pub struct TwoEach;

impl Policy for TwoEach {
    siftlock_core::without_turns!();
    const WAKES_EACH: u32 = 2;
}

/// Who grants a batch calls all its readers.
#[derive(Debug)]
pub struct CallsAll;

impl Policy for CallsAll {
    siftlock_core::without_turns!();
    const WAKES_EACH: u32 = 0;
}

/// No write unlock gives the lock to a reader.
#[derive(Debug)]
pub struct NoDirectGrant;

impl Policy for NoDirectGrant {
    siftlock_core::without_turns!();
    const DIRECT_GRANT: bool = false;
}

/// Nobody steals.
#[derive(Debug)]
pub struct NoStealing;

impl Policy for NoStealing {
    siftlock_core::without_turns!();
    const DIRECT_GRANT: bool = true;
    const STEAL_READ: bool = false;
    const STEAL_WRITE: bool = false;
}

/// Readers sign as owners, so that spinners can forbid each other to wait for them.
#[derive(Debug)]
pub struct ReadersSign;

impl Policy for ReadersSign {
    siftlock_core::without_turns!();
    const DIRECT_GRANT: bool = true;
    const READERS_SIGN: bool = true;
}

/// Everything looks first.
#[derive(Debug)]
pub struct LoadFirst;

impl Policy for LoadFirst {
    siftlock_core::without_turns!();
    const DIRECT_GRANT: bool = true;
    const TRY_READ_CAS_FIRST: bool = false;
}

/// Writers try again without a look.
#[derive(Debug)]
pub struct Blind;

impl Policy for Blind {
    siftlock_core::without_turns!();
    const DIRECT_GRANT: bool = true;
    const LOOK_BEFORE_WRITE: bool = false;
}

/// What [`Standard`] does rarely, as often as it can be: nobody passes twice.
#[derive(Debug)]
pub struct Turns;

impl Policy for Turns {
    const MAX_PASSES: u32 = 2;
}

/// The same with some more passes, so that the first waiter is beaten often enough to doze.
#[derive(Debug)]
pub struct LongTurns;

impl Policy for LongTurns {
    const MAX_PASSES: u32 = 4;
}
