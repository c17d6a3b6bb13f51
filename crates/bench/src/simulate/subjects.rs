//! The locks that run on a simulated machine, by name.

use clap::ValueEnum;
use siftlock_core_sim::psrw::{PsRwLock, Thread, policy as psrw_policy};
use siftlock_core_sim::rwsem::RwSem;
use siftlock_core_sim::rwsem::policy::{
    BeforePatch10, Counted, Local, Patch10, Policy, ReadBias, Standard,
};

use super::peers::{KernelTryRead, Limit, Mutex, StandardRwLock};
use super::platform::Simulated;

/// A lock, with the calls that a scene needs.
pub(super) trait Lock: std::fmt::Debug + 'static {
    /// Whether a writer excludes others.
    const EXCLUDES: bool = true;
    /// Whether it can be read by a try.
    const TRIES: bool = false;

    fn new() -> Self;
    fn reading(&self, section: impl FnOnce());
    fn writing(&self, section: impl FnOnce());

    /// Reads by a try, where the lock has one. False: the try failed. At a lock where no reader
    /// waits each read is a try.
    fn try_reading(&self, section: impl FnOnce()) -> bool {
        self.reading(section);
        true
    }
}

impl<L: Policy> Lock for RwSem<Simulated, L>
where
    Self: std::fmt::Debug,
{
    const TRIES: bool = true;

    fn new() -> Self {
        Self::new()
    }

    fn reading(&self, section: impl FnOnce()) {
        let token = self.read();
        section();
        // SAFETY: the read above.
        unsafe { self.read_unlock(token) };
    }

    fn writing(&self, section: impl FnOnce()) {
        self.write();
        section();
        // SAFETY: the write above.
        unsafe { self.write_unlock() };
    }

    fn try_reading(&self, section: impl FnOnce()) -> bool {
        let Some(token) = self.try_read() else { return false };
        section();
        // SAFETY: the read above.
        unsafe { self.read_unlock(token) };
        true
    }
}

/// The priority-sifting lock, between threads alone.
type PsRw = PsRwLock<Thread, Thread, psrw_policy::Standard, Simulated>;

impl Lock for PsRw {
    fn new() -> Self {
        Self::new()
    }

    fn reading(&self, section: impl FnOnce()) {
        let raised = self.read(Thread);
        section();
        // SAFETY: the read above.
        unsafe { self.read_unlock(Thread, raised) };
    }

    fn writing(&self, section: impl FnOnce()) {
        let raised = self.write(Thread);
        section();
        // SAFETY: the write above.
        unsafe { self.write_unlock(Thread, raised) };
    }
}

/// Policies that differ from the standard one in these constants.
macro_rules! variants {
    ($($(#[$doc:meta])* $name:ident: $($switch:ident: $type:ty = $value:expr),+;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub(super) struct $name;

            impl Policy for $name {
                type Guards = Local;
                $(const $switch: $type = $value;)+
            }
        )*
    };
}

variants! {
    /// Readers are always offered slots, noted by a plain store.
    Asymmetric: READ_BIAS: ReadBias = ReadBias::Asymmetric, BIAS_PAUSE: u64 = 0;
    /// Readers are always offered slots, noted by a swap.
    Symmetric: READ_BIAS: ReadBias = ReadBias::Symmetric;
    /// After the try-read patch; every reader is counted.
    CasFirst: TRY_READ_CAS_FIRST: bool = true, READ_BIAS: ReadBias = ReadBias::Off;
    /// Before the try-read patch; every reader is counted.
    LoadFirst: TRY_READ_CAS_FIRST: bool = false, READ_BIAS: ReadBias = ReadBias::Off;
    /// Before the whole-queue patch, on the lock as it is now.
    FirstWriter: BATCH_WHOLE_QUEUE: bool = false;
    /// Writers do not look before they write.
    NoLook: LOOK_BEFORE_WRITE: bool = false;
    /// Writers do not spin on the owner.
    NoSpin: SPIN_ON_WRITER: bool = false;
}

/// Asks whether a lock can be read by a try.
struct Tries;

impl Visitor for Tries {
    type Out = bool;

    fn visit<L: Lock>(self) -> bool {
        L::TRIES
    }
}

/// Work with a lock whose type is known at run time only.
pub(super) trait Visitor {
    type Out;
    fn visit<L: Lock>(self) -> Self::Out;
}

macro_rules! subjects {
    ($($(#[$doc:meta])* $name:ident: $lock:ty,)*) => {
        /// A lock, by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum Subject {
            $($(#[$doc])* $name,)*
        }

        impl Subject {
            pub(super) fn visit<V: Visitor>(self, visitor: V) -> V::Out {
                match self {
                    $(Self::$name => visitor.visit::<$lock>(),)*
                }
            }
        }
    };
}

subjects! {
    /// The general lock with its standard policy
    Rwsem: RwSem<Simulated, Standard>,
    /// Every reader counted
    RwsemCounted: RwSem<Simulated, Counted>,
    /// Slots at every chance, by a store
    RwsemAsymmetric: RwSem<Simulated, Asymmetric>,
    /// Slots at every chance, by a swap
    RwsemSymmetric: RwSem<Simulated, Symmetric>,
    /// Try-read begins with a compare-and-swap, every reader counted
    RwsemCasFirst: RwSem<Simulated, CasFirst>,
    /// Try-read begins with a load, every reader counted
    RwsemLoadFirst: RwSem<Simulated, LoadFirst>,
    /// Batches of readers end at the first writer
    RwsemFirstWriter: RwSem<Simulated, FirstWriter>,
    /// Writers do not look before they write
    RwsemNoLook: RwSem<Simulated, NoLook>,
    /// Writers do not spin on the owner
    RwsemNoSpin: RwSem<Simulated, NoSpin>,
    /// The lock as it stood at the whole-queue patch, before it
    Patch10Before: RwSem<Simulated, BeforePatch10>,
    /// The lock as it stood at the whole-queue patch, after it
    Patch10After: RwSem<Simulated, Patch10>,
    /// The priority-sifting lock, between threads
    Psrw: PsRw,
    /// A mutex that spins for a moment and sleeps
    Mutex: Mutex,
    /// A reader-writer lock of 2008 that spins
    StandardRwlock: StandardRwLock,
    /// The kernel's try-read before the try-read patch
    KernelLoadFirst: KernelTryRead<false>,
    /// The kernel's try-read after the try-read patch
    KernelCasFirst: KernelTryRead<true>,
    /// Two steps on one word, and nobody waits
    Limit: Limit,
}

impl Subject {
    /// Whether it can be read by a try.
    pub(super) fn tries(self) -> bool {
        self.visit(Tries)
    }

    /// The lock's name.
    pub(super) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
