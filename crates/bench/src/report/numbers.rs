//! Numbers as people read them.

use crate::stats::Series;

/// A number with its thousands apart, and with as many digits behind the point as leave three or
/// more in all.
pub(crate) fn figure(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.digits$}");
    let (whole, behind) = text.find('.').map_or((text.as_str(), ""), |point| text.split_at(point));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let mut apart = String::with_capacity(text.len() + whole.len() / 3);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            apart.push(',');
        }
        apart.push(digit);
    }
    format!("{sign}{apart}{behind}")
}

/// A share in percent, with digits only where it is small.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 1.0 { format!("{percent:.0}") } else { format!("{percent:.2}") }
}

/// The median of samples and, where there are several, half their range in percent of the median.
pub(super) fn with_spread(series: &Series, text: impl Fn(f64) -> String) -> String {
    let spread = series.spread().map(|spread| format!(" ±{:.0}", spread * 100.0));
    format!("{}{}", or_none(series.median(), text), spread.unwrap_or_default())
}

/// A rate as the sources give it: thousands of operations a second.
pub(super) fn kops(rate: f64) -> String {
    figure(rate / 1e3)
}

/// Which numbers of threads: `2, 4 and 8 threads`.
pub(crate) fn threads(numbers: &[usize]) -> String {
    let noun = if numbers == [1] { "thread" } else { "threads" };
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last} {noun}", rest.join(", ")),
        _ => format!("{} {noun}", texts.concat()),
    }
}

/// The sign for a missing figure.
pub(super) const NONE: &str = "–";

/// A number as text, or a dash.
pub(crate) fn or_none(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| NONE.to_owned(), text)
}

/// How many times as much, to two digits behind the point.
pub(super) fn times(ratio: f64) -> String {
    format!("{ratio:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_thousands_apart() {
        let texts = [0.0, 1.25, 12.34, 123.4, 1_234.5, 1_234_567.0, -1_234.0].map(figure);
        assert_eq!(texts, ["0.00", "1.25", "12.3", "123", "1,234", "1,234,567", "-1,234"]);
    }

    #[test]
    fn numbers_of_shares_keep_what_is_small() {
        assert_eq!([0.5, 0.031, 0.0004].map(percent), ["50", "3", "0.04"]);
    }

    #[test]
    fn numbers_of_threads_are_a_list() {
        assert_eq!(threads(&[1]), "1 thread");
        assert_eq!(threads(&[2, 4]), "2 and 4 threads");
        assert_eq!(threads(&[2, 4, 8]), "2, 4 and 8 threads");
    }
}
