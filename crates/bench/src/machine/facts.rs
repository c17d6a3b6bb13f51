//! The costs that decide how readers scale here, beside the facts that each run looks at.

use serde::Serialize;

#[cfg(target_os = "linux")]
use super::Membarrier;

/// Costs of this machine that an experiment may want to know.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Facts {
    /// The cost of the heavy fence; `None` where the system refuses it.
    #[cfg(target_os = "linux")]
    pub(crate) membarrier: Option<Membarrier>,
}

impl Facts {
    /// Measures the facts; takes some hundredths of a second.
    pub(crate) fn measure() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            membarrier: Membarrier::measure(),
        }
    }
}
