//! How long a thread keeps contexts out.

use super::delay::Delay;

/// How long a thread kept a class of contexts out, in cycles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Masked {
    /// How often, the time after the run's end included.
    pub(super) times: u64,
    /// How long each time lasted; the run's end cuts it short.
    pub(super) lasted: Delay,
    since: u64,
}

/// The class of threads, and the classes that a thread can keep out.
pub(super) const CLASSES: usize = 4;

/// The times of all classes, after a thread changes the highest class that it keeps out from
/// `before` to `after`.
pub(super) fn changed(
    mut all: [Masked; CLASSES],
    [before, after]: [u8; 2],
    now: u64,
    end: u64,
) -> [Masked; CLASSES] {
    let classes = before.min(after) as usize + 1..before.max(after) as usize + 1;
    for masked in &mut all[classes] {
        if before < after {
            masked.since = now;
        } else {
            masked.times += 1;
            masked.lasted.add(masked.since, now, end);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masked_classes_are_those_between_both_levels() {
        let raised = changed(Default::default(), [0, 3], 10, 1_000);
        let some = changed(raised, [3, 1], 30, 1_000);
        let all = changed(some, [1, 0], 40, 1_000);
        let lasted = all.map(|it| (it.times, it.lasted.total));
        assert_eq!(lasted, [(0, 0), (1, 30), (1, 20), (1, 20)]);
    }

    #[test]
    fn masked_time_that_the_end_cut_is_counted_and_kept_apart() {
        let raised = changed(Default::default(), [0, 1], 900, 1_000);
        let [_, it, ..] = changed(raised, [1, 0], 2_000, 1_000);
        assert_eq!((it.times, it.lasted.number, it.lasted.cut), (1, 0, 100));
    }
}
