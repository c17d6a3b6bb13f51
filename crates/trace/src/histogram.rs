//! How often each length of time was seen: four classes for each power of two.
//!
//! A class is at most a quarter of its times wide, so a percentile is at most an eighth wrong. The
//! histograms of other crates would need a lock: here one thread counts while another reads.

use core::sync::atomic::{AtomicU64, Ordering};

const CLASSES_PER_OCTAVE: u32 = 4;
/// Up to 2^44 ticks: more than an hour.
const CLASSES: usize = 44 * CLASSES_PER_OCTAVE as usize;

/// Counts of times in ticks. One thread adds; any thread may read.
pub(crate) struct Histogram([AtomicU64; CLASSES]);

impl Histogram {
    pub(crate) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; CLASSES])
    }

    /// Counts the time `times` times.
    pub(crate) fn add(&self, ticks: u64, times: u64) {
        self.add_to(class_of(ticks), times);
    }

    fn add_to(&self, class: usize, count: u64) {
        let counted = &self.0[class];
        // Relaxed, here and below: each figure stands for itself, and one thread adds to it.
        counted.store(counted.load(Ordering::Relaxed).saturating_add(count), Ordering::Relaxed);
    }

    /// Adds the counts of another histogram.
    pub(crate) fn merge(&self, other: &Self) {
        for (class, count) in other.0.iter().enumerate() {
            match count.load(Ordering::Relaxed) {
                0 => {}
                count => self.add_to(class, count),
            }
        }
    }

    /// Forgets all counts.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    }

    /// The time that this share of the counted times does not exceed, in ticks; 0 if there is none.
    pub(crate) fn percentile(&self, share: f64) -> u64 {
        self.class_at(share).map_or(0, middle_of)
    }

    /// The mean of all but the longest hundredth, in ticks. The longest times are those of threads
    /// that lost their processor, which tell nothing about a call.
    pub(crate) fn usual(&self) -> f64 {
        let Some(last) = self.class_at(0.99) else { return 0.0 };
        let usual =
            self.0.iter().take(last + 1).map(|count| count.load(Ordering::Relaxed)).enumerate();
        let (sum, count) = usual.fold((0.0, 0), |(sum, all), (class, count)| {
            (sum + middle_of(class) as f64 * count as f64, all + count)
        });
        sum / count as f64
    }

    /// The class of the time that this share of the counted times does not exceed.
    fn class_at(&self, share: f64) -> Option<usize> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        let total: u64 = counts.clone().sum();
        let wanted = ((total as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        counts.enumerate().find_map(|(class, count)| {
            seen += count;
            (seen >= wanted).then_some(class)
        })
    }
}

fn class_of(ticks: u64) -> usize {
    if ticks < u64::from(CLASSES_PER_OCTAVE) {
        return ticks as usize;
    }
    let octave = ticks.ilog2();
    // The two bits after the first.
    let part = (ticks >> (octave - 2)) & 3;
    let class = (octave - 1) * CLASSES_PER_OCTAVE + part as u32;
    (class as usize).min(CLASSES - 1)
}

fn middle_of(class: usize) -> u64 {
    let class = class as u32;
    if class < CLASSES_PER_OCTAVE {
        return u64::from(class);
    }
    let octave = class / CLASSES_PER_OCTAVE + 1;
    let part = u64::from(class % CLASSES_PER_OCTAVE);
    let width = 1u64 << (octave - 2);
    (4 + part) * width + width / 2
}
