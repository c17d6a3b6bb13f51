//! The parts that the tests share.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_macros,
    reason = "each test file uses a part of it"
)]

mod all_at_once;
mod words;

pub use self::all_at_once::{all_at_once, leave_and_destroy};
pub use self::words::Words;

use siftlock::{RawRwSem, lock_api, policy::Standard};
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::{Local, ReadBias};
use std::io::Write as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
pub use siftlock::platform::Linux;
pub use siftlock::platform::{Native, Portable};
pub use siftlock_core::platform::Platform;

/// The lock with a value, on platform `P`, with policy `L`.
pub type Lock<T, P = Native, L = Standard> = lock_api::RwLock<RawRwSem<L, P>, T>;

/// Switches its read bias on whenever it can, in the asymmetric form.
pub struct Eager;

impl Policy for Eager {
    type Guards = Local;
    const READ_BIAS: ReadBias = ReadBias::Asymmetric;
    const BIAS_PAUSE: u64 = 0;
}

/// Switches its read bias on whenever it can, in the symmetric form.
pub struct EagerSymmetric;

impl Policy for EagerSymmetric {
    type Guards = Local;
    const READ_BIAS: ReadBias = ReadBias::Symmetric;
}

/// [`Eager`], and reads know that they nest.
pub struct EagerNoted;

impl Policy for EagerNoted {
    type Guards = Local;
    const READ_BIAS: ReadBias = ReadBias::Asymmetric;
    const BIAS_PAUSE: u64 = 0;
    const NOTE_READS: bool = true;
}

/// Whether a read of this thread is by slot.
pub fn is_read_by_slot<L: Policy, P: Platform>(lock: &RawRwSem<L, P>) -> bool {
    use lock_api::RawRwLock as _;
    let token = lock.lock_shared();
    let by_slot = token.is_slot();
    // SAFETY: just taken.
    unsafe { lock.unlock_shared(token) };
    by_slot
}

/// Long enough for a thread to fall asleep, as a rule. No test fails if it does not.
pub const A_WHILE: Duration = Duration::from_millis(15);

/// A time-out that passes.
pub const SHORT: Duration = Duration::from_millis(20);

/// A time-out that does not pass in a test.
pub const LONG: Duration = Duration::from_secs(3600);

/// Makes tests of generic functions: one on each platform.
macro_rules! on_each_platform {
    ($($test:ident),* $(,)?) => {
        #[cfg(target_os = "linux")]
        mod linux {
            $(#[test] fn $test() { $crate::support::finishes(super::$test::<$crate::support::Linux>); })*
        }
        mod portable {
            $(#[test] fn $test() { $crate::support::finishes(super::$test::<$crate::support::Portable>); })*
        }
    };
}
pub(crate) use on_each_platform;

/// The methods of a platform in front of [`Linux`] whose clock shows the value of `$now`, and under
/// which nobody waits awake.
macro_rules! clock_by_hand {
    ($now:ident) => {
        fn now() -> siftlock_core::platform::Instant {
            siftlock_core::platform::Instant::from_nanos(
                $now.load(std::sync::atomic::Ordering::Relaxed),
            )
        }

        fn yield_now() {
            $crate::support::Linux::yield_now();
        }

        fn may_spin() -> bool {
            false
        }
    };
}
pub(crate) use clock_by_hand;

/// Runs `test`, and ends the process if it hangs. A lost wake-up should be a failure, not a run
/// that a person has to stop.
pub fn finishes(test: impl FnOnce() + Send + 'static) {
    let hangs_after = Duration::from_secs(100) * slowness();
    let name = thread::current().name().unwrap_or("test").to_owned();
    let (done, finished) = mpsc::channel();
    let running = thread::Builder::new().name(name.clone()).spawn(move || {
        test();
        done.send(()).expect("the test waits for us");
    });
    let running = running.expect("a thread for the test");
    if finished.recv_timeout(hangs_after) == Err(mpsc::RecvTimeoutError::Timeout) {
        eprintln!("{name} hangs");
        std::process::abort();
    }
    if let Err(panic) = running.join() {
        std::panic::resume_unwind(panic);
    }
}

/// How many times slower than a usual machine this one is: for emulators and sanitizers.
pub fn slowness() -> u32 {
    std::env::var("SIFTLOCK_TEST_SLOWNESS").map_or(1, |times| times.parse().expect("a number"))
}

/// Prints a line that is seen also when the test passes.
pub fn say(what: &str) {
    let name = thread::current().name().unwrap_or("test").to_owned();
    // Not `eprintln`, which the test runner keeps to itself.
    let _ = writeln!(std::io::stderr(), "{name}: {what}");
}

/// Waits until `what` is true.
pub fn until(mut what: impl FnMut() -> bool) {
    while !what() {
        thread::sleep(Duration::from_micros(200));
    }
}

/// Waits until a thread waits for `lock`, which readers have.
pub fn until_somebody_waits<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) {
    until(|| lock.try_read().is_none());
}

/// The lock's words: nobody holds it, waits for it or spins on it. Only while no other thread
/// uses it.
#[track_caller]
pub fn assert_at_rest<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) {
    let [count, owner_and_spinners, waiters] = words(lock);
    assert_eq!((count, owner_and_spinners >> 32, waiters), (0, 0, 0), "count, spinners, waiters");
    assert!(!lock.is_locked() && lock.try_write().is_some());
}

/// The words of the lock as they are at this moment: count, owner and spinners, waiters.
#[cfg(target_endian = "little")]
pub fn words<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) -> [u64; 3] {
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
    // SAFETY: the raw lock is only looked at.
    let raw: *const RawRwSem<L, P> = unsafe { lock.raw() };
    // SAFETY: the lock is two words of 64 bits and one as wide as a pointer, all of them atomics.
    let (words, waiters) =
        unsafe { (&*raw.cast::<[AtomicU64; 2]>(), &*raw.byte_add(16).cast::<AtomicUsize>()) };
    let [count, owner] = words.each_ref().map(|word| word.load(Ordering::SeqCst));
    [count, owner, waiters.load(Ordering::SeqCst) as u64]
}

/// Whether a thread waits for the lock.
pub fn is_awaited<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) -> bool {
    words(lock)[0] >> 32 != 0
}

/// Whether the lock is reserved for the first waiter.
pub fn is_reserved<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) -> bool {
    const HANDOFF: u64 = 1 << 2;
    words(lock)[0] & HANDOFF != 0
}

/// Whether the lock has a first waiter that was beaten: each pass of that waiter counts.
pub fn is_beaten<T, P: Platform, L: Policy>(lock: &Lock<T, P, L>) -> bool {
    const HEAD_BEATEN: u64 = 1 << 5;
    words(lock)[0] & HEAD_BEATEN != 0
}

/// Whether [`words`] shows the lock's words.
pub const SEES_WORDS: bool = cfg!(target_endian = "little");

/// Elsewhere the words are not looked at.
#[cfg(not(target_endian = "little"))]
pub fn words<T, P: Platform, L: Policy>(_lock: &Lock<T, P, L>) -> [u64; 3] {
    [0; 3]
}

/// A moment `ago` in the past, or the earliest there is.
pub fn past(ago: Duration) -> Instant {
    let now = Instant::now();
    now.checked_sub(ago).unwrap_or(now)
}

/// A generator of numbers that are random enough to mix operations.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`.
    pub fn roll(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % n
    }
}
