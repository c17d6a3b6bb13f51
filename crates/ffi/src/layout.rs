//! The check of what the header promises about a lock's memory.

/// Asserts that a `$lock` lies in `$words`, and that zeroed words are an `$unlocked` lock.
macro_rules! assert_layout {
    ($lock:ty, $unlocked:expr, $words:ty) => {
        const _: () = assert!(size_of::<$lock>() <= size_of::<$words>());
        const _: () = assert!(align_of::<$lock>() <= align_of::<$words>());
        // Elsewhere a lock has padding, which must not be looked at.
        #[cfg(target_pointer_width = "64")]
        const _: () = {
            // SAFETY: a lock consists of atomics, without padding between them.
            let bytes: [u8; size_of::<$lock>()] = unsafe { std::mem::transmute($unlocked) };
            let mut i = 0;
            while i < bytes.len() {
                assert!(bytes[i] == 0);
                i += 1;
            }
        };
    };
}

pub(crate) use assert_layout;
