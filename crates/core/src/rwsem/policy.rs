//! Policies: what the sources of this lock compared (docs/sources.md), as constants that the
//! compiler folds.
//!
//! A policy decides who gets the lock when, never whether the lock is sound: every combination
//! keeps the invariants. The bench measures each change as before and after on one code.

mod presets;

pub use self::presets::{BeforePatch10, Classic, Counted, Noted, NotedCounted, Patch10, Standard};
pub use super::word::guards::{Guards, Local, Sendable};

/// Whether readers may take a lock by noting it in a slot of their own, and by which atomic step,
/// or none: the two forms of a bias, of which docs/rwsem.md tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBias {
    /// Never: every reader is counted.
    Off,
    /// While that pays, as far as can be seen, in the form that does. Where the platform cannot do
    /// it, never.
    Adaptive,
    /// Whenever it can be, by a store, whatever it costs writers. To measure it, and for the
    /// models.
    Asymmetric,
    /// Whenever it can be, by a swap. Every second write takes it back.
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
    /// Never: the first waiter's clock alone ends it.
    Never,
    /// After so many times in a row, at most 30,000.
    Passes(u32),
    /// After so many times what a sleep costs, as measured, at most 1,000: a change of threads
    /// takes that part of each turn. A waiter without a deadline sees to that itself, and those who
    /// pass any waiter two sleeps later.
    Sleeps(u32),
}

impl PassLimit {
    /// Not many more passes are counted. Times are kept for a second, and twice a turn of the
    /// dearest sleeps has to end before that.
    pub(crate) const fn is_in_range(self) -> bool {
        !matches!(self, Self::Sleeps(1_001..) | Self::Passes(30_001..))
    }

    /// After how many sleeps a first waiter has the lock reserved, if that is so.
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
    /// what that returns; otherwise it loads first. Costs no load when the lock is free, and moves
    /// the cache line when it is not.
    const TRY_READ_CAS_FIRST: bool = cfg!(not(target_arch = "aarch64"));

    /// A batch takes readers from the whole queue and passes over writers; otherwise it ends at the
    /// first writer.
    const BATCH_WHOLE_QUEUE: bool = true;

    /// The most readers that one batch grants, 1 to 4,095: bounds the granter's work.
    const MAX_READERS_WAKEUP: u32 = 256;

    /// Where a writer waits as well, a batch grants at most so many readers for each processor. The
    /// others come in the next batch, or, if the readers inside stay there, by and by (*refill*):
    /// who cannot run would only keep the writer waiting. 0: without this limit.
    const READERS_PER_PROCESSOR: u32 = 1;

    /// How many others each reader of a batch calls when it is woken, and the granter of the batch
    /// as well: 1 to 8. A call is a system call, so nobody makes many. With 0 the granter calls all
    /// of them: then no reader waits until a reader of lower priority has been given a processor.
    const WAKES_EACH: u32 = 8;

    /// A reader that finds waiters but neither a writer nor other readers takes the lock.
    const STEAL_READ: bool = true;

    /// A reader joins readers past whoever waits, as long as the lock is not reserved, nor holds
    /// [long](Self::QUEUE_IF_LONG): then `STEAL_READ` has nothing left to decide. The fast path of
    /// readers stays fast while others wait: where passing is limited by
    /// [sleeps](PassLimit::Sleeps), and passes take nanoseconds, a writer says that the first
    /// waiter, which was called, need not be heeded until it has looked.
    const JOIN_READERS: bool = true;

    /// A thread that has read past a writer that was beaten for longer than a sleep costs queues
    /// behind such a writer, to read, for [`SPIN_REST`](Self::SPIN_REST) nanoseconds: where holds
    /// are long a turn is one hold. Tries, recursive reads and reads with a deadline, by slot or
    /// noted pass as ever. Of no effect unless readers join, passing is limited by
    /// [sleeps](PassLimit::Sleeps), and the other two times are in use.
    const QUEUE_IF_LONG: bool = true;

    /// A writer that gets in as the first waiter is followed, at the head, by the first reader of
    /// the queue, so that phases of readers and of writers alternate; otherwise by whoever came
    /// next.
    const ALTERNATE: bool = true;

    /// How often a thread may pass first waiters that were beaten, without having queued itself, or
    /// how long one may be passed. Then the lock is reserved for it.
    const PASS_LIMIT: PassLimit = PassLimit::Sleeps(32);

    /// For how many times what a sleep costs a first waiter that was called in vain sleeps without
    /// listening to unlocks: a thief that comes back at once would call it, and beat it, every
    /// time. At most 20; 0: it always listens.
    const DOZE: u32 = 4;

    /// A reader that would pass, without a deadline, a first waiter that was called and has not
    /// come yet, [gives its processor up](crate::platform::Platform::give_way) first, once. It sees
    /// that at its first fifteen passes in a row, and later ever more rarely.
    const GIVE_WAY: bool = true;

    /// A writer that finds the lock free takes it, whoever waits.
    const STEAL_WRITE: bool = true;

    /// A writer whose first attempt failed looks whether the lock is free before it tries again;
    /// otherwise it tries again blindly.
    const LOOK_BEFORE_WRITE: bool = true;

    /// A writer spins while a writer that may be running owns the lock, for as long as a sleep
    /// costs.
    const SPIN_ON_WRITER: bool = true;

    /// Nanoseconds for which a thread sleeps at once after it has seen that waiting awake does not
    /// pay: while it slept at the head, another had the lock again and again for a round, the hold
    /// and the pause until the next, of less than half a microsecond. So long it also waits awake
    /// before it tries to sleep, and a sixteenth of that where the last try told nothing, and it
    /// [queues](Self::QUEUE_IF_LONG). At most 125 ms; 0: it waits awake whatever it saw.
    const SPIN_REST: u64 = 50_000_000;

    /// A writer that spins without a deadline lets a writer that comes back at once go on, for a
    /// quarter of the time left.
    const BACK_OFF: bool = true;

    /// A writer also spins when readers own the lock, fewer than there are processors.
    const SPIN_ON_READERS: bool = true;

    /// A writer that spins in vain while readers own the lock, and nobody sleeps, asks new readers
    /// to wait awake until it has got in: for as long as a sleep costs at most. Tries, recursive
    /// and upgradable reads, and reads with a deadline or by slot go in as ever.
    const ASK_READERS: bool = true;

    /// A reader that nothing keeps out but the writer inside waits awake for it, for as long as a
    /// sleep costs.
    const SPIN_TO_READ: bool = true;

    /// Whether readers may take the lock by a slot of their own instead of a share in its count.
    /// They then share no cache line; a writer looks through the slots, at a cost. Guards have to
    /// stay in their thread ([`Guards`](Self::Guards)).
    const READ_BIAS: ReadBias = ReadBias::Adaptive;

    /// After an asymmetric bias was taken back none is tried for so many times as long as that
    /// took: bounds what writers lose by it.
    const BIAS_PAUSE: u64 = 2;

    /// Nanoseconds for which a writer, or an upgrade, keeps new readers out while it waits for a
    /// reader in a slot. Then it lets them in. A call that takes no deadline tries again; one that
    /// takes one (`write_until` and its kin), or none, is refused as at a deadline, and its caller
    /// may try again. For programs in which a reader waits for another thread to read. `u64::MAX`:
    /// it waits as long as it takes.
    const DRAIN_AT_MOST: u64 = u64::MAX;

    /// A thread asks once in so many counted reads whether a read bias would pay: bounds what
    /// counted readers lose by asking. 0 means 1: it asks at every counted read, or
    /// at every second one.
    const ASK_FOR_BIAS_EVERY: u32 = 32;

    /// Nanoseconds that a read by slot is taken to save if it is noted by a store instead of a
    /// swap: the asymmetric form comes on when the reads since the last write would have saved what
    /// its heavy fence costs all whom it keeps out.
    const SLOT_READ_SAVES: u64 = 2;

    /// A thread that has got in by a share notes the lock in its own record. A plain read of a lock
    /// that its thread reads already then passes writers that wait, who would wait for that very
    /// thread. All other readers queue once the lock is reserved: nested reads cannot deadlock, and
    /// readers do not starve writers. Costs a counted read and its unlock a store each, on a line
    /// of the thread's own. Guards have to stay in their thread ([`Guards`](Self::Guards)).
    const NOTE_READS: bool = false;

    /// A thread that [notes reads](Self::NOTE_READS) passes writers by its notes. Otherwise it only
    /// notes them, so that an unlock without a token finds them.
    const PASS_BY_NOTES: bool = true;

    /// Nanoseconds at the head of the queue after which a waiter has the lock reserved for itself,
    /// if its turn has not come before; behind a writer that was inside when it came, not before
    /// that one's unlock has called it. `u64::MAX`: never.
    const HANDOFF_AFTER: u64 = 4_000_000;
}
