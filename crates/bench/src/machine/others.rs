//! What else keeps the processors busy while something is measured: figures of such a run say
//! little.

use std::time::{Duration, Instant};

use super::Usage;

/// A shorter run tells nothing: the system counts in ticks of some milliseconds.
const TELLS: Duration = Duration::from_secs(1);

/// How busy the processors were when a run began, and what this program had used.
pub(crate) struct Others {
    busy: Option<Duration>,
    ours: Option<Usage>,
    begun: Instant,
}

impl Others {
    /// From now on.
    pub(crate) fn look() -> Self {
        Self { busy: busy(), ours: Usage::so_far(), begun: Instant::now() }
    }

    /// How many processors, of those that this program may use, were kept busy by others since, in
    /// the mean. `None` where the system does not say, or the time was too short.
    pub(crate) fn processors(&self) -> Option<f64> {
        let elapsed = self.begun.elapsed();
        let all = busy()?.saturating_sub(self.busy?);
        let ours = Usage::so_far()?.since(self.ours?).cpu();
        (elapsed >= TELLS).then(|| all.saturating_sub(ours).as_secs_f64() / elapsed.as_secs_f64())
    }
}

/// How long the processors that this program may use were busy, or taken by the host, so far.
#[cfg(target_os = "linux")]
fn busy() -> Option<Duration> {
    let allowed = rustix::thread::sched_getaffinity(None).ok()?;
    let ticks = busy_ticks(&std::fs::read_to_string("/proc/stat").ok()?, |cpu| {
        cpu < rustix::thread::CpuSet::MAX_CPU && allowed.is_set(cpu)
    });
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// Not known on this system.
#[cfg(not(target_os = "linux"))]
fn busy() -> Option<Duration> {
    None
}

/// A processor's line has its name, and ticks of: user, nice, system, idle, waiting for input or
/// output, interrupts, soft interrupts, stolen by the host. What guests of this system use is part
/// of user.
#[cfg(target_os = "linux")]
fn busy_ticks(stat: &str, is_ours: impl Fn(usize) -> bool) -> u64 {
    const IDLE: [usize; 2] = [3, 4];
    const KINDS: usize = 8;
    let of_line = |line: &str| {
        let (name, ticks) = line.split_once(' ')?;
        let is_ours = is_ours(name.strip_prefix("cpu")?.parse().ok()?);
        let ticks = ticks.split_whitespace().take(KINDS).enumerate();
        let busy = ticks.filter(|(kind, _)| is_ours && !IDLE.contains(kind));
        Some(busy.filter_map(|(_, ticks)| ticks.parse::<u64>().ok()).sum::<u64>())
    };
    stat.lines().filter_map(of_line).sum()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn others_are_what_is_busy_on_our_processors() {
        let stat = "cpu  99 99 99 99 99 99 99 99 99 99\ncpu0 1 2 4 800 800 8 16 32 1 0\n\
                    cpu1 64 0 0 800 0 0 0 0 0 0\nintr 5 5 5\n";
        assert_eq!(busy_ticks(stat, |_| true), 127);
        assert_eq!(busy_ticks(stat, |cpu| cpu == 1), 64);
    }

    #[test]
    fn others_of_a_moment_are_not_known() {
        let others = Others::look();
        assert!(others.busy.is_some() && others.processors().is_none());
    }
}
