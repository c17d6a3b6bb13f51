//! The plane, shown as maps and told in words.
//!
//! * [`cell`]: one place: which locks are compared, and whether ours holds it
//! * [`map`]: places by hold and pause, coloured by the ratio
//! * [`table`]: places as rows, with all their figures
//! * [`regions`]: places that lie together
//! * [`axes`]: the values of each axis, and a region in words
//! * [`told`]: where we lose, in words

mod axes;
mod cell;
mod map;
mod regions;
mod table;
mod told;

pub(crate) use self::cell::Measured;
pub(crate) use self::map::{LEGEND, maps};
pub(crate) use self::table::list;
pub(crate) use self::told::words;

use std::time::Duration;

/// A time as people read it: `50 ns`, `10 µs`.
pub(crate) fn time(time: Duration) -> String {
    match time.as_nanos() {
        0 => "0".to_owned(),
        nanos if nanos.is_multiple_of(1_000) => format!("{} µs", nanos / 1_000),
        nanos => format!("{nanos} ns"),
    }
}

/// A number of threads over the number of processors, if that is a whole number.
fn times_processors(threads: usize, cpus: usize) -> Option<usize> {
    (cpus > 0 && threads.is_multiple_of(cpus)).then(|| threads / cpus)
}

/// As many digits behind the point as a ratio of this size needs.
fn ratio(ratio: f64) -> String {
    match ratio {
        small if small < 9.995 => format!("{small:.2}"),
        middle if middle < 99.95 => format!("{middle:.1}"),
        large => format!("{large:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_numbers_are_short() {
        let times = [0, 50, 1_000, 1_500, 100_000].map(|nanos| time(Duration::from_nanos(nanos)));
        assert_eq!(times, ["0", "50 ns", "1 µs", "1500 ns", "100 µs"]);
        assert_eq!([0.614, 9.999, 12.34, 250.4].map(ratio), ["0.61", "10.0", "12.3", "250"]);
        assert_eq!((times_processors(4, 2), times_processors(3, 2)), (Some(2), None));
    }
}
