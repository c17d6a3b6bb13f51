//! The end of a thread: its counts go to the locks' records.
//!
//! glibc calls the destructor of a key's value when a thread ends. A later destructor of another
//! key may use a lock; the thread then registers once more.

use crate::registry;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

/// The key, plus one; 0 = none.
static KEY: AtomicU64 = AtomicU64::new(0);

/// How many values glibc keeps in the thread's own descriptor. For more it calls the program's
/// allocator.
const LIGHT: u64 = 32;

/// Makes the key early, while small numbers are left.
pub(crate) fn prepare() {
    let mut key = 0;
    // Relaxed, here and below: a key is a number, and publishes nothing.
    if KEY.load(Ordering::Relaxed) != 0 {
        return;
    }
    // SAFETY: a place for the new key. The destructor takes any value.
    if unsafe { libc::pthread_key_create(&mut key, Some(unregister)) } != 0 {
        return;
    }
    let order = Ordering::Relaxed;
    if KEY.compare_exchange(0, u64::from(key) + 1, order, order).is_err() {
        // SAFETY: another thread was faster; nobody has seen this key.
        unsafe { libc::pthread_key_delete(key) };
    }
}

/// Whether the library got a small number.
pub(crate) fn can_be_noticed() -> bool {
    (1..=LIGHT).contains(&KEY.load(Ordering::Relaxed))
}

/// Asks glibc to report the calling thread's end. If the answer is `false`, the library must not
/// measure the thread.
pub(crate) fn is_noticed() -> bool {
    let key = KEY.load(Ordering::Relaxed);
    // SAFETY: the key is valid for ever. Its value is never read; only a value that is not null
    // has its destructor called.
    can_be_noticed()
        && unsafe { libc::pthread_setspecific((key - 1) as u32, ptr::dangling::<c_void>()) == 0 }
}

unsafe extern "C" fn unregister(_: *mut c_void) {
    registry::unregister();
}
