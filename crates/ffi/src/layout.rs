//! The check of what the header promises about a lock's memory.

/// Whether these bytes, an unlocked lock's, are all zero: the header's initializers are zeros.
pub(crate) const fn is_zeroed<const N: usize>(bytes: [u8; N]) -> bool {
    let mut i = 0;
    while i < N {
        if bytes[i] != 0 {
            return false;
        }
        i += 1;
    }
    true
}
