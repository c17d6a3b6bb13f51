//! A lock's runs, one for each seed, and the error of a run that failed.

use super::study::{Figures, Study};
use super::subjects::Subject;
use super::table::Cell;
use crate::error::Error;
use crate::report;

/// How many threads of a stuck run are shown, and how many lines of its lock.
const THREADS: usize = 10;
const LINES: usize = 20;

/// Runs the lock once for each seed, and shows each run to `look`.
pub(super) fn by_seed(
    study: &Study,
    lock: Subject,
    seeds: &[u64],
    mut look: impl FnMut(u64, &Figures),
) -> Result<Cell, Error> {
    let mut cell = Cell::new();
    for &seed in seeds {
        let run = Study { seed: Some(seed), ..study.clone() }.of(lock).map_err(|why| {
            let threads = report::threads(&[study.threads]);
            failed(
                &format!("{}, {threads}, {}, seed {seed}", lock.name(), study.machine.name),
                &why,
            )
        })?;
        look(seed, &run);
        cell.push(run);
    }
    Ok(cell)
}

/// An error about one run.
pub(super) fn failed(run: &str, why: &str) -> Error {
    Error::Simulation(format!(
        "{run}: {}\nTo see whether it is this run alone, try another --seed, --topology or number \
         of threads.",
        cut(why)
    ))
}

/// The reason, with the first threads and the first lines of the lock.
fn cut(why: &str) -> String {
    let is_thread = |line: &&str| line.starts_with("  thread ");
    let (threads, lines): (Vec<&str>, Vec<&str>) = why.lines().partition(is_thread);
    let (first, lock) = lines.split_first().unwrap_or((&"", &[]));
    let mut out = vec![(*first).to_owned()];
    out.extend(threads.iter().take(THREADS).map(|&line| line.to_owned()));
    if threads.len() > THREADS {
        let more = threads.len() - THREADS;
        out.push(format!("  and {more} more threads and handlers"));
    }
    out.extend(lock.iter().take(LINES).map(|&line| line.to_owned()));
    if lock.len() > LINES {
        out.push(format!("  and {} more lines of the lock", lock.len() - LINES));
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_fail_show_ten_threads_and_the_lock() {
        let threads: Vec<String> = (0..242).map(|id| format!("  thread {id}: Idle")).collect();
        let text = cut(&format!("after 5 ns stuck:\n{}\nLock {{\n}}", threads.join("\n")));
        assert!(text.contains("thread 9:") && !text.contains("thread 10:"), "{text}");
        assert!(text.ends_with("and 232 more threads and handlers\nLock {\n}"), "{text}");
    }
}
