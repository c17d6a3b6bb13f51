//! The tests for this crate's deliberate mistakes, at the places where the rules are kept. No
//! mistake exists outside the models.

/// Whether the running model has switched this mistake on. Constant false in every other build.
macro_rules! mutated {
    ($mutant:ident) => {{
        #[cfg(siftlock_model)]
        {
            $crate::mutant::is_on($crate::mutant::Mutant::$mutant)
        }
        #[cfg(not(siftlock_model))]
        {
            false
        }
    }};
}
pub(crate) use mutated;

/// This memory order, or Relaxed if the running model has switched the mistake `$mutant` on.
macro_rules! ordered {
    ($order:ident, unless $mutant:ident) => {
        if $crate::seam::mutated!($mutant) {
            siftlock_core::sync::Ordering::Relaxed
        } else {
            siftlock_core::sync::Ordering::$order
        }
    };
}
pub(crate) use ordered;
