//! When a thread ends, it gives its record back, unless the record still stands for reads.
//!
//! glibc calls the destructor of a key's value when a thread ends, after the destructors of
//! thread-local variables. A later destructor of another key may use a lock; the thread then
//! registers once more.

use crate::registry::{self, RECORDS};
use crate::system;
use crate::thread::mine;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};
use libc::pthread_key_t;
use siftlock_core::record::Record;

/// The key, plus one; 0 = none yet.
static KEY: AtomicU64 = AtomicU64::new(0);

/// glibc keeps the values of this many keys in the thread's descriptor. For other keys it
/// allocates.
const LIGHT: u64 = 32;

/// Gives the calling thread a record.
#[cold]
#[inline(never)]
pub(crate) fn register() -> &'static Record {
    without_handlers(|| {
        let mine = mine();
        // A handler may have registered the thread just before.
        if !mine.is_known() {
            let record = registry::take();
            record.set_thread(system::thread_number());
            mine.take(record);
            call_at_end();
        }
        mine.record_or_nobody()
    })
}

/// Changes the thread's words as one step for handlers, which may use locks.
fn without_handlers<T>(change: impl FnOnce() -> T) -> T {
    let signals = system::block_signals();
    let changed = change();
    system::put_signals_back(signals);
    changed
}

/// Makes the key early, while glibc still has light keys.
pub(crate) fn prepare() {
    key();
}

/// Has glibc call [`unregister`] when the calling thread ends. Without a light key, records are not
/// used again: that leaks 256 bytes a thread, and does no other harm.
fn call_at_end() {
    if let Some(key) = key() {
        // SAFETY: the key is valid for ever. Its value is not null and is not read.
        unsafe { libc::pthread_setspecific(key, ptr::dangling::<c_void>()) };
    }
}

fn key() -> Option<pthread_key_t> {
    // Relaxed, here and below: a key is a number, and publishes nothing.
    let key = match KEY.load(Ordering::Relaxed) {
        0 => make()?,
        key => key,
    };
    (key <= LIGHT).then_some((key - 1) as pthread_key_t)
}

fn make() -> Option<u64> {
    let mut key = 0;
    // SAFETY: a place for the new key. The destructor takes any value.
    if unsafe { libc::pthread_key_create(&mut key, Some(unregister)) } != 0 {
        return None;
    }
    let (made, order) = (u64::from(key) + 1, Ordering::Relaxed);
    match KEY.compare_exchange(0, made, order, order) {
        Ok(_) => Some(made),
        Err(theirs) => {
            // SAFETY: another thread was faster; nobody has seen our key.
            unsafe { libc::pthread_key_delete(key) };
            Some(theirs)
        }
    }
}

unsafe extern "C" fn unregister(_: *mut c_void) {
    without_handlers(|| {
        let mine = mine();
        if !mine.is_known() {
            return;
        }
        let record = mine.record_or_nobody();
        if record.is_in_use() {
            // A later destructor may unlock. After glibc's last round of destructors the record
            // keeps its reads, which another thread may still unlock.
            return call_at_end();
        }
        mine.forget();
        RECORDS.give_back(record.id());
    });
}
