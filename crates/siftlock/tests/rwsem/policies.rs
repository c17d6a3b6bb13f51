//! The policies that come with the crate, and each of their switches turned.

use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::{PassLimit, ReadBias};

/// Policies that differ from the standard one by a constant or two.
macro_rules! switched {
    ($($name:ident: $($switch:ident: $type:ty = $value:expr),+;)*) => {
        $(
            pub(crate) struct $name;
            impl Policy for $name {
                type Guards = siftlock_core::rwsem::policy::Local;
                $(const $switch: $type = $value;)+
            }
        )*
    };
}

switched! {
    CasFirst: TRY_READ_CAS_FIRST: bool = true;
    LoadFirst: TRY_READ_CAS_FIRST: bool = false;
    FirstWriterEndsBatch: BATCH_WHOLE_QUEUE: bool = false;
    PairsOfReaders: MAX_READERS_WAKEUP: u32 = 2;
    GranterCallsAll: WAKES_EACH: u32 = 0;
    OneAfterTheOther: WAKES_EACH: u32 = 1;
    NoJoining: JOIN_READERS: bool = false;
    NoQueueing: QUEUE_IF_LONG: bool = false;
    NoReadStealing: JOIN_READERS: bool = false, STEAL_READ: bool = false;
    NoAlternation: ALTERNATE: bool = false;
    PassOnce: PASS_LIMIT: PassLimit = PassLimit::Passes(1);
    WholeBatches: READERS_PER_PROCESSOR: u32 = 0;
    PassForEver: PASS_LIMIT: PassLimit = PassLimit::Never;
    NoDoze: DOZE: u32 = 0;
    NoGivingWay: GIVE_WAY: bool = false;
    NoWriteStealing: STEAL_WRITE: bool = false;
    Blind: LOOK_BEFORE_WRITE: bool = false;
    NoSpinOnWriter: SPIN_ON_WRITER: bool = false;
    NoSpinOnReaders: SPIN_ON_READERS: bool = false;
    NoAsking: ASK_READERS: bool = false;
    HandoffAtOnce: HANDOFF_AFTER: u64 = 0;
    HandoffNever: HANDOFF_AFTER: u64 = u64::MAX;
    EagerBias: READ_BIAS: ReadBias = ReadBias::Asymmetric, BIAS_PAUSE: u64 = 0;
    EagerSymmetric: READ_BIAS: ReadBias = ReadBias::Symmetric;
    QuickToAsk: ASK_FOR_BIAS_EVERY: u32 = 1, BIAS_PAUSE: u64 = 0;
    NotedEager: READ_BIAS: ReadBias = ReadBias::Asymmetric, BIAS_PAUSE: u64 = 0, NOTE_READS: bool = true;
    EagerBiasAndHandoff: READ_BIAS: ReadBias = ReadBias::Asymmetric, HANDOFF_AFTER: u64 = 0;
}

/// Calls a generic function `f::<P, L>` with every policy.
macro_rules! with_each_policy {
    ($f:ident::<$P:ident>) => {{
        use siftlock::policy::{
            BeforePatch10, Classic, Counted, Noted, NotedCounted, Patch10, Standard,
        };
        use $crate::policies::*;
        $f::<$P, Standard>();
        $f::<$P, Counted>();
        $f::<$P, Noted>();
        $f::<$P, Classic>();
        $f::<$P, Patch10>();
        $f::<$P, BeforePatch10>();
        $f::<$P, CasFirst>();
        $f::<$P, EagerSymmetric>();
        $f::<$P, QuickToAsk>();
        $f::<$P, LoadFirst>();
        $f::<$P, FirstWriterEndsBatch>();
        $f::<$P, PairsOfReaders>();
        $f::<$P, GranterCallsAll>();
        $f::<$P, OneAfterTheOther>();
        $f::<$P, NoJoining>();
        $f::<$P, NoQueueing>();
        $f::<$P, NoReadStealing>();
        $f::<$P, NoAlternation>();
        $f::<$P, PassOnce>();
        $f::<$P, WholeBatches>();
        $f::<$P, PassForEver>();
        $f::<$P, NoDoze>();
        $f::<$P, NoGivingWay>();
        $f::<$P, NoWriteStealing>();
        $f::<$P, Blind>();
        $f::<$P, NoSpinOnWriter>();
        $f::<$P, NoSpinOnReaders>();
        $f::<$P, NoAsking>();
        $f::<$P, HandoffAtOnce>();
        $f::<$P, HandoffNever>();
        $f::<$P, EagerBias>();
        $f::<$P, EagerBiasAndHandoff>();
        $f::<$P, NotedCounted>();
        $f::<$P, NotedEager>();
    }};
}
pub(crate) use with_each_policy;
