//! This crate's own deliberate mistakes, asked for where a rule is kept. None of it exists outside
//! the models.

/// True where the running model has switched this mistake on; constant false in every other build.
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

/// This memory order; none at all where the running model has switched that mistake on.
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
