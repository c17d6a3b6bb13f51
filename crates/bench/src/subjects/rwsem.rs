//! Our reader-writer semaphore, as a user imports it, and variants of it that differ in a policy.

use siftlock::RawRwSem;
use siftlock_core::rwsem::policy::{Local, PassLimit, Policy, ReadBias};

/// Our lock with policy `L`, behind the same guards as every other lock of `lock_api`.
pub(crate) type Ours<L> = lock_api::RwLock<RawRwSem<L>, ()>;

/// Policies that differ from the standard one in these constants.
macro_rules! variants {
    ($($(#[$doc:meta])* $name:ident: $($switch:ident: $type:ty = $value:expr),+;)*) => {
        $(
            $(#[$doc])*
            pub(crate) struct $name;

            impl Policy for $name {
                type Guards = Local;
                $(const $switch: $type = $value;)+
            }
        )*
    };
}

variants! {
    /// After the try-read patch: try-read begins with a compare-and-swap.
    CasFirst: TRY_READ_CAS_FIRST: bool = true;
    /// Before the try-read patch: try-read begins with a load.
    LoadFirst: TRY_READ_CAS_FIRST: bool = false;
    /// Before the whole-queue patch, on the lock as it is now: a batch of readers ends at the first
    /// writer.
    FirstWriter: BATCH_WHOLE_QUEUE: bool = false;
    /// The anon-vma report without its first tweak: writers do not spin on the owner.
    NoSpin: SPIN_ON_WRITER: bool = false;
    /// The anon-vma report's first tweak as it was there: writers spin whether or not it pays.
    AlwaysSpins: SPIN_REST: u64 = 0;
    /// A spinner takes the lock as soon as it is free.
    NoBackOff: BACK_OFF: bool = false;
    /// Spinners do not ask readers to let them by.
    NoAsking: ASK_READERS: bool = false;
    /// Readers do not wait awake for a writer.
    NoReaderSpin: SPIN_TO_READ: bool = false;
    /// The anon-vma report without its second tweak: writers do not look before they write.
    NoLook: LOOK_BEFORE_WRITE: bool = false;
    /// No thread passes waiters by.
    NoStealing: STEAL_WRITE: bool = false, JOIN_READERS: bool = false, STEAL_READ: bool = false;
    /// Readers queue as soon as a writer waits.
    NoJoining: JOIN_READERS: bool = false;
    /// Readers join readers past a writer that waits, however long they stay.
    NoQueueing: QUEUE_IF_LONG: bool = false;
    /// A writer is followed by the waiter that came next.
    NoAlternation: ALTERNATE: bool = false;
    /// Only the first waiter's clock ends the passing of waiters.
    NoPassLimit: PASS_LIMIT: PassLimit = PassLimit::Never;
    /// A batch grants all readers of the queue, also where writers wait.
    WholeBatches: READERS_PER_PROCESSOR: u32 = 0;
    /// The thread that grants a batch calls all its readers.
    NoTree: WAKES_EACH: u32 = 0;
    /// A first waiter listens to every unlock.
    NoDoze: DOZE: u32 = 0;
    /// No reader gives way to a waiter that was called.
    NoGivingWay: GIVE_WAY: bool = false;
    /// Readers are offered slots at every chance, whatever that costs writers.
    Eager: READ_BIAS: ReadBias = ReadBias::Asymmetric, BIAS_PAUSE: u64 = 0;
    /// Readers are offered slots in the form that needs no heavy fence.
    Symmetric: READ_BIAS: ReadBias = ReadBias::Symmetric;
}
