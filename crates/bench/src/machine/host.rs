//! The facts of the machine that a reader of a result wants to know.

use std::thread;
use std::time::SystemTime;

use serde::Serialize;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

use super::{pinning, quota};

/// Facts about the machine, the system and the program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Host {
    pub(crate) cpu: String,
    pub(crate) arch: &'static str,
    /// Processors that this process can use at once.
    pub(crate) cpus: usize,
    pub(crate) os: String,
    pub(crate) kernel: String,
    /// The processor time that a container grants, `quota period` in µs; `None` is no limit.
    pub(crate) cgroup_cpu_max: Option<String>,
    /// The commit that the program was built from.
    pub(crate) commit: Option<&'static str>,
    /// Whether the program was built with optimisation; without, its figures mean nothing.
    pub(crate) optimised: bool,
    /// When the run began, UTC.
    pub(crate) date: String,
}

impl Host {
    /// The commit that the program was built from.
    pub(crate) const COMMIT: Option<&'static str> = option_env!("SIFTLOCK_COMMIT");

    /// Asks the system.
    pub(crate) fn look() -> Self {
        let wanted = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
        let system = System::new_with_specifics(wanted).ok();
        let brand =
            system.and_then(|system| Some(system.cpus().first()?.brand().trim().to_owned()));
        let or_unknown = |text: Option<String>| {
            text.filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".to_owned())
        };
        Self {
            cpu: or_unknown(brand),
            arch: std::env::consts::ARCH,
            cpus: thread::available_parallelism().map_or(1, usize::from),
            os: or_unknown(System::long_os_version().ok()),
            kernel: or_unknown(System::kernel_version().ok()),
            cgroup_cpu_max: quota::quota(),
            commit: Self::COMMIT,
            optimised: !cfg!(debug_assertions),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        }
    }

    /// The number of processors that the container's limit is worth, where there is a limit.
    pub(crate) fn quota(&self) -> Option<f64> {
        quota::processors(self.cgroup_cpu_max.as_ref()?)
    }

    /// How many processors' time this process can have at most.
    pub(crate) fn processors(&self) -> f64 {
        let allowed = pinning::processors().len();
        // `cpus` is rounded down where there is a quota.
        granted(if allowed == 0 { self.cpus } else { allowed }, self.quota())
    }
}

/// The processors whose time a quota grants, of those on which threads may run.
fn granted(allowed: usize, quota: Option<f64>) -> f64 {
    quota.map_or(allowed as f64, |quota| quota.min(allowed as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_has_the_processors_of_its_quota_but_not_more_than_it_may_run_on() {
        let granted = [granted(2, Some(1.5)), granted(1, Some(1.5)), granted(2, None)];
        assert_eq!(granted, [1.5, 1.0, 2.0]);
    }
}
