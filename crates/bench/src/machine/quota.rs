//! The processor time that a control group grants.

use std::fs;
use std::path::{Component, Path};

/// Where control groups are mounted: the second version's groups, or the first version's folders,
/// one for each controller.
const GROUPS: &str = "/sys/fs/cgroup";
/// The folder of the first version's controller, under either of its names.
const FIRST: [&str; 2] = ["cpu", "cpu,cpuacct"];

/// The nearest limit above this process, `quota period` in µs; `None` is no limit.
pub(super) fn quota() -> Option<String> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    limit(Path::new(GROUPS), &own)
}

/// The nearest limit, of either version, on a process of the groups `own`.
fn limit(mounted: &Path, own: &str) -> Option<String> {
    let first = own.lines().find_map(|line| {
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|one| one == "cpu").then_some(group)
    });
    let second = own.lines().find_map(|line| line.strip_prefix("0::"));
    let first = first.and_then(|group| {
        FIRST.iter().find_map(|folder| limit_above(&mounted.join(folder), group, first_limit))
    });
    first.or_else(|| limit_above(mounted, second?, second_limit))
}

/// Looks for a limit from the group `own` up to `root`.
fn limit_above(root: &Path, own: &str, read: fn(&Path) -> Option<String>) -> Option<String> {
    let own = Path::new(own.trim_start_matches('/'));
    // A process outside its cgroup namespace sees `..` here; its groups cannot be looked at.
    let visible = own.components().all(|part| matches!(part, Component::Normal(_)));
    let own = if visible { own } else { Path::new("") };
    own.ancestors().find_map(|group| read(&root.join(group)))
}

/// A group's limit in the first version, where -1 is no limit.
fn first_limit(group: &Path) -> Option<String> {
    let read = |file| fs::read_to_string(group.join(file)).ok();
    let (quota, period) = (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?);
    (!quota.starts_with('-')).then(|| format!("{} {}", quota.trim(), period.trim()))
}

/// A group's limit in the second version, where `max` is no limit.
fn second_limit(group: &Path) -> Option<String> {
    let limit = fs::read_to_string(group.join("cpu.max")).ok()?;
    (!limit.starts_with("max")).then(|| limit.trim().to_owned())
}

/// How many processors a limit is worth.
pub(super) fn processors(limit: &str) -> Option<f64> {
    let (quota, period) = limit.split_once(' ')?;
    let number = |text: &str| text.parse().ok().filter(|&number: &f64| number > 0.0);
    Some(number(quota)? / number(period)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files.
    fn groups(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a directory");
        for (file, text) in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("a group")).expect("a group");
            fs::write(path, text).expect("a file");
        }
        root
    }

    #[test]
    fn quota_is_the_nearest_limit_above_the_group() {
        let root = groups(&[
            ("cpu.max", "400000 100000\n"),
            ("a/cpu.max", "150000 100000\n"),
            ("a/b/cpu.max", "max 100000\n"),
        ]);
        let limit = |own| limit(root.path(), own);
        assert_eq!(limit("0::/a/b\n").as_deref(), Some("150000 100000"));
        assert_eq!(limit("0::/../c\n").as_deref(), Some("400000 100000"));
        assert_eq!(limit(""), None);
    }

    #[test]
    fn quota_of_the_first_version_is_found_in_its_controller() {
        let root = groups(&[
            ("cpu/q15/cpu.cfs_quota_us", "150000\n"),
            ("cpu/q15/cpu.cfs_period_us", "100000\n"),
            ("cpu/q15/free/cpu.cfs_quota_us", "-1\n"),
            ("cpu/q15/free/cpu.cfs_period_us", "100000\n"),
        ]);
        let limit = |own| limit(root.path(), own);
        let found = Some("150000 100000");
        assert_eq!(limit("3:cpuset:/\n1:cpu:/q15\n0::/\n").as_deref(), found);
        assert_eq!(limit("4:cpu,cpuacct:/q15/free\n").as_deref(), found);
        assert_eq!(limit("3:cpuset:/q15\n2:cpuacct:/q15\n1:cpu:/\n0::/\n"), None);
    }

    #[test]
    fn quota_is_worth_a_part_of_the_processors() {
        assert_eq!(processors("150000 100000"), Some(1.5));
        for bad in ["max 100000", "150000", "150000 0", ""] {
            assert_eq!(processors(bad), None, "{bad}");
        }
    }
}
