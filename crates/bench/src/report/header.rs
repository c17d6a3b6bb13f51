//! The head above the tables: the machine, the limits of its figures, and the plan of the run.

use std::time::Duration;

use super::grid::Grid;
use super::numbers::NONE;
use crate::machine::{Clock, Host, Lines, Machine, Sharing};
use crate::subjects::{Role, Subject};

/// More pairs of processors than this are a table, not a line.
const PAIRS_IN_A_LINE: usize = 6;

/// The head of a run.
pub(crate) fn header(machine: &Machine) -> String {
    let Machine { host, pinned, clock, lines } = machine;
    let bound = if *pinned { "pinned, thread n on CPU n" } else { NOT_PINNED };
    let mut out = vec![
        format!("machine  {}, {} CPU(s), {}", host.cpu, host.cpus, host.arch),
        format!("system   {}, kernel {}", host.os, host.kernel),
        format!("program  {}, {}", program(), host.date),
        format!("threads  {bound}"),
        format!("clock    {}", clock_line(clock)),
    ];
    out.extend(quota(host));
    out.extend(ways(lines));
    out.extend(warnings(host, lines).into_iter().map(|warning| format!("NOTE     {warning}")));
    out.join("\n")
}

/// Threads begin spread out only where the system lets a thread free itself again.
const NOT_PINNED: &str = if cfg!(target_os = "linux") {
    "not pinned; they begin on all CPUs in turn"
} else {
    "not pinned"
};

/// The number of samples, and the time that they take without the start and stop of threads.
pub(crate) fn outlook(samples: usize, takes: Duration) -> String {
    let unit = if takes < Duration::from_secs(10) { 1 } else { 1000 };
    let whole = u64::try_from(takes.as_millis()).unwrap_or(u64::MAX) / unit * unit;
    let takes = humantime::format_duration(Duration::from_millis(whole));
    let s = if samples == 1 { "" } else { "s" };
    format!("plan     {samples} sample{s}, at least {takes}; medians, ± half the range in %")
}

/// The table that `--list` shows.
pub(crate) fn roster() -> String {
    let mut grid = Grid::new(&["subject", "by default", "what it is"].map(str::to_owned));
    for subject in Subject::listed() {
        let usual = match subject.role() {
            Role::Variant => NONE,
            Role::Placed => "latency, delays",
            Role::Ours | Role::Peer | Role::Floor | Role::Hidden => "yes",
        };
        grid.row(subject.name(), [usual, subject.about()].map(str::to_owned));
    }
    grid.titled("Subjects of --subjects")
}

/// The program's version, with the commit that it was built from.
pub(crate) fn program() -> String {
    let commit = Host::COMMIT.map_or_else(String::new, |commit| format!(" ({commit})"));
    format!("siftlock-bench {}{commit}", env!("CARGO_PKG_VERSION"))
}

/// The processor time that a container grants: a run under a quota is another run.
fn quota(host: &Host) -> Option<String> {
    let (limit, processors) = (host.cgroup_cpu_max.as_ref()?, host.quota()?);
    Some(format!("quota    {processors:.2} processors (cgroup: {limit}, quota and period in µs)"))
}

fn clock_line(clock: &Clock) -> String {
    let (ghz, cost) = (clock.ticks_per_second / 1e9, clock.reading);
    let (min, avg, max) = (cost.min, cost.avg, cost.max);
    let counter = clock.counter;
    format!("{counter}, {ghz:.3} GHz; get_cycles takes [min,avg,max] {min},{avg},{max} cycles")
}

/// The ways of a line between processors, as a line of text or a table.
fn ways(lines: &Lines) -> Option<String> {
    if lines.ways.is_empty() {
        return None;
    }
    if lines.ways.len() > PAIRS_IN_A_LINE {
        return Some(matrix(lines));
    }
    let each = |way: &crate::machine::Way| format!("{}–{} {:.0} ns", way.from, way.to, way.ns);
    let pairs: Vec<String> = lines.ways.iter().map(each).collect();
    Some(format!("lines    one way from CPU to CPU: {}", pairs.join(", ")))
}

fn matrix(lines: &Lines) -> String {
    let mut cpus: Vec<usize> = lines.ways.iter().flat_map(|way| [way.from, way.to]).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let head = [vec!["CPU".to_owned()], cpus.iter().map(usize::to_string).collect()].concat();
    let mut grid = Grid::of_numbers(&head);
    for &row in &cpus {
        let cell = |&column: &usize| {
            let pair = (row.min(column), row.max(column));
            let way = lines.ways.iter().find(|way| (way.from, way.to) == pair);
            way.map_or_else(String::new, |way| format!("{:.0}", way.ns))
        };
        grid.row(&row.to_string(), cpus.iter().map(cell));
    }
    grid.titled("How long a line takes from CPU to CPU, one way, in ns")
}

/// Warnings for the reader of the figures.
fn warnings(host: &Host, lines: &Lines) -> Vec<String> {
    let mut out = Vec::new();
    match lines.sharing() {
        Sharing::Alone if host.cpus == 1 => out.push(
            "one CPU: threads never run at once, so contention cannot be judged here".to_owned(),
        ),
        Sharing::Alone => out.push(
            "the way between CPUs could not be measured; they may be threads of one core"
                .to_owned(),
        ),
        Sharing::OneCore => out.push(
            "the CPUs are threads of one core: a shared line costs them nothing, so contention \
             cannot be judged here"
                .to_owned(),
        ),
        Sharing::Cores => {
            let shared = lines.ways.iter().filter(|way| way.is_inside_one_core());
            let pairs: Vec<_> = shared.map(|way| format!("{}–{}", way.from, way.to)).collect();
            if !pairs.is_empty() {
                out.push(format!("these CPUs are threads of one core: {}", pairs.join(", ")));
            }
        }
    }
    if host.quota().is_some() {
        out.push(
            "the system stops the program in each period of its quota: with --seconds, let \
             samples last some"
                .to_owned(),
        );
    }
    if !host.optimised {
        out.push("built without optimisation: no figure means anything; use --release".to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Way;

    fn host(cpus: usize) -> Host {
        let text = |text: &str| text.to_owned();
        Host {
            cpu: text("Test CPU"),
            arch: "x86_64",
            cpus,
            os: text("Test OS"),
            kernel: text("1.2.3"),
            cgroup_cpu_max: None,
            commit: Some("0123456789ab"),
            optimised: true,
            date: text("2026-01-02T03:04:05Z"),
        }
    }

    fn lines(ways: &[(usize, usize, f64)]) -> Lines {
        Lines { ways: ways.iter().map(|&(from, to, ns)| Way { from, to, ns }).collect() }
    }

    #[test]
    fn header_says_where_contention_cannot_be_judged() {
        let said = |cpus, ways: &[_]| warnings(&host(cpus), &lines(ways)).join("\n");
        assert!(said(1, &[]).contains("cannot be judged"));
        assert!(said(2, &[(0, 1, 6.0)]).contains("cannot be judged"));
        assert_eq!(said(2, &[(0, 1, 60.0)]), "");
        let some = [(0, 1, 6.0), (0, 2, 60.0), (1, 2, 60.0)];
        assert!(said(3, &some).contains("one core: 0–1"));
    }

    #[test]
    fn header_shows_many_ways_as_a_table() {
        let many: Vec<_> =
            (0..5).flat_map(|from| (from + 1..5).map(move |to| (from, to, 50.0))).collect();
        assert!(ways(&lines(&many)).expect("ways").contains("in ns"));
        assert!(ways(&lines(&many[..2])).expect("ways").contains("0–1 50 ns, 0–2 50 ns"));
        assert!(ways(&lines(&[])).is_none());
    }

    #[test]
    fn header_says_what_a_container_grants() {
        let under = |limit: &str| Host { cgroup_cpu_max: Some(limit.to_owned()), ..host(2) };
        let said = quota(&under("150000 100000")).expect("a line");
        assert!(said.contains("1.50 processors (cgroup: 150000 100000"), "{said}");
        assert_eq!(quota(&host(2)), None);
        let said = warnings(&under("150000 100000"), &lines(&[(0, 1, 60.0)])).join("\n");
        assert!(said.contains("with --seconds"), "{said}");
    }

    #[test]
    fn header_lists_no_hidden_subject() {
        let list = roster();
        assert!(list.contains("rwsem-patch10-before") && !list.contains("busted"));
    }
}
