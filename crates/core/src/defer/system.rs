//! The seam to the system's signals.

use super::notes::Notes;
use super::signals::{Signal, Signals};
use crate::platform::Class;

/// The system's signals, always for the calling thread. A zero-sized type with static methods, as
/// [`Platform`](crate::platform::Platform) is.
///
/// # Safety
/// * [`notes`](Self::notes) and [`make_notes`](Self::make_notes) return the calling thread's own,
///   the same at each call until the thread ends.
/// * The wrapper of a signal ([`PendingSignals::arrive`](super::PendingSignals::arrive)) runs with
///   that signal blocked, and with all registered ones of its class and below, except faults.
///
/// # In handlers
/// Handlers call all of these methods. So neither a method nor its callees allocate or lock.
pub unsafe trait SignalSystem: Sized + 'static {
    /// A signal's information.
    type Info: Copy;
    /// The interrupted context, which the wrapper returns to.
    type Frame;
    /// A saved mask.
    type Mask;

    /// The calling thread's notes, if it has made any.
    fn notes() -> Option<&'static Notes<Self::Info>>;

    /// The calling thread's notes; the first call makes them.
    fn make_notes() -> &'static Notes<Self::Info>;

    /// The class that the handler of `signal` is registered at.
    fn class(signal: Signal) -> Class;

    /// The signals that are registered at classes above `class`.
    fn above(class: Class) -> Signals;

    /// Whether the handler of `signal` needs no context and always returns, so that a function call
    /// suffices.
    fn is_direct(_signal: Signal) -> bool {
        false
    }

    /// Sends `signal` to the thread itself, marked as a kick.
    ///
    /// # Errors
    /// Fails if the system's queue is full, which it never is for standard signals. Also fails if a
    /// kick would call other functions beside the wrapper.
    fn kick(signal: Signal) -> Result<(), Refused>;

    /// Whether `signal` is in the system's queue for the thread, so that its wrapper will run.
    fn is_pending(signal: Signal) -> bool;

    /// Takes `signal`, which is blocked, out of the system's queue, if it is there.
    fn absorb(signal: Signal) -> Option<Arrival<Self::Info>>;

    /// Merges the standard signal `later`, which has arrived, with the note of the same number, as
    /// the system's own queue does.
    fn merge(noted: &mut Self::Info, later: &Self::Info);

    /// Sends `signal` once more, with this information: to the thread itself, or to the process, if
    /// it came there.
    ///
    /// # Errors
    /// Fails if the system's queue is full. Also fails if the system would not report a full queue,
    /// and would lose the signal.
    fn send(signal: Signal, info: &Self::Info) -> Result<(), Refused>;

    /// Whether the thread's mask has `signal`, because its own handler runs or the program blocked
    /// it.
    fn is_blocked(signal: Signal) -> bool;

    /// Takes these signals out of the thread's mask.
    fn unblock(signals: Signals);

    /// The signals that the interrupted context has blocked.
    fn blocked_in(frame: &Self::Frame) -> Signals;

    /// Adds these signals to the mask that comes into force when the wrapper returns.
    fn block_in(frame: &mut Self::Frame, signals: Signals);

    /// Blocks the signals that are blocked during the handler of `signal`, and returns the former
    /// mask.
    fn enter(signal: Signal) -> Self::Mask;

    /// Blocks all registered signals, and returns the former mask. Blocks faults, too: the code
    /// until the thread [leaves](Self::leave) raises none.
    fn hold() -> Self::Mask;

    /// Whether this mask has `signal`.
    fn has(mask: &Self::Mask, signal: Signal) -> bool;

    /// Puts back the mask that [`enter`](Self::enter) or [`hold`](Self::hold) returned, with these
    /// signals added.
    fn leave(mask: Self::Mask, signals: Signals);

    /// Calls the handler of `signal`, without a frame if the system did not interrupt for it.
    /// `when` says whether the signal was noted meanwhile.
    fn call(signal: Signal, info: &Self::Info, when: When, frame: Option<&mut Self::Frame>);
}

/// The system's queue of signals has no room (`RLIMIT_SIGPENDING`), or must not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// When a handler is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// As soon as the signal arrived.
    AtOnce,
    /// Later: the signal was noted.
    PutOff,
}

/// The reason why a wrapper was called.
#[derive(Clone, Copy, Debug)]
pub enum Arrival<I> {
    /// A [kick](SignalSystem::kick). A note may be there.
    Kick,
    /// The signal was sent, by a process or by the system.
    Sent(I),
    /// The interrupted instruction itself raised the signal. It cannot wait, because the
    /// instruction would run and fault again. A signal that the thread sends to itself, to be
    /// handled before it goes on, cannot wait either.
    Fault(I),
}
