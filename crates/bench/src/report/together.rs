//! Words on whether readers share a lock in fact, for any experiment that counted it.

use super::numbers::{or_none, percent};
use crate::stats::{Metric, Results};
use crate::subjects::Role;

/// The share of the reads that begin beside another reader, of each lock at each number of threads;
/// a dash where no thread read.
pub(crate) fn together(results: &Results) -> Option<String> {
    let threads = results.threads();
    let each = results.subjects().into_iter().filter(|one| one.role() != Role::Floor);
    let told: Vec<String> = each
        .map(|subject| {
            let share = |&number| results.median(subject, number, Metric::Together);
            let shares = threads.iter().map(|number| or_none(share(number), percent));
            format!("{} {}", subject.name(), shares.collect::<Vec<_>>().join(", "))
        })
        .collect();
    let at: Vec<String> = threads.iter().map(usize::to_string).collect();
    let head =
        format!("Reads that begin beside another reader, in %, at {} threads", at.join(", "));
    (!told.is_empty()).then(|| format!("{head}: {}", told.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;
    use crate::subjects::Subject;

    #[test]
    fn together_is_told_of_each_lock_that_was_counted() {
        let mut results = Results::default();
        for (subject, value) in [(Subject::Rwsem, 0.31), (Subject::StdMutex, 0.0)] {
            results.add(subject, 4, &[Reading { metric: Metric::Together, value }]);
        }
        let told = together(&results).expect("a sentence");
        insta::assert_snapshot!(told, @"Reads that begin beside another reader, in %, at 4 threads: rwsem 31; std-mutex 0.00");
        assert_eq!(together(&Results::default()), None);
    }
}
