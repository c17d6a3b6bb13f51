//! What the header says of a lock's memory is so.

/// Whether an unlocked lock is zeroed memory, as the header's initializers have it.
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
