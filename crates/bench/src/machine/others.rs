//! Other programs that keep the processors busy during a measurement: figures of a disturbed run
//! say little. Work in the same cores, but on processors that are not for this program, is not
//! seen.

use std::time::{Duration, Instant};

use super::Usage;

/// A shorter run tells nothing: the system counts in ticks of some milliseconds.
const TELLS: Duration = Duration::from_secs(1);

/// The busy time of the processors when a run began, and this program's usage at that time.
pub(crate) struct Others {
    busy: Option<Busy>,
    ours: Option<Usage>,
    begun: Instant,
}

/// The use that others made of the processors that this program may use.
pub(crate) struct Disturbance {
    /// How many processors others kept busy, in the mean.
    pub(crate) busy: f64,
    /// How many processors this program may use.
    pub(crate) processors: usize,
}

/// How long the processors that this program may use were busy so far, together.
struct Busy {
    time: Duration,
    processors: usize,
}

impl Others {
    /// Takes the figures at the beginning.
    pub(crate) fn look() -> Self {
        Self { busy: busy(), ours: Usage::so_far(), begun: Instant::now() }
    }

    /// The use that others made since the beginning. `None` where the system does not say, or the
    /// time was too short.
    pub(crate) fn since(&self) -> Option<Disturbance> {
        let elapsed = self.begun.elapsed();
        let now = busy()?;
        let all = now.time.saturating_sub(self.busy.as_ref()?.time);
        let others = all.saturating_sub(Usage::so_far()?.since(self.ours?).cpu());
        let busy = others.as_secs_f64() / elapsed.as_secs_f64();
        (elapsed >= TELLS).then_some(Disturbance { busy, processors: now.processors })
    }
}

#[cfg(target_os = "linux")]
fn busy() -> Option<Busy> {
    let allowed = rustix::thread::sched_getaffinity(None).ok()?;
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let is_ours = |cpu| cpu < rustix::thread::CpuSet::MAX_CPU && allowed.is_set(cpu);
    let ticks: Vec<u64> = busy_ticks(&stat, is_ours).collect();
    let second = rustix::param::clock_ticks_per_second() as f64;
    let time = Duration::from_secs_f64(ticks.iter().sum::<u64>() as f64 / second);
    // In some containers the file names other processors.
    (ticks.len() == allowed.count() as usize).then_some(Busy { time, processors: ticks.len() })
}

/// Not known on this system.
#[cfg(not(target_os = "linux"))]
fn busy() -> Option<Busy> {
    None
}

/// The busy ticks of each processor of ours. A processor's line has its name, and ticks of: user,
/// nice, system, idle, waiting for input or output, interrupts, soft interrupts, stolen by the
/// host. The first two include the time of this system's guests. Interrupts are left out: they may
/// be of our own making.
#[cfg(target_os = "linux")]
fn busy_ticks(stat: &str, is_ours: impl Fn(usize) -> bool) -> impl Iterator<Item = u64> {
    const BUSY: [usize; 4] = [0, 1, 2, 7];
    stat.lines().filter_map(move |line| {
        let (name, ticks) = line.split_once(' ')?;
        let cpu = name.strip_prefix("cpu")?.parse().ok()?;
        let ticks: Vec<u64> = ticks.split_whitespace().flat_map(str::parse).collect();
        is_ours(cpu).then(|| BUSY.iter().filter_map(|&kind| ticks.get(kind)).sum())
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn others_are_what_is_busy_on_our_processors() {
        let stat = "cpu  99 99 99 99 99 99 99 99 99 99\ncpu0 1 2 4 800 800 800 800 32 1 0\n\
                    cpu1 64 0 0 800 0 0 0 0 0 0\nintr 5 5 5\n";
        let busy = |is_ours: fn(usize) -> bool| busy_ticks(stat, is_ours).collect::<Vec<_>>();
        assert_eq!(busy(|_| true), [39, 64]);
        assert_eq!(busy(|cpu| cpu == 1), [64]);
    }

    #[test]
    fn others_of_a_moment_are_not_known() {
        assert!(Others::look().since().is_none());
    }
}
