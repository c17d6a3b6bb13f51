//! The lock behind `lock_api`: the same tests for each version of it, on each platform.

#![allow(clippy::duplicate_mod, reason = "one text, compiled for each version")]

#[path = "../support/mod.rs"]
mod support;

/// Used in a module that has the version's `Lock` and, as `api`, its crate.
macro_rules! tests_of_each_version {
    () => {
        #[cfg(feature = "arc_lock")]
        #[path = "arc.rs"]
        mod arc;
        #[path = "conversions.rs"]
        mod conversions;
        #[path = "fair.rs"]
        mod fair;
        #[path = "format.rs"]
        mod format;
        #[path = "guards.rs"]
        mod guards;
        #[path = "recursive.rs"]
        mod recursive;
        #[cfg(feature = "serde")]
        #[path = "serde.rs"]
        mod serde;
        #[path = "unwinding.rs"]
        mod unwinding;
    };
}
pub(crate) use tests_of_each_version;

/// Declares the tests that go through the policies themselves, once for each version.
macro_rules! tests_of_each_policy {
    () => {
        #[path = "parking_lot.rs"]
        mod parking_lot;
        #[path = "walk.rs"]
        mod walk;
    };
}
pub(crate) use tests_of_each_policy;

/// Calls a generic function `f::<P, L>` with each policy that comes with the crate.
macro_rules! with_each_public_policy {
    ($f:ident::<$P:ident>) => {{
        use siftlock::policy::{BeforePatch10, Classic, Counted, Noted, Patch10, Standard};
        $f::<$P, Standard>();
        $f::<$P, Counted>();
        $f::<$P, Noted>();
        $f::<$P, Classic>();
        $f::<$P, Patch10>();
        $f::<$P, BeforePatch10>();
    }};
}

#[cfg(feature = "lock_api_04")]
mod v04;
#[cfg(feature = "lock_api_04")]
mod v04_local;
mod v05;
