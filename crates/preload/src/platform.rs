//! The system as the lock sees it: records, futexes, clocks and processors, without `std`.

use crate::lock::Lock;
use crate::registry::RECORDS;
use crate::thread::mine;
use crate::{end_of_thread, fence, futex, processors, system};
use libc::c_int;
use siftlock_core::platform::{Bias, Instant, Platform};
use siftlock_core::record::{Record, RecordId};
use siftlock_core::sync::AtomicU32;

/// The platform of preloaded locks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct System;

/// How long a nap takes, in nanoseconds: long enough for another thread to complete a few
/// instructions, and short for the thread that waits for them.
const NAP: u64 = 50_000;

// SAFETY: the table never frees a record and gives each live thread one of its own. A futex
// sleeps only while the word holds the value, and a wake that comes later finds the sleeper.
unsafe impl Platform for System {
    #[inline]
    fn prepare() {
        if mine().number.get() == 0 {
            end_of_thread::register();
        }
    }

    #[inline]
    fn current() -> &'static Record {
        let mine = mine();
        if mine.number.get() == 0 { end_of_thread::register() } else { mine.record_or_nobody() }
    }

    #[inline]
    fn current_or_nobody() -> &'static Record {
        mine().record_or_nobody()
    }

    #[inline]
    fn current_number() -> u32 {
        mine().number.get()
    }

    #[inline]
    fn record(id: RecordId) -> &'static Record {
        RECORDS.entry(id)
    }

    fn records() -> u32 {
        RECORDS.complete()
    }

    fn wait(_record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        futex::wait(word, seen, until);
    }

    fn wake(_record: &Record, word: &AtomicU32) {
        futex::wake(word, 1);
    }

    fn wake_all(word: &AtomicU32) {
        futex::wake(word, c_int::MAX);
    }

    #[inline]
    fn bias() -> Option<&'static Bias> {
        Some(fence::bias())
    }

    fn is_private(lock: *const ()) -> bool {
        // SAFETY: the core passes the address of the RwSem that asks, and each is a lock's.
        unsafe { Lock::around(lock) }.memory.is_private(lock)
    }

    #[inline]
    fn is_time_to_ask(weight: u32) -> bool {
        mine().countdown.is_over(weight)
    }

    fn ask_again_after(reads: u32) {
        if mine().number.get() != 0 {
            mine().countdown.begin(reads);
        }
    }

    fn heavy_fence() {
        fence::heavy_fence();
    }

    /// A real-time thread never yields to lower priorities, and may wait for a thread of lower
    /// priority. So it sleeps a little.
    fn yield_now() {
        if system::is_real_time() {
            Self::nap();
        } else {
            system::yield_now();
        }
    }

    /// If the realtime clock is set forward, a deadline of that clock may be over before its time
    /// on this clock. Then the answer is no earlier than that time.
    fn now() -> Instant {
        let (now, mine) = (system::now(), mine());
        match mine.is_over.get() {
            true => now.max(Instant::from_nanos(mine.realtime_ends.get())),
            false => now,
        }
    }

    const GIVES_WAY: bool = true;

    fn give_way() {
        if !system::is_real_time() {
            system::yield_now();
        }
    }

    fn may_spin() -> bool {
        processors::count() > 1
    }

    fn processors() -> u32 {
        processors::count()
    }

    fn processor_time(owner: &Record) -> Option<u64> {
        system::processor_time(owner.thread())
    }

    /// A real-time thread has the lock reserved at once.
    fn handoff_after(usual: u64) -> u64 {
        if system::is_real_time() { 0 } else { usual }
    }

    /// Sleeps on a word that no thread wakes, so that threads of lower priority run, too.
    fn nap() {
        futex::wait(&AtomicU32::new(0), 0, Some(system::now().after(NAP)));
    }

    /// Blocks all signals: programs read in a handler the lock whose call it interrupted, though
    /// POSIX forbids it.
    fn shield() -> u64 {
        system::block_signals()
    }

    fn unshield(shield: u64) {
        system::put_signals_back(shield);
    }
}
