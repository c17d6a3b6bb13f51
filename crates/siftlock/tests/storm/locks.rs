//! The two locks, each with a hundred words that are always alike.

use crate::station::{fail, here};
use siftlock::context::{Context, Irq, NonPreemptible, SoftIrq, Thread};
use siftlock::platform::{Native, Strict};
use siftlock_core::platform::{Platform, Raised};
use siftlock_core::psrw::{PsRwLock, Readers, Reads, Writes, policy::Standard};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

pub(crate) struct Guarded<P, W, R> {
    lock: PsRwLock<R, W, Standard, P>,
    words: [AtomicU64; 100],
    /// The lock's place in the stations' counts.
    place: usize,
}

/// Read in every class.
pub(crate) type Low<B> = Guarded<B, Thread, (Thread, NonPreemptible, SoftIrq, Irq)>;
/// Written in handlers too.
pub(crate) type High<B> = Guarded<B, SoftIrq, (SoftIrq, Irq)>;

/// The platform that masks the signals.
pub(crate) trait Base: Platform {
    fn low() -> &'static Low<Self>;
    fn high() -> &'static High<Self>;
}

macro_rules! base {
    ($($base:ty)*) => {$(
        impl Base for $base {
            fn low() -> &'static Low<Self> {
                static LOW: Low<$base> = Guarded::new(0);
                &LOW
            }
            fn high() -> &'static High<Self> {
                static HIGH: High<$base> = Guarded::new(1);
                &HIGH
            }
        }
    )*};
}
base!(Native Strict);

/// How to ask for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Wait,
    Try,
    /// For so many nanoseconds.
    Timed(u64),
}

impl<P: Platform, W: Writes<R>, R: Readers> Guarded<P, W, R> {
    const fn new(place: usize) -> Self {
        Self { lock: PsRwLock::new(), words: [const { AtomicU64::new(0) }; 100], place }
    }

    /// Reads, and calls `inside` with the lock held. Returns whether it came to that.
    pub(crate) fn read<C: Reads<R>>(&self, at: C, how: How, inside: impl FnOnce()) -> bool {
        let taken: Option<Raised> = match how {
            How::Wait => Some(self.lock.read(at)),
            How::Try => self.lock.try_read(at),
            How::Timed(nanos) => self.lock.read_until(at, Some(P::now().after(nanos))).ok(),
        };
        let Some(raised) = taken else { return false };
        let region = || {
            self.check();
            inside();
            self.check();
        };
        match C::CLASS as u8 {
            0 => region(),
            _ => here().inside(C::CLASS, region),
        }
        // SAFETY: taken above.
        unsafe { self.lock.read_unlock(at, raised) };
        here().reads.fetch_add(1, Ordering::SeqCst);
        true
    }

    /// Writes, and calls `inside` with the lock held. Returns whether it came to that.
    pub(crate) fn write(&self, at: W, how: How, inside: impl FnOnce()) -> bool {
        let taken: Option<Raised> = match how {
            How::Wait => Some(self.lock.write(at)),
            How::Try => self.lock.try_write(at),
            How::Timed(nanos) => self.lock.write_until(at, Some(P::now().after(nanos))).ok(),
        };
        let Some(raised) = taken else { return false };
        here().inside(Irq::CLASS, || {
            let next = self.check() + 1;
            let (first, last) = self.words.split_at(50);
            first.iter().for_each(|word| word.store(next, Ordering::Relaxed));
            inside();
            last.iter().for_each(|word| word.store(next, Ordering::Relaxed));
        });
        // SAFETY: taken above.
        unsafe { self.lock.write_unlock(at, raised) };
        here().writes[self.place].fetch_add(1, Ordering::SeqCst);
        true
    }

    fn check(&self) -> u64 {
        let first = self.words[0].load(Ordering::Relaxed);
        if self.words.iter().any(|word| word.load(Ordering::Relaxed) != first) {
            fail("torn", first as i64);
        }
        first
    }

    /// Nobody uses the lock. Returns how often it was written.
    pub(crate) fn at_rest(&self) -> u64 {
        if cfg!(target_pointer_width = "64") {
            let words = std::ptr::from_ref(&self.lock).cast::<[AtomicUsize; 2]>();
            assert_eq!(size_of_val(&self.lock), 16);
            // SAFETY: the lock is two words, both atomics.
            let words = unsafe { &*words }.each_ref().map(|word| word.load(Ordering::SeqCst));
            assert_eq!(words, [0; 2], "lock {} is not at rest", self.place);
        }
        assert!(!self.lock.is_locked());
        self.check()
    }
}
