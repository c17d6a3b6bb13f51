//! A little disorder. Without it two threads in lockstep can starve a third for ever, which no real
//! machine does.
//!
//! Runs for exact counts have no seed, and so no disorder.

use crate::machine::Cycles;

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Noise(Option<fastrand::Rng>);

impl Noise {
    /// Disorder from this seed; none without a seed.
    pub(crate) fn new(seed: Option<u64>) -> Self {
        Self(seed.map(fastrand::Rng::with_seed))
    }

    /// `cycles`, give or take up to a tenth.
    pub(crate) fn about(&mut self, cycles: Cycles) -> Cycles {
        let span = cycles / 5;
        match &mut self.0 {
            Some(rng) => cycles - span / 2 + rng.u64(0..=span),
            None => cycles,
        }
    }

    /// A time between 0 and twice `cycles`, `cycles` on average.
    pub(crate) fn around(&mut self, cycles: Cycles) -> Cycles {
        match &mut self.0 {
            Some(rng) => rng.u64(0..=2 * cycles),
            None => cycles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_stays_in_its_bounds() {
        let mut noise = Noise::new(Some(1));
        let about: Vec<Cycles> = (0..1_000).map(|_| noise.about(100)).collect();
        assert_eq!((about.iter().min(), about.iter().max()), (Some(&90), Some(&110)));
        let around: Vec<Cycles> = (0..1_000).map(|_| noise.around(10)).collect();
        assert_eq!((around.iter().min(), around.iter().max()), (Some(&0), Some(&20)));
    }

    #[test]
    fn noise_without_a_seed_is_none() {
        let mut noise = Noise::new(None);
        assert_eq!((noise.about(100), noise.around(10)), (100, 10));
    }
}
