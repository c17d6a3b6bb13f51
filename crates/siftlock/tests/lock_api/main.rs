//! The lock behind `lock_api`: the same tests for each version of it, on each platform.

#![allow(clippy::duplicate_mod, reason = "one text, compiled for each version")]

#[path = "../support/mod.rs"]
mod support;

/// In a module that has the version's `Lock` and, as `api`, its crate.
macro_rules! tests_of_each_version {
    () => {
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
        #[path = "unwinding.rs"]
        mod unwinding;
    };
}
pub(crate) use tests_of_each_version;

#[cfg(feature = "lock_api_04")]
mod v04;
#[cfg(feature = "lock_api_04")]
mod v04_local;
mod v05;
