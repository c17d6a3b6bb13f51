//! A little disorder: without it two threads in lockstep can starve a third for ever, as no machine does.
//!
//! For counts there is none, and then every run of a scene is the same, whatever its seed.

use crate::machine::Cycles;

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Noise(Option<fastrand::Rng>);

impl Noise {
    /// By this seed; without one, none.
    pub(crate) fn new(seed: Option<u64>) -> Self {
        Self(seed.map(fastrand::Rng::with_seed))
    }

    /// So long, a tenth more or less.
    pub(crate) fn about(&mut self, cycles: Cycles) -> Cycles {
        let span = cycles / 5;
        match &mut self.0 {
            Some(rng) => cycles - span / 2 + rng.u64(0..=span),
            None => cycles,
        }
    }

    /// So long on average, from nothing to twice as long.
    pub(crate) fn around(&mut self, cycles: Cycles) -> Cycles {
        match &mut self.0 {
            Some(rng) => rng.u64(0..=2 * cycles),
            None => cycles,
        }
    }
}
