//! The lock types that programs use, and the lock as it stood at the changes that its sources
//! measured.

use super::{Local, Policy, ReadBias, Sendable};

/// The lock as it is meant to be used: where threads outnumber processors, readers and writers take
/// turns of about a millisecond, and inside a turn nobody sleeps or calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl Policy for Standard {
    type Guards = Local;
}

/// [`Standard`] with every reader counted: guards may be sent to other threads. Readers share a
/// cache line, so reads do not scale.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted;

impl Policy for Counted {
    type Guards = Sendable;
    const READ_BIAS: ReadBias = ReadBias::Off;
}

/// [`Standard`] for programs in which a thread that reads may come to read the same lock once more.
/// Its plain read then passes waiting writers, as a recursive read does, even if the lock is
/// reserved for them; a read of any other thread does not pass then. Its upgradable read passes as
/// well, unless another thread has one at that moment. In that case the upgradable read queues,
/// perhaps behind the writer that waits for its own thread, and for ever. So a thread that reads
/// should only try to get an upgradable read, by `try_upgradable_read`.
///
/// * An upgradable read does not pass the writer that waits for this thread's read *by slot*, since
///   it needs a share. Where a thread that reads may ask for an upgradable read, choose
///   [`NotedCounted`].
/// * A thread that never lets go, since each of its reads begins before the last one has ended,
///   keeps writers out as long as it likes.
/// * A thread notes eleven reads by name, at least. While it has more, it may pass waiters of every
///   lock.
/// * A forgotten guard keeps its note until the lock is dropped, where the platform knows its
///   [records](crate::platform::Platform::records). A forgotten guard that no note names counts for
///   ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noted;

impl Policy for Noted {
    type Guards = Local;
    const NOTE_READS: bool = true;
}

/// [`Noted`] with every reader counted, for programs that try upgradable reads inside reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct NotedCounted;

impl Policy for NotedCounted {
    type Guards = Local;
    const NOTE_READS: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Off;
}

/// Inside an `impl Policy`: without the policies that balance the lock under load, and without
/// slots.
#[doc(hidden)]
#[macro_export]
macro_rules! without_turns {
    () => {
        const JOIN_READERS: bool = false;
        const QUEUE_IF_LONG: bool = false;
        const ALTERNATE: bool = false;
        const READERS_PER_PROCESSOR: u32 = 0;
        const PASS_LIMIT: $crate::rwsem::policy::PassLimit =
            $crate::rwsem::policy::PassLimit::Never;
        const DOZE: u32 = 0;
        const GIVE_WAY: bool = false;
        const SPIN_REST: u64 = 0;
        const BACK_OFF: bool = false;
        const ASK_READERS: bool = false;
        const SPIN_TO_READ: bool = false;
        const READ_BIAS: $crate::rwsem::policy::ReadBias = $crate::rwsem::policy::ReadBias::Off;
    };
}

/// The protocol in its first form: a reader steals the lock from waiters only if no reader is
/// inside; a writer steals it until the first waiter is overdue.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic;

impl Policy for Classic {
    type Guards = Sendable;
    without_turns!();
}

/// The lock as it stood when the kernel began to wake readers from the whole queue (the whole-queue
/// patch, "after"): no stealing by readers, no spinning on readers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patch10;

impl Policy for Patch10 {
    type Guards = Sendable;
    without_turns!();
    const STEAL_READ: bool = false;
    const SPIN_ON_READERS: bool = false;
}

/// [`Patch10`] with batches that end at the first writer (the whole-queue patch, "before").
#[derive(Clone, Copy, Debug, Default)]
pub struct BeforePatch10;

impl Policy for BeforePatch10 {
    type Guards = Sendable;
    without_turns!();
    const BATCH_WHOLE_QUEUE: bool = false;
    const STEAL_READ: bool = Patch10::STEAL_READ;
    const SPIN_ON_READERS: bool = Patch10::SPIN_ON_READERS;
}
