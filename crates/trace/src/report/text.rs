//! A report as text for people: a table of the hottest locks, then the details of each.

use super::figures::{Lock, Report, Stack, Times};
use super::words::{count, many, percent, time};
use crate::end_of_thread;
use std::fmt::{self, Display, Formatter};

// At most this many locks are shown, stacks of each lock, and frames of each stack.
const LOCKS: usize = 10;
const STACKS: usize = 3;
const FRAMES: usize = 12;

impl Display for Report {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let Self { program, pid, total, locks, .. } = self;
        if locks.is_empty() {
            let why = match end_of_thread::can_be_noticed() {
                true => "it took no pthread_rwlock",
                false => "nothing was measured, because the program left no pthread key below 32",
            };
            return writeln!(to, "siftlock report of {program} ({pid}): {why}.");
        }
        writeln!(to, "siftlock report of {program} ({pid}), {}", time(self.elapsed_ns))?;
        writeln!(
            to,
            "{} used {}: {} of waits, about {} in lock calls without waits",
            many(self.threads.into(), "thread"),
            many(total.locks, "lock"),
            time(total.waited_ns),
            time(total.calls_ns)
        )?;
        table(to, &locks[..locks.len().min(LOCKS)])?;
        for (at, lock) in locks.iter().take(LOCKS).enumerate() {
            writeln!(to)?;
            one(to, at + 1, lock)?;
        }
        let kept = locks.len().saturating_sub(LOCKS) as u64;
        let more = kept + self.left_out;
        match self.left_out {
            _ if more == 0 => Ok(()),
            0 => writeln!(to, "\n{}: SIFTLOCK_REPORT=FILE.json has all", many(more, "more row")),
            _ => writeln!(
                to,
                "\n{}: SIFTLOCK_REPORT=FILE.json has the next {}",
                many(more, "more row"),
                count(kept)
            ),
        }
    }
}

fn table(to: &mut Formatter<'_>, locks: &[Lock]) -> fmt::Result {
    writeln!(
        to,
        "\n{:>4} {:>9} {:>9} {:>13} {:>8} {:>9} {:>7}  mostly taken in",
        "lock", "waited", "in calls", "operations", "reads", "contended", "threads"
    )?;
    for (at, lock) in locks.iter().enumerate() {
        writeln!(
            to,
            "{:>4} {:>9} {:>9} {:>13} {:>8} {:>9} {:>7}  {}",
            format!("#{}", at + 1),
            time(lock.wait.total_ns),
            time(lock.calls_ns),
            count(lock.operations),
            percent(lock.reads, lock.operations),
            // A call that waited may have got in or not.
            percent(lock.contended, lock.operations + lock.refused),
            lock.threads,
            user(lock)
        )?;
    }
    Ok(())
}

/// The two innermost functions with a name, in the stack that waited for the lock most or, without
/// waits, spent most time in its calls.
fn user(lock: &Lock) -> String {
    let weight = |stack: &&Stack| (stack.waited_ns, stack.calls_ns, stack.held_ns);
    match (lock.stacks.iter().max_by_key(weight), &lock.created.stack) {
        (Some(stack), _) => innermost(&stack.frames),
        (None, Some(created)) => format!("(created in {})", innermost(created)),
        (None, None) => "?".to_owned(),
    }
}

fn innermost(frames: &[String]) -> String {
    let named = frames.iter().filter(|frame| !is_nameless(frame));
    let names: Vec<_> = named.map(|frame| frame.split(" (").next().unwrap_or(frame)).collect();
    // In a program without symbols there may be nothing but wrappers.
    let user = names.iter().position(|name| !is_wrapper(name)).unwrap_or(0);
    names.iter().skip(user).take(2).copied().collect::<Vec<_>>().join(" < ")
}

/// Whether a function belongs to the C++ library, whose wrappers stand between a lock and its user.
fn is_wrapper(name: &str) -> bool {
    ["std::", "__glibcxx_", "__gthread_"].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a frame is only a library's name and a distance in it.
fn is_nameless(frame: &str) -> bool {
    frame.contains("+0x")
}

fn one(to: &mut Formatter<'_>, number: usize, lock: &Lock) -> fmt::Result {
    let name = match (lock.is_alive, lock.locks) {
        (true, _) => format!("lock at {}", lock.address),
        (false, 1) => format!("lock at {}, which has ended", lock.address),
        (false, many) if lock.created.stack.is_none() => {
            format!("{} locks whose place is not known and that have ended", count(many))
        }
        (false, many) => {
            format!("{} locks that were created at one place and have ended", count(many))
        }
    };
    writeln!(to, "#{number}  {name}")?;
    writeln!(
        to,
        "    {}, {}, {} contended, {} refused, {}",
        many(lock.reads, "read"),
        many(lock.writes, "write"),
        count(lock.contended),
        count(lock.refused),
        many(lock.threads, "thread")
    )?;
    match lock.contended {
        0 => writeln!(to, "    wait: none")?,
        _ => writeln!(to, "    wait: {}", Spread(&lock.wait))?,
    }
    let measured = many(lock.measured, "measured section");
    writeln!(to, "    hold: {}, from {measured}", Spread(&lock.hold))?;
    weighted(to, "waited", "who waited, by time", &lock.stacks, |stack| stack.waited_ns)?;
    weighted(to, "held", "who held it, by time", &lock.stacks, |stack| stack.held_ns)?;
    match (&lock.created.stack, lock.created.by) {
        (None, _) => writeln!(to, "    created by pthread_rwlock_init; no stack was taken"),
        (Some(frames), "init") => {
            writeln!(to, "    created by pthread_rwlock_init")?;
            indented(to, "", frames)
        }
        (Some(frames), _) => {
            writeln!(to, "    first used")?;
            indented(to, "", frames)
        }
    }
}

/// Shows times in one line.
struct Spread<'a>(&'a Times);

impl Display for Spread<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let Times { total_ns, p50_ns, p99_ns, longest_ns } = *self.0;
        let [total, half, most, longest] = [total_ns, p50_ns, p99_ns, longest_ns].map(time);
        write!(to, "{total} in all, half up to {half}, 99 % up to {most}, longest {longest}")
    }
}

/// Writes the stacks that weigh most.
fn weighted(
    to: &mut Formatter<'_>,
    what: &str,
    title: &str,
    stacks: &[Stack],
    weight: impl Fn(&Stack) -> u64,
) -> fmt::Result {
    let total: u64 = stacks.iter().map(&weight).sum();
    let mut stacks: Vec<_> = stacks.iter().filter(|stack| weight(stack) > 0).collect();
    if stacks.is_empty() {
        return Ok(());
    }
    writeln!(to, "    {title}")?;
    stacks.sort_by_key(|stack| std::cmp::Reverse(weight(stack)));
    for stack in stacks.iter().take(STACKS) {
        let share = percent(weight(stack), total);
        indented(to, &share, &stack.frames)?;
    }
    match stacks.len().saturating_sub(STACKS) {
        0 => Ok(()),
        more => writeln!(to, "        … {} {what} less", many(more as u64, "more stack")),
    }
}

/// Writes frames below each other, with a share beside the first.
fn indented(to: &mut Formatter<'_>, share: &str, frames: &[String]) -> fmt::Result {
    for (at, frame) in frames.iter().take(FRAMES).enumerate() {
        writeln!(to, "    {:>7}  {frame}", if at == 0 { share } else { "" })?;
    }
    match frames.len().saturating_sub(FRAMES) {
        0 => Ok(()),
        more => writeln!(to, "    {:>7}  … {}", "", many(more as u64, "more frame")),
    }
}
