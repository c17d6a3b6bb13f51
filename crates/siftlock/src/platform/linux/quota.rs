//! How many processors the process's control group grants (`cpu.max`, version 2), read without
//! allocating: the caller may be an allocator that waits for a lock.

use std::ffi::CStr;

/// As many whole processors as the group and all those above it grant, at least one; `u32::MAX` where
/// there is no limit, `None` where that cannot be read.
pub(in crate::platform) fn granted() -> Option<u32> {
    let mut text = [0; 4096];
    let group = own_group(read(c"/proc/self/cgroup", &mut text)??)?;
    least_above(b"/sys/fs/cgroup", group)
}

/// The path of the group of version 2: the line `0::/a/b`.
fn own_group(groups: &[u8]) -> Option<&[u8]> {
    let mut lines = groups.split(|&byte| byte == b'\n');
    lines.find_map(|line| line.strip_prefix(b"0::")).filter(|path| path.starts_with(b"/"))
}

/// The least that this group, or one above it, grants.
fn least_above(root: &[u8], mut group: &[u8]) -> Option<u32> {
    let mut least = u32::MAX;
    loop {
        group = group.strip_suffix(b"/").unwrap_or(group);
        let (mut path, mut text) = ([0; 1024], [0; 64]);
        // A group without the file, as the uppermost, has no limit.
        if let Some(text) = read(join([root, group, b"/cpu.max\0"], &mut path)?, &mut text)? {
            least = least.min(whole(text)?);
        }
        let Some(above) = group.iter().rposition(|&byte| byte == b'/') else { return Some(least) };
        group = &group[..above];
    }
}

/// `max 100000`, or microseconds in a period of so many: `150000 100000`.
fn whole(text: &[u8]) -> Option<u32> {
    let text = str::from_utf8(text).ok()?;
    let (quota, period) = text.trim_end().split_once(' ')?;
    if quota == "max" {
        return Some(u32::MAX);
    }
    let whole = quota.parse::<u64>().ok()?.checked_div(period.parse().ok()?)?;
    Some(u32::try_from(whole).unwrap_or(u32::MAX).max(1))
}

/// The parts one after the other. `None`: too long.
fn join<'a>(parts: [&[u8]; 3], into: &'a mut [u8; 1024]) -> Option<&'a CStr> {
    let mut end = 0;
    for part in parts {
        into.get_mut(end..end + part.len())?.copy_from_slice(part);
        end += part.len();
    }
    CStr::from_bytes_with_nul(&into[..end]).ok()
}

/// What a small file holds. `Some(None)`: there is no such file. `None`: it cannot be read, or holds
/// more.
fn read<'a>(path: &CStr, into: &'a mut [u8]) -> Option<Option<&'a [u8]>> {
    // SAFETY: a valid string.
    let file = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if file < 0 {
        let missing = std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOENT);
        return missing.then_some(None);
    }
    let mut end = 0;
    let read = loop {
        let rest = &mut into[end..];
        // SAFETY: the file is ours, and the rest of the buffer has room for so much.
        match unsafe { libc::read(file, rest.as_mut_ptr().cast(), rest.len()) } {
            0 => break !rest.is_empty(),
            got if got > 0 => end += got.unsigned_abs(),
            _ => break false,
        }
    };
    // SAFETY: ours, and not used any more.
    unsafe { libc::close(file) };
    read.then_some(Some(&into[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn quota_is_whole_processors_and_at_least_one() {
        let texts = ["max 100000\n", "150000 100000\n", "400000 100000\n", "5000 100000\n"];
        let read = texts.map(|text| whole(text.as_bytes()));
        assert_eq!(read, [Some(u32::MAX), Some(1), Some(4), Some(1)]);
        for bad in ["", "max", "100000", "1 0", "a b", "-1 100000"] {
            assert_eq!(whole(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn quota_is_that_of_the_group_of_version_2() {
        assert_eq!(own_group(b"2:cpu:/x\n1:cpuset:/\n0::/a/b\n"), Some(&b"/a/b"[..]));
        assert_eq!(own_group(b"2:cpu:/x\n"), None);
        assert_eq!(own_group(b""), None);
    }

    #[test]
    fn quota_is_the_least_of_all_groups_above() {
        let root = std::env::temp_dir().join(format!("siftlock-quota-{}", std::process::id()));
        let groups = root.join("a/b");
        fs::create_dir_all(&groups).unwrap();
        let least = |group: &str| least_above(root.as_os_str().as_bytes(), group.as_bytes());
        let set = |group: &str, text: &str| fs::write(root.join(group).join("cpu.max"), text);
        assert_eq!(least("/a/b"), Some(u32::MAX));
        set("a/b", "max 100000\n").unwrap();
        set("a", "250000 100000\n").unwrap();
        assert_eq!((least("/a/b"), least("/a"), least("/")), (Some(2), Some(2), Some(u32::MAX)));
        set("a/b", "100000 100000\n").unwrap();
        assert_eq!((least("/a/b"), least("/a")), (Some(1), Some(2)));
        set("a", "nonsense\n").unwrap();
        assert_eq!(least("/a/b"), None);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn quota_of_this_process_is_not_more_than_what_std_counts_or_none() {
        let count = std::thread::available_parallelism().unwrap().get();
        assert!(granted().is_none_or(|granted| granted == u32::MAX || granted as usize >= count));
    }
}
