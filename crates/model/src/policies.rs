//! Policies that make rare paths common, and policies that put one rule at stake alone.

use siftlock_core::rwsem::Policy;
pub use siftlock_core::rwsem::policy::{BeforePatch10, Classic, Counted, Patch10};
use siftlock_core::rwsem::policy::{Local, PassLimit, ReadBias, Sendable};

/// A batch takes two readers at most.
#[derive(Debug)]
pub struct TwoAtOnce;

impl Policy for TwoAtOnce {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const MAX_READERS_WAKEUP: u32 = 2;
}

/// A batch takes one reader at most.
#[derive(Debug)]
pub struct OneAtOnce;

impl Policy for OneAtOnce {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const MAX_READERS_WAKEUP: u32 = 1;
}

/// Each reader of a batch calls one more.
#[derive(Debug)]
pub struct OneAfterTheOther;

impl Policy for OneAfterTheOther {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const WAKES_EACH: u32 = 1;
}

/// Each reader of a batch calls two more.
#[derive(Debug)]
pub struct TwoEach;

impl Policy for TwoEach {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const WAKES_EACH: u32 = 2;
}

/// The granter of a batch calls all its readers.
#[derive(Debug)]
pub struct CallsAll;

impl Policy for CallsAll {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const WAKES_EACH: u32 = 0;
}

/// No thread steals.
#[derive(Debug)]
pub struct NoStealing;

impl Policy for NoStealing {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const STEAL_READ: bool = false;
    const STEAL_WRITE: bool = false;
}

/// Everything looks first.
#[derive(Debug)]
pub struct LoadFirst;

impl Policy for LoadFirst {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const TRY_READ_CAS_FIRST: bool = false;
}

/// Writers try again without a look.
#[derive(Debug)]
pub struct Blind;

impl Policy for Blind {
    type Guards = Sendable;
    siftlock_core::without_turns!();
    const LOOK_BEFORE_WRITE: bool = false;
}

/// [`Counted`], with its rare paths as common as can be: nobody passes twice.
#[derive(Debug)]
pub struct Turns;

impl Policy for Turns {
    type Guards = Sendable;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(2);
}

/// [`Turns`] with one more pass, so that the first waiter dozes before its turn has come.
#[derive(Debug)]
pub struct LongTurns;

impl Policy for LongTurns {
    type Guards = Sendable;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(3);
}

/// [`Turns`] with turns that are told by time. After two passes nobody heeds the first waiter,
/// which does not doze.
#[derive(Debug)]
pub struct TurnsByTime;

impl Policy for TurnsByTime {
    type Guards = Sendable;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const PASS_LIMIT: PassLimit = PassLimit::Sleeps(1_000);
    const DOZE: u32 = 0;
}

/// Inside an `impl Policy`: slots at every chance, and none of the means that balance the lock
/// under load.
macro_rules! slots_without_turns {
    ($Form:ident) => {
        const JOIN_READERS: bool = false;
        const ALTERNATE: bool = false;
        const READERS_PER_PROCESSOR: u32 = 0;
        const PASS_LIMIT: PassLimit = PassLimit::Never;
        const DOZE: u32 = 0;
        const READ_BIAS: ReadBias = ReadBias::$Form;
        const BIAS_PAUSE: u64 = 0;
    };
}

/// Every reader that can reads by slot, and switches the bias on.
#[derive(Debug)]
pub struct Slots;

impl Policy for Slots {
    type Guards = Local;
    slots_without_turns!(Asymmetric);
}

/// [`Slots`], but a writer lets readers in if a reader in a slot stays while any time passes.
#[derive(Debug)]
pub struct HastySlots;

impl Policy for HastySlots {
    type Guards = Local;
    slots_without_turns!(Asymmetric);
    const DRAIN_AT_MOST: u64 = 1;
}

/// [`Slots`] by swaps.
#[derive(Debug)]
pub struct SymmetricSlots;

impl Policy for SymmetricSlots {
    type Guards = Local;
    slots_without_turns!(Symmetric);
}

/// [`SymmetricSlots`] beside turns.
#[derive(Debug)]
pub struct SymmetricSlotsAndTurns;

impl Policy for SymmetricSlotsAndTurns {
    type Guards = Local;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(3);
    const READ_BIAS: ReadBias = ReadBias::Symmetric;
}

/// Any form of a bias, as it pays: the asymmetric one at once, and after a write the symmetric one.
#[derive(Debug)]
pub struct EitherForm;

impl Policy for EitherForm {
    type Guards = Local;
    slots_without_turns!(Adaptive);
    const ASK_FOR_BIAS_EVERY: u32 = 0;
}

/// [`Slots`] with all the rest as in the lock that is meant to be used, except that readers do not
/// give way to a waiter that was called.
#[derive(Debug)]
pub struct SlotsAndTurns;

impl Policy for SlotsAndTurns {
    type Guards = Local;
    const GIVE_WAY: bool = false;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(3);
    const READ_BIAS: ReadBias = ReadBias::Asymmetric;
    const BIAS_PAUSE: u64 = 0;
}

/// [`SlotsAndTurns`] with turns that are told by time: at every second pass a reader does not look
/// about.
#[derive(Debug)]
pub struct SlotsAndSleeps;

impl Policy for SlotsAndSleeps {
    type Guards = Local;
    const GIVE_WAY: bool = false;
    const PASS_LIMIT: PassLimit = PassLimit::Sleeps(1_000);
    const READ_BIAS: ReadBias = ReadBias::Asymmetric;
    const BIAS_PAUSE: u64 = 0;
}

/// Each counted read asks for a bias, which is switched on when a pause is over.
#[derive(Debug)]
pub struct SlotsWhenTheyPay;

impl Policy for SlotsWhenTheyPay {
    type Guards = Local;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(2);
    const ASK_FOR_BIAS_EVERY: u32 = 0;
    const SLOT_READ_SAVES: u64 = 1 << 30;
}

/// [`Classic`] with reads that note themselves.
#[derive(Debug)]
pub struct NotesReads;

impl Policy for NotesReads {
    type Guards = Local;
    siftlock_core::without_turns!();
    const NOTE_READS: bool = true;
}

/// [`NotesReads`] beside turns.
#[derive(Debug)]
pub struct NotesAndTurns;

impl Policy for NotesAndTurns {
    type Guards = Local;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(2);
    const NOTE_READS: bool = true;
}

/// [`Slots`] with reads that note themselves where they are counted.
#[derive(Debug)]
pub struct SlotsAndNotes;

impl Policy for SlotsAndNotes {
    type Guards = Local;
    slots_without_turns!(Asymmetric);
    const NOTE_READS: bool = true;
}
