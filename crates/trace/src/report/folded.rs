//! Folded stacks, which flame-graph tools read: frames from the outermost to the innermost, and a
//! weight.
//!
//! The first frame names the weight: nanoseconds that were `waited`, or `held`, or spent in
//! `calls`. The second frame is the lock.

use super::figures::{Lock, Report, Stack};
use std::fmt::{self, Display, Formatter};

/// A report in this form.
pub(super) struct Folded<'a>(pub(super) &'a Report);

impl Display for Folded<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let kinds: [(&str, Total, Part); 3] = [
            ("waited", |lock| lock.wait.total_ns, |stack| stack.waited_ns),
            ("held", |lock| lock.hold.total_ns, |stack| stack.held_ns),
            ("calls", |lock| lock.calls_ns, |stack| stack.calls_ns),
        ];
        for (kind, total, part) in kinds {
            for lock in &self.0.locks {
                fold(to, kind, lock, total(lock), part)?;
            }
        }
        Ok(())
    }
}

type Total = fn(&Lock) -> u64;
type Part = fn(&Stack) -> u64;

/// Writes the lock's stacks. The lock's total is divided among them by their shares.
fn fold(to: &mut Formatter<'_>, kind: &str, lock: &Lock, total: u64, part: Part) -> fmt::Result {
    let sampled: u64 = lock.stacks.iter().map(part).sum();
    for stack in lock.stacks.iter().filter(|stack| part(stack) > 0) {
        let weight = (part(stack) as f64 / sampled as f64 * total as f64).round();
        write!(to, "{kind};lock {}", lock.address)?;
        for frame in stack.frames.iter().rev() {
            // A semicolon ends a frame, and a line ends a stack.
            write!(to, ";{}", frame.replace([';', '\n'], ":"))?;
        }
        writeln!(to, " {weight:.0}")?;
    }
    Ok(())
}
