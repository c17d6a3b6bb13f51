//! The effect of a lock on its threads when they are many: how alike they fare, how long they wait,
//! how much processor time they use. The figures are the same for every experiment.

use super::metric::{Metric, Reading};
use super::summary::extremes_over_mean;
use crate::machine::Usage;

/// One sample, as far as these figures need it.
pub(crate) struct Pressure<'a> {
    /// How many of the counted operations each thread did.
    pub(crate) each: &'a [u64],
    /// The longest wait, and the wait that one in a thousand exceeds, in µs, where waits are taken.
    pub(crate) waits: Option<Longest>,
    /// How long the sample was measured.
    pub(crate) seconds: f64,
    /// The process's usage meanwhile, if the system counts that.
    pub(crate) usage: Option<Usage>,
}

/// The long waits of all threads, in µs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Longest {
    pub(crate) max: f64,
    pub(crate) p999: f64,
}

impl Pressure<'_> {
    /// The figures. Where there was no operation, the figures per operation are missing.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let total = self.each.iter().sum::<u64>() as f64;
        let rate = |count: u64| count as f64 / self.seconds;
        let (least, most) = extremes_over_mean(self.each).unzip();
        let per_mop = |time: fn(Usage) -> std::time::Duration| {
            let usage = self.usage.filter(|_| total > 0.0);
            usage.map(|usage| time(usage).as_secs_f64() / (total / 1e6))
        };
        Reading::known([
            (Metric::ThreadMin, self.each.iter().min().map(|&count| rate(count))),
            (Metric::ThreadMean, Some(total / self.each.len() as f64 / self.seconds)),
            (Metric::ThreadMax, self.each.iter().max().map(|&count| rate(count))),
            (Metric::ThreadMinOverMean, least),
            (Metric::ThreadMaxOverMean, most),
            (Metric::WaitMax, self.waits.map(|waits| waits.max)),
            (Metric::WaitP999, self.waits.map(|waits| waits.p999)),
            (Metric::ContextSwitches, self.usage.map(|usage| usage.switches as f64 / self.seconds)),
            (Metric::UserSecondsPerMop, per_mop(|usage| usage.user)),
            (Metric::SystemSecondsPerMop, per_mop(|usage| usage.system)),
            (Metric::CpuSecondsPerMop, per_mop(Usage::cpu)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn of(each: &[u64], metric: Metric) -> Option<f64> {
        let (user, system) = (Duration::from_secs(3), Duration::from_secs(1));
        let usage = Some(Usage { user, system, switches: 10 });
        let waits = Some(Longest { max: 7.0, p999: 5.0 });
        let readings = Pressure { each, waits, seconds: 2.0, usage }.readings();
        readings.iter().find(|reading| reading.metric == metric).map(|reading| reading.value)
    }

    #[test]
    fn pressure_tells_the_threads_apart() {
        let each = [500_000, 1_500_000];
        let rates = [Metric::ThreadMin, Metric::ThreadMean, Metric::ThreadMax];
        let rates = rates.map(|metric| of(&each, metric));
        assert_eq!(rates, [Some(250_000.0), Some(500_000.0), Some(750_000.0)]);
        assert_eq!(of(&each, Metric::ThreadMinOverMean), Some(0.5));
        assert_eq!(
            (of(&each, Metric::WaitMax), of(&each, Metric::WaitP999)),
            (Some(7.0), Some(5.0))
        );
    }

    #[test]
    fn pressure_is_a_cost_of_each_million_and_of_each_second() {
        let each = [500_000, 1_500_000];
        assert_eq!(of(&each, Metric::UserSecondsPerMop), Some(1.5));
        assert_eq!(of(&each, Metric::SystemSecondsPerMop), Some(0.5));
        assert_eq!(of(&each, Metric::CpuSecondsPerMop), Some(2.0));
        assert_eq!(of(&each, Metric::ContextSwitches), Some(5.0));
    }

    #[test]
    fn pressure_of_nothing_done_has_no_cost_of_an_operation() {
        assert_eq!(of(&[0, 0], Metric::CpuSecondsPerMop), None);
        assert_eq!(of(&[0, 0], Metric::ThreadMinOverMean), None);
        assert_eq!(of(&[0, 0], Metric::ThreadMin), Some(0.0));
    }
}
