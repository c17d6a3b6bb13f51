//! Functions whose machine code the test looks at. The test compiles them as users compile a
//! release. They are `C-unwind`, since the plain C ABI adds a landing pad for panics of the slow
//! path.

use siftlock::context::NonPreemptible;
use siftlock::lock_api::RawRwLock as _;
use siftlock::policy::Counted;
use siftlock::{PsRwLock, RawRwSem, RwSem, lock_api};

/// Try-read of the lock without data, with every reader counted.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn probe_raw_try_read(lock: &RawRwSem<Counted>) -> bool {
    lock.try_lock_shared().is_some()
}

/// Try-read as users call it.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn probe_try_read(
    lock: &lock_api::RwLock<RawRwSem<Counted>, [u64; 4]>,
) -> bool {
    lock.try_read().map(std::mem::forget).is_some()
}

/// A read from beginning to end, by slot or counted.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn probe_read(lock: &RwSem<[u64; 4]>) -> u64 {
    first(lock)
}

/// A read, in code that knows neither its type nor how often it is called.
fn first<T: Copy>(lock: &RwSem<[T; 4]>) -> T {
    lock.read()[0]
}

/// A lock of the usual shape, or with another class of readers beside threads.
type Ps<R = (siftlock::context::Thread, siftlock::context::Irq)> = PsRwLock<[u64; 4], R>;

/// A thread's read from beginning to end.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn probe_psrw_read(lock: &Ps) -> u64 {
    lock.read()[0]
}

/// A read above Thread from beginning to end.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn probe_psrw_read_awake(lock: &Ps<NonPreemptible>) -> u64 {
    lock.read_at(NonPreemptible)[0]
}

/// A write from beginning to end.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn probe_psrw_write(lock: &Ps) {
    lock.write()[0] = 1;
}

/// A write that excludes handlers, without a lock: raise, write and lower.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn probe_masked(counter: &mut u64) {
    let masked = siftlock::context::Masked::<siftlock::context::Irq>::new();
    *counter += 1;
    drop(masked);
}
