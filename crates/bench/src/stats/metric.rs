//! The metrics and their units.

/// A quantity that an experiment measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Metric {
    /// Taking and leaving the lock for reading.
    ReadPair,
    /// Taking and leaving the lock for writing.
    WritePair,
    /// Sections of both kinds; of E3, messages.
    Total,
    /// Read sections.
    Reads,
    /// Write sections.
    Writes,
    /// The longest wait for the lock.
    WaitMax,
    /// The wait that one acquisition in a thousand exceeds.
    WaitP999,
    /// Sections of the thread that had the fewest.
    ThreadMin,
    /// Sections of a thread, on average.
    ThreadMean,
    /// Sections of the thread that had the most.
    ThreadMax,
    /// Sections of the thread that had the fewest, over the mean of all threads.
    ThreadMinOverMean,
    /// Sections of the thread that had the most, over the mean of all threads.
    ThreadMaxOverMean,
    /// Context switches of all threads.
    ContextSwitches,
    /// User and system time for a million sections.
    CpuSecondsPerMop,
    /// User time for a million sections.
    UserSecondsPerMop,
    /// System time for a million sections.
    SystemSecondsPerMop,
    /// Share of the processors' time in the program.
    UserShare,
    /// Share of the processors' time in the system.
    SystemShare,
    /// Share of the processors' time in which none of our threads ran.
    IdleShare,
    /// Share of the threads' time in which they waited for the lock.
    WaitShare,
    /// Context switches for one message.
    SwitchesPerMessage,
    /// Read biases that readers of our lock switched on, for a million sections.
    BiasesOn,
    /// Read biases that writers of our lock revoked, for a million sections.
    Revocations,
    /// User and system time for one message.
    CpuMicrosPerMessage,
    /// Share of the reads that begin while another reader is inside.
    Together,
    /// User and system time of the process, over the time that passed.
    ProcessorsBusy,
    /// Sections under a load that changes, while it is at the corner of this number.
    AtCorner(usize),
    /// The mean of a lock's rates under each corner's load alone.
    MeanAlone,
    /// Sections under a load that changes, over `MeanAlone`.
    Kept,
    /// An unlock with sleepers behind it.
    WakerUnlock,
    /// From an unlock until the last of the sleepers behind it is inside.
    LastReader,
    /// System calls that wake, for each of these sleepers.
    WakesPerReader,
    /// System calls that wake, of the thread that made the most.
    MostWakes,
}

/// Whether higher or lower values of a metric are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Better {
    Higher,
    Lower,
}

impl Metric {
    /// Its name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ReadPair => "read_pair",
            Self::WritePair => "write_pair",
            Self::Total => "total",
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::WaitMax => "wait_max",
            Self::WaitP999 => "wait_p999",
            Self::ThreadMin => "thread_min",
            Self::ThreadMean => "thread_mean",
            Self::ThreadMax => "thread_max",
            Self::ThreadMinOverMean => "thread_min_over_mean",
            Self::ThreadMaxOverMean => "thread_max_over_mean",
            Self::ContextSwitches => "context_switches",
            Self::CpuSecondsPerMop => "cpu_seconds_per_mop",
            Self::UserSecondsPerMop => "user_seconds_per_mop",
            Self::SystemSecondsPerMop => "system_seconds_per_mop",
            Self::UserShare => "user_share",
            Self::SystemShare => "system_share",
            Self::IdleShare => "idle_share",
            Self::WaitShare => "wait_share",
            Self::SwitchesPerMessage => "switches_per_message",
            Self::BiasesOn => "biases_on",
            Self::Revocations => "revocations",
            Self::CpuMicrosPerMessage => "cpu_per_message",
            Self::Together => "together",
            Self::ProcessorsBusy => "processors_busy",
            // The rows of a file tell the corners apart by their hold, pause and writes.
            Self::AtCorner(_) => "at_corner",
            Self::MeanAlone => "mean_alone",
            Self::Kept => "kept",
            Self::WakerUnlock => "waker_unlock",
            Self::LastReader => "last_reader",
            Self::WakesPerReader => "wakes_per_reader",
            Self::MostWakes => "most_wakes_of_one_thread",
        }
    }

    /// Its unit in files.
    pub(crate) const fn unit(self) -> &'static str {
        match self {
            Self::ReadPair | Self::WritePair => "cycles",
            Self::Total
            | Self::Reads
            | Self::Writes
            | Self::ThreadMin
            | Self::ThreadMean
            | Self::ThreadMax
            | Self::AtCorner(_)
            | Self::MeanAlone => "operations/s",
            Self::WaitMax
            | Self::WaitP999
            | Self::CpuMicrosPerMessage
            | Self::WakerUnlock
            | Self::LastReader => "µs",
            Self::WakesPerReader | Self::MostWakes => "calls",
            Self::ThreadMinOverMean | Self::ThreadMaxOverMean | Self::Kept => "ratio",
            Self::UserShare
            | Self::SystemShare
            | Self::IdleShare
            | Self::WaitShare
            | Self::Together => "share",
            Self::ProcessorsBusy => "processors",
            Self::SwitchesPerMessage => "switches",
            Self::BiasesOn | Self::Revocations => "events/million",
            Self::ContextSwitches => "switches/s",
            Self::CpuSecondsPerMop | Self::UserSecondsPerMop | Self::SystemSecondsPerMop => "s",
        }
    }

    /// Whether higher or lower values are better.
    pub(crate) const fn better(self) -> Better {
        match self {
            Self::Total
            | Self::Reads
            | Self::Writes
            | Self::ThreadMin
            | Self::ThreadMean
            | Self::ThreadMax
            | Self::ThreadMinOverMean
            | Self::Together
            | Self::AtCorner(_)
            | Self::MeanAlone
            | Self::Kept => Better::Higher,
            Self::ReadPair
            | Self::WritePair
            | Self::WaitMax
            | Self::WaitP999
            | Self::ThreadMaxOverMean
            | Self::ContextSwitches
            | Self::CpuSecondsPerMop
            | Self::UserSecondsPerMop
            | Self::SystemSecondsPerMop
            | Self::UserShare
            | Self::SystemShare
            | Self::IdleShare
            | Self::WaitShare
            | Self::SwitchesPerMessage
            | Self::BiasesOn
            | Self::Revocations
            | Self::CpuMicrosPerMessage
            | Self::ProcessorsBusy
            | Self::WakerUnlock
            | Self::LastReader
            | Self::WakesPerReader
            | Self::MostWakes => Better::Lower,
        }
    }
}

/// One metric's value in one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) metric: Metric,
    pub(crate) value: f64,
}

impl Reading {
    /// The readings of a sample, without those that could not be taken: a system that does not
    /// count, a mean of nothing.
    pub(crate) fn known(values: impl IntoIterator<Item = (Metric, Option<f64>)>) -> Vec<Self> {
        let known = |(metric, value): (Metric, Option<f64>)| {
            value.filter(|value| value.is_finite()).map(|value| Self { metric, value })
        };
        values.into_iter().filter_map(known).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_leaves_out_what_is_not_a_number() {
        let values =
            [(Metric::Total, Some(1.0)), (Metric::Reads, None), (Metric::Writes, Some(f64::NAN))];
        assert_eq!(Reading::known(values), [Reading { metric: Metric::Total, value: 1.0 }]);
    }
}
