//! From readings to figures.

mod metric;
mod results;
#[cfg(target_os = "linux")]
mod scenes;
mod summary;
#[cfg(target_os = "linux")]
mod times;
mod waits;

pub(crate) use self::metric::{Better, Metric, Reading};
pub(crate) use self::results::{Results, Series};
#[cfg(target_os = "linux")]
pub(crate) use self::scenes::{Interruption, Part, Take, Takes, What};
pub(crate) use self::summary::{extremes_over_mean, median, ratio, spread};
#[cfg(target_os = "linux")]
pub(crate) use self::times::{Figures, Times};
pub(crate) use self::waits::Waits;
