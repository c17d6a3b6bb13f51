//! Times, counts and shares in a form for people.

/// A time: three digits and a unit.
pub(super) fn time(ns: u64) -> String {
    let ns = ns as f64;
    match ns {
        _ if ns < 1e3 => format!("{ns:.0} ns"),
        _ if ns < 1e6 => format!("{} µs", three(ns / 1e3)),
        _ if ns < 1e9 => format!("{} ms", three(ns / 1e6)),
        _ => format!("{} s", three(ns / 1e9)),
    }
}

fn three(number: f64) -> String {
    match number {
        _ if number < 10.0 => format!("{number:.2}"),
        _ if number < 100.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// A count with a comma between its thousands.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The share of a part in all, in percent. A share above 0 is never shown as 0.
pub(super) fn percent(part: u64, all: u64) -> String {
    let percent = part as f64 / all.max(1) as f64 * 100.0;
    match percent {
        _ if percent == 0.0 => "0 %".into(),
        _ if percent < 0.1 => "< 0.1 %".into(),
        _ if percent < 10.0 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

/// A count with its noun.
pub(super) fn many(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}
