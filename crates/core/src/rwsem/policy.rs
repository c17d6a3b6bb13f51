//! Policies: the choices that the sources of this lock compared (docs/sources.md), as constants
//! that the compiler folds.
//!
//! A policy decides which thread gets the lock and when, never whether the lock is sound: every
//! combination keeps the invariants. The bench measures each change before and after on the same
//! code.

mod presets;

pub use self::presets::{BeforePatch10, Classic, Counted, Noted, NotedCounted, Patch10, Standard};
pub use super::word::guards::{Guards, Local, Sendable};

/// Whether readers may take a lock by noting it in a slot of their own, and by which step. These
/// are the two forms of a bias: see docs/rwsem.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBias {
    /// Never: every reader is counted.
    Off,
    /// While a bias pays, as far as can be seen, in the form that pays. Never where the platform
    /// has no bias.
    Adaptive,
    /// Whenever possible, by a store, whatever that costs writers. For measurements and models.
    Asymmetric,
    /// Whenever possible, by a swap. Every second write takes the bias back.
    Symmetric,
}

impl ReadBias {
    pub(crate) const fn is_on(self) -> bool {
        !matches!(self, Self::Off)
    }
}

/// When a thread has passed waiters by for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassLimit {
    /// Never: the first waiter's clock alone ends passing.
    Never,
    /// After so many passes in a row, at most 30,000.
    Passes(u32),
    /// After so many times what a sleep costs, as measured, at most 1,000: a change of threads
    /// takes one part in so many of each turn. A first waiter without a deadline reserves the lock
    /// then. The threads that pass reserve it for any first waiter two sleeps later.
    Sleeps(u32),
}

impl PassLimit {
    /// Not many more passes are counted. Times are kept for a second, and two turns of the dearest
    /// sleeps have to end before that.
    pub(crate) const fn is_in_range(self) -> bool {
        !matches!(self, Self::Sleeps(1_001..) | Self::Passes(30_001..))
    }

    /// After how many sleeps the lock is reserved for a first waiter, if passing ends by time.
    pub(crate) const fn sleeps(self) -> Option<u32> {
        match self {
            Self::Sleeps(sleeps) => Some(sleeps),
            Self::Never | Self::Passes(_) => None,
        }
    }
}

/// The choices of one lock type.
pub trait Policy: 'static {
    /// Where guards may end: [`Local`], in the thread that took them, or [`Sendable`], in any
    /// thread; then every reader has to be counted.
    type Guards: Guards;

    /// Try-read begins with a compare-and-swap that expects an unlocked lock, and looks only at
    /// what that returns; otherwise it loads first. This saves a load when the lock is free, and
    /// moves the cache line when it is not.
    const TRY_READ_CAS_FIRST: bool = cfg!(not(target_arch = "aarch64"));

    /// A batch takes readers from the whole queue and passes over writers; otherwise it ends at the
    /// first writer.
    const BATCH_WHOLE_QUEUE: bool = true;

    /// The most readers that one batch grants, 1 to 4,095: bounds the granter's work.
    const MAX_READERS_WAKEUP: u32 = 256;

    /// Where a writer waits as well, a batch grants at most so many readers for each processor: a
    /// reader that cannot run would only keep the writer waiting. The others come in the next
    /// batch, or, if the readers inside stay there, by and by (*refill*). 0: no such limit.
    const READERS_PER_PROCESSOR: u32 = 1;

    /// How many others each reader of a batch calls when it is woken, and the granter of the batch
    /// as well: 1 to 8. A call is a system call, so no thread makes many. With 0 the granter calls
    /// all readers: then no reader waits until a reader of lower priority has been given a
    /// processor.
    const WAKES_EACH: u32 = 8;

    /// A reader that finds waiters but neither a writer nor other readers takes the lock.
    const STEAL_READ: bool = true;

    /// A reader joins readers past all waiters, as long as the lock is not reserved and holds are
    /// not [long](Self::QUEUE_IF_LONG): then `STEAL_READ` has nothing left to decide. The fast path
    /// of readers stays fast while others wait: where passing is limited by
    /// [sleeps](PassLimit::Sleeps), and passes take nanoseconds, a writer says that the first
    /// waiter, which was called, need not be heeded until it has looked.
    const JOIN_READERS: bool = true;

    /// A thread that has read for longer than a sleep costs, past a writer that was beaten, queues
    /// its reads behind such a writer for [`SPIN_REST`](Self::SPIN_REST) nanoseconds: where holds
    /// are long, a turn is one hold. Tries, recursive reads, reads with a deadline, reads by slot
    /// and noted reads pass as ever. Of no effect unless readers join, passing is limited by
    /// [sleeps](PassLimit::Sleeps), and `SPIN_REST` and [`HANDOFF_AFTER`](Self::HANDOFF_AFTER) are
    /// in use.
    const QUEUE_IF_LONG: bool = true;

    /// When a writer gets in as the first waiter, the first reader of the queue becomes the first
    /// waiter, so that phases of readers and of writers alternate. Otherwise the next waiter does.
    const ALTERNATE: bool = true;

    /// How often a thread may pass first waiters that were beaten, without having queued itself, or
    /// for how long a first waiter may be passed. Then the lock is reserved for that waiter.
    const PASS_LIMIT: PassLimit = PassLimit::Sleeps(32);

    /// How long a first waiter that was called in vain dozes, in multiples of what a sleep costs:
    /// it does not listen to unlocks. A thief that comes back at once would otherwise call it, and
    /// beat it, every time. At most 20; 0: it always listens.
    const DOZE: u32 = 4;

    /// A reader without a deadline that would pass a first waiter which was called, and has not
    /// come yet, first [gives its processor up](crate::platform::Platform::give_way), once. It
    /// looks for such a waiter at its first fifteen passes in a row, and later ever more rarely.
    const GIVE_WAY: bool = true;

    /// A writer that finds the lock free takes it, past all waiters.
    const STEAL_WRITE: bool = true;

    /// A writer whose first attempt failed looks whether the lock is free before it tries again;
    /// otherwise it tries again blindly.
    const LOOK_BEFORE_WRITE: bool = true;

    /// A writer spins while a writer that may be running owns the lock, for as long as a sleep
    /// costs.
    const SPIN_ON_WRITER: bool = true;

    /// Nanoseconds for which a thread sleeps at once after it has seen that waiting awake does not
    /// pay: while it slept at the head, another thread took the lock again and again, and a round,
    /// the hold and the pause until the next, took less than 400 ns. For the same time the thread
    /// waits awake before it tries to sleep (a sixteenth of it, if the last try told nothing), and
    /// [queues](Self::QUEUE_IF_LONG). At most 125 ms; 0: it waits awake whatever it saw.
    const SPIN_REST: u64 = 50_000_000;

    /// A writer that spins without a deadline lets a writer that comes back at once go on, for a
    /// quarter of the time left for its spin.
    const BACK_OFF: bool = true;

    /// A writer also spins when fewer readers than there are processors own the lock.
    const SPIN_ON_READERS: bool = true;

    /// A writer that spins in vain while readers own the lock, and nobody sleeps, asks new readers
    /// to wait awake until it has got in: for as long as a sleep costs at most. Tries, recursive
    /// and upgradable reads, and reads with a deadline or by slot go in as ever.
    const ASK_READERS: bool = true;

    /// A reader that only the writer inside keeps out waits awake for that writer, for as long as a
    /// sleep costs.
    const SPIN_TO_READ: bool = true;

    /// Whether readers may take the lock by a slot of their own instead of a share in its count.
    /// They then share no cache line; a writer looks through the slots, at a cost. Guards have to
    /// stay in their thread ([`Guards`](Self::Guards)).
    const READ_BIAS: ReadBias = ReadBias::Adaptive;

    /// After an asymmetric bias was taken back, none is tried for so many times as long as taking
    /// it back took. This bounds what writers lose by such biases.
    const BIAS_PAUSE: u64 = 2;

    /// Nanoseconds for which a writer, or an upgrade, keeps new readers out while it waits for one
    /// reader in a slot; it waits for one after the other. If a wait takes longer, it lets readers
    /// in. A call without a deadline parameter (`write`) tries again. A call with one
    /// (`write_until` and its kin), even `None`, is refused as at a deadline, and its caller may
    /// try again. For programs in which a reader waits for another thread to read. `u64::MAX`: the
    /// writer waits as long as it takes.
    const DRAIN_AT_MOST: u64 = u64::MAX;

    /// A thread asks once in so many counted reads whether a read bias would pay. This bounds what
    /// counted readers lose by asking. 0 means 1: it asks at every counted read, or at every second
    /// one.
    const ASK_FOR_BIAS_EVERY: u32 = 32;

    /// Nanoseconds that a read by slot is taken to save if it is noted by a store instead of a
    /// swap. The asymmetric form comes on when the reads since the last write would have saved what
    /// its heavy fence costs all the threads that it keeps out.
    const SLOT_READ_SAVES: u64 = 2;

    /// A thread that has got in by a share notes the lock in its own record. A plain read of a lock
    /// that its thread reads already then passes waiting writers, which would wait for that very
    /// thread. All other readers queue once the lock is reserved: nested reads cannot deadlock, and
    /// readers do not starve writers. A counted read and its unlock each cost one more store, on a
    /// line of the thread's own. Guards have to stay in their thread ([`Guards`](Self::Guards)).
    const NOTE_READS: bool = false;

    /// A thread that [notes reads](Self::NOTE_READS) passes writers by its notes. Otherwise it only
    /// makes the notes, so that an unlock without a token finds its reads.
    const PASS_BY_NOTES: bool = true;

    /// Nanoseconds at the head of the queue after which a waiter reserves the lock for itself, if
    /// its turn has not come before. A waiter that came while a writer was inside does so only once
    /// that writer's unlock has called it, unless its thread is of real-time priority.
    /// `u64::MAX`: never.
    const HANDOFF_AFTER: u64 = 4_000_000;
}
