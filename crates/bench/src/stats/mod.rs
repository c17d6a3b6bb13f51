//! From readings to figures.

mod metric;
mod results;
mod summary;
mod waits;

pub(crate) use self::metric::{Better, Metric, Reading};
pub(crate) use self::results::{Results, Series};
pub(crate) use self::summary::{extremes_over_mean, median, ratio, spread};
pub(crate) use self::waits::Waits;
