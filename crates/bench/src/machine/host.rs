//! What machine this is, as a reader of a result wants to know it.

use std::fs;
use std::path::{Component, Path};
use std::thread;
use std::time::SystemTime;

use serde::Serialize;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// Where cgroups of the second version are mounted.
const CGROUPS: &str = "/sys/fs/cgroup";

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
            cgroup_cpu_max: cgroup_cpu_max(),
            commit: Self::COMMIT,
            optimised: !cfg!(debug_assertions),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        }
    }
}

/// The nearest limit on processor time above this process.
fn cgroup_cpu_max() -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    limit_above(Path::new(CGROUPS), Path::new(own))
}

/// Looks for a limit from the group `own` up to `root`.
fn limit_above(root: &Path, own: &Path) -> Option<String> {
    // A process outside its cgroup namespace sees `..` here; its groups cannot be looked at.
    let own = if own.components().all(|part| matches!(part, Component::Normal(_))) {
        own
    } else {
        Path::new("")
    };
    own.ancestors().find_map(|group| {
        let limit = fs::read_to_string(root.join(group).join("cpu.max")).ok()?;
        (!limit.starts_with("max")).then(|| limit.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_finds_the_nearest_limit_above_its_group() {
        let root = tempfile::tempdir().expect("a directory");
        let group = root.path().join("a/b");
        fs::create_dir_all(&group).expect("a group");
        fs::write(root.path().join("cpu.max"), "400000 100000\n").expect("a limit");
        fs::write(root.path().join("a/cpu.max"), "150000 100000\n").expect("a limit");
        fs::write(group.join("cpu.max"), "max 100000\n").expect("no limit");
        let near = limit_above(root.path(), Path::new("a/b"));
        assert_eq!(near.as_deref(), Some("150000 100000"));
        let outside = limit_above(root.path(), Path::new("../c"));
        assert_eq!(outside.as_deref(), Some("400000 100000"));
    }
}
