//! Why a lock was not taken: both locks say it by one type.

pub use crate::Refused;
