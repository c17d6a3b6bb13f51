//! Many samples as one or two figures.

/// The middle of the samples, the mean of the middle two if their number is even; `None` without
/// samples.
pub(crate) fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(lower.midpoint(upper))
}

/// How far the samples lie apart: half the way from the least to the greatest, over the median.
/// `None` with fewer than two samples, and where the median is 0.
pub(crate) fn spread(samples: &[f64]) -> Option<f64> {
    let middle = median(samples).filter(|&middle| middle != 0.0)?;
    let (least, greatest) = extremes(samples);
    (samples.len() > 1).then_some((greatest - least) / 2.0 / middle)
}

/// The least and the greatest of the samples; infinities without samples.
pub(crate) fn extremes(samples: &[f64]) -> (f64, f64) {
    let least = samples.iter().copied().fold(f64::INFINITY, f64::min);
    (least, samples.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// `value` over `base`, where both are known and `base` is not 0.
pub(crate) fn ratio(value: Option<f64>, base: Option<f64>) -> Option<f64> {
    Some(value? / base.filter(|&base| base != 0.0)?)
}

/// The least and the greatest of the counts over their mean; `None` where that is 0.
pub(crate) fn extremes_over_mean(counts: &[u64]) -> Option<(f64, f64)> {
    let (least, greatest) = (*counts.iter().min()?, *counts.iter().max()?);
    let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    (mean > 0.0).then_some((least as f64 / mean, greatest as f64 / mean))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_in_any_order() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn spread_is_half_the_range_over_the_median() {
        assert_eq!(spread(&[9.0, 10.0, 12.0]), Some(0.15));
        assert_eq!(spread(&[10.0]), None);
        assert_eq!(spread(&[0.0, 0.0]), None);
    }

    #[test]
    fn extremes_compare_threads_with_their_mean() {
        assert_eq!(extremes_over_mean(&[1, 2, 3]), Some((0.5, 1.5)));
        assert_eq!(extremes_over_mean(&[0, 0]), None);
        assert_eq!(extremes_over_mean(&[]), None);
    }
}
