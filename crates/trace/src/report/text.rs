//! A report to read: a table of the hottest locks, and then each of them.

use super::figures::{Lock, Report, Stack};
use super::words::{count, many, percent, time};
use std::fmt::{self, Display, Formatter, Write};

/// So many locks are shown, and so many stacks of each, and so many frames of each.
const LOCKS: usize = 10;
const STACKS: usize = 3;
const FRAMES: usize = 12;

impl Display for Report {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let Self { program, pid, locks, .. } = self;
        if locks.is_empty() {
            return writeln!(
                to,
                "siftlock report of {program} ({pid}): it took no pthread_rwlock."
            );
        }
        let waited = locks.iter().map(|lock| lock.wait.total_ns).sum();
        let calls = locks.iter().map(|lock| lock.calls_ns).sum();
        let all = locks.iter().map(|lock| lock.locks).sum();
        writeln!(to, "siftlock report of {program} ({pid}), {}", time(self.elapsed_ns))?;
        writeln!(
            to,
            "{} used {}: {} of waits, about {} in lock calls without waits",
            many(self.threads.into(), "thread"),
            many(all, "lock"),
            time(waited),
            time(calls)
        )?;
        table(to, &locks[..locks.len().min(LOCKS)])?;
        for (at, lock) in locks.iter().take(LOCKS).enumerate() {
            writeln!(to)?;
            one(to, at + 1, lock)?;
        }
        match locks.len().saturating_sub(LOCKS) {
            0 => Ok(()),
            more => writeln!(
                to,
                "\n{} more: SIFTLOCK_REPORT=FILE.json has all",
                many(more as u64, "lock")
            ),
        }
    }
}

fn table(to: &mut Formatter<'_>, locks: &[Lock]) -> fmt::Result {
    writeln!(
        to,
        "\n{:>4} {:>9} {:>9} {:>13} {:>8} {:>9} {:>7}",
        "lock", "waited", "in calls", "operations", "reads", "contended", "threads"
    )?;
    for (at, lock) in locks.iter().enumerate() {
        writeln!(
            to,
            "{:>4} {:>9} {:>9} {:>13} {:>8} {:>9} {:>7}",
            format!("#{}", at + 1),
            time(lock.wait.total_ns),
            time(lock.calls_ns),
            count(lock.operations),
            percent(lock.share(lock.reads)),
            percent(lock.share(lock.contended)),
            lock.threads
        )?;
    }
    Ok(())
}

fn one(to: &mut Formatter<'_>, number: usize, lock: &Lock) -> fmt::Result {
    let name = match (lock.is_alive, lock.locks) {
        (true, _) => format!("lock at {}", lock.address),
        (false, 1) => format!("lock at {}, which has ended", lock.address),
        (false, many) => {
            format!("{} locks that were created at one place and have ended", count(many))
        }
    };
    writeln!(to, "#{number}  {name}")?;
    writeln!(
        to,
        "    {} reads, {} writes, {} contended, {} refused, {}",
        count(lock.reads),
        count(lock.writes),
        count(lock.contended),
        count(lock.refused),
        many(lock.threads, "thread")
    )?;
    for (what, times, note) in [
        ("wait", &lock.wait, String::new()),
        ("hold", &lock.hold, format!("  ({} measured)", many(lock.measured, "section"))),
    ] {
        writeln!(
            to,
            "    {what}: {} in all, half up to {}, 99 % up to {}, longest {}{note}",
            time(times.total_ns),
            time(times.p50_ns),
            time(times.p99_ns),
            time(times.longest_ns),
        )?;
    }
    match (&lock.created.stack, lock.created.by) {
        (None, _) => writeln!(to, "    created by pthread_rwlock_init; no stack was taken")?,
        (Some(frames), "init") => section(to, "created by pthread_rwlock_init", frames)?,
        (Some(frames), _) => section(to, "first used", frames)?,
    }
    weighted(to, "waited", &lock.stacks, |stack| stack.waited_ns)?;
    weighted(to, "held", &lock.stacks, |stack| stack.held_ns)
}

/// The stacks that weigh most.
fn weighted(
    to: &mut Formatter<'_>,
    what: &str,
    stacks: &[Stack],
    weight: impl Fn(&Stack) -> u64,
) -> fmt::Result {
    let total: u64 = stacks.iter().map(&weight).sum();
    let mut stacks: Vec<_> = stacks.iter().filter(|stack| weight(stack) > 0).collect();
    stacks.sort_by_key(|stack| std::cmp::Reverse(weight(stack)));
    for stack in stacks.iter().take(STACKS) {
        let share = percent(weight(stack) as f64 / total as f64);
        section(to, &format!("{what}: {share}"), &stack.frames)?;
    }
    Ok(())
}

fn section(to: &mut Formatter<'_>, title: &str, frames: &[String]) -> fmt::Result {
    writeln!(to, "    {title}")?;
    let mut line = String::new();
    for frame in frames.iter().take(FRAMES) {
        line.clear();
        write!(line, "        {frame}")?;
        writeln!(to, "{line}")?;
    }
    match frames.len().saturating_sub(FRAMES) {
        0 => Ok(()),
        more => writeln!(to, "        … {}", many(more as u64, "more frame")),
    }
}
