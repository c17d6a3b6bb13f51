//! From readings to figures.

mod dues;
mod metric;
#[cfg(target_os = "linux")]
mod part;
mod pressure;
mod results;
mod summary;
#[cfg(target_os = "linux")]
mod takes;
#[cfg(target_os = "linux")]
mod times;
mod waits;

pub(crate) use self::dues::Dues;
pub(crate) use self::metric::{Better, Metric, Reading};
#[cfg(target_os = "linux")]
pub(crate) use self::part::{Interruption, Part, What};
pub(crate) use self::pressure::{Longest, Pressure};
pub(crate) use self::results::{Results, Series};
pub(crate) use self::summary::{extremes, median, ratio, spread};
#[cfg(target_os = "linux")]
pub(crate) use self::takes::{Take, Takes};
#[cfg(target_os = "linux")]
pub(crate) use self::times::{Figures, Times};
pub(crate) use self::waits::Waits;
