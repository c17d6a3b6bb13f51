//! The seam to the embedder: the facts about threads, sleep, processors and time that only the
//! embedder knows.
//!
//! A platform is a zero-sized type with static methods, and a type parameter of each lock. So no
//! call goes through a pointer, and a lock holds no word for its platform. The `siftlock` crate has
//! two platforms (Linux futexes; `std` parking for other systems). Each model has one, and a kernel
//! module can bring its own.

mod countdown;
mod forward;
mod initial_exec;
mod level;

pub use self::countdown::Countdown;
pub(crate) use self::level::may_wait;
pub use self::level::{Class, Raised};
pub use crate::record::{Bias, Instant};
use crate::record::{Record, RecordId};
use crate::sync::AtomicU32;
use core::fmt;

/// What the protocols ask of their embedder.
///
/// # Safety
/// The protocols find records by bare ids and block on words in them. So the implementation
/// promises:
/// * A record that [`current`](Platform::current) or [`record`](Platform::record) returns is never
///   freed. Its id may be used again once its thread has ended, unless the record is still [in
///   use](Record::is_in_use).
/// * No two live threads have the same record at the same time.
/// * [`current_or_nobody`](Platform::current_or_nobody) returns the calling thread's record, or a
///   record that neither `current` nor `record` ever returns. The caller may write a free slot of
///   it.
/// * [`record`](Platform::record) finds the record of an id that came by a relaxed step. The steps
///   that made the record may not be visible yet.
/// * [`wake`](Platform::wake) for a word ends a [`wait`](Platform::wait) on it that has begun. A
///   wait that begins later looks at the word.
///
/// A platform with a [`bias`](Platform::bias) also promises:
/// * Once there is a bias, it is always the same one.
/// * [`wake_all`](Platform::wake_all) ends every wait on its word.
/// * [`heavy_fence`](Platform::heavy_fence) orders as documented once it has
///   [begun](Bias::begin_heavy_fence), and still does after it has ended.
/// * A record belongs to no platform with another bias.
/// * Ids are given out from 1 on, so [`record`](Platform::record) finds the record of every smaller
///   id as well.
///
/// # What a platform must not do
/// During nearly all of its time a lock call holds a part of its lock: a share, a place in the
/// queue, the list lock. The code behind a blocking request may wait for this very lock. So no
/// method may
/// * take a lock that code outside the platform can hold,
/// * allocate by the program's allocator,
/// * load, open or read a file,
/// * be a cancellation point,
/// * change state that the caller can see (`errno`).
///
/// There are two exceptions. [`wait`](Platform::wait) blocks. [`prepare`](Platform::prepare) is
/// called while the thread holds nothing, and does what the thread's first call needs.
///
/// # In interrupting contexts
/// A handler that reads a [`psrw`](crate::psrw) lock calls `raise`, `restore`, `level`, `may_spin`,
/// `now` and `nap`, and no other method. These must neither take a lock nor allocate, even in their
/// first call.
///
/// # A platform in front of another
/// A platform may change a few answers of another one, to count sleeps for example. The macro
/// `forward_platform!` then writes the other methods, by groups: `records` (`prepare`, `current`,
/// `current_or_nobody`, `current_number`, `record`, `records`), `sleep` (`wait`), `wake` (`wake`,
/// `wake_all`), `bias` (`bias`, `is_private`, `is_time_to_ask`, `ask_again_after`, `heavy_fence`),
/// `time` (`now`, `handoff_after`), `processors` (`yield_now`, `GIVES_WAY`, `give_way`, `may_spin`,
/// `processors`, `may_spin_on`, `processor_time`, `nap`), `masking` (`raise`, `restore`, `shield`,
/// `unshield`) and `level` (`level`, `misused`).
///
/// ```
/// use siftlock_core::forward_platform;
/// use siftlock_core::platform::{Instant, Platform};
/// use siftlock_core::sync::AtomicU32;
/// use siftlock_core::record::Record;
/// use std::marker::PhantomData;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// static SLEEPS: AtomicUsize = AtomicUsize::new(0);
///
/// struct Counted<P>(PhantomData<P>);
///
/// // SAFETY: all is `P`'s.
/// unsafe impl<P: Platform> Platform for Counted<P> {
///     forward_platform!(P: records, wake, time, processors, masking, level);
///
///     fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
///         SLEEPS.fetch_add(1, Ordering::Relaxed);
///         P::wait(record, word, seen, until);
///     }
/// }
/// ```
pub unsafe trait Platform: Sized + 'static {
    /// Prepares the calling thread, which is about to take a lock and holds nothing of it yet. The
    /// platform does here what it must not do while the thread holds a part of the lock. For
    /// example, it gives the thread its record.
    ///
    /// The fast paths call this, so it should be one look at a word of the thread. A call may leave
    /// it out where [`current_number`](Platform::current_number) is not 0: such a thread counts as
    /// prepared.
    #[inline]
    fn prepare() {}

    /// The calling thread's record. The thread's first call makes it.
    fn current() -> &'static Record;

    /// The calling thread's record. A thread that has none yet gets a record that belongs to no
    /// thread, the same for all.
    ///
    /// The fast path of readers calls this, so it should be one load where the platform can do
    /// that. A record that was never [`current`](Platform::current) shows no free slot at first, so
    /// the fast path need not know which record it got. Unlocks call this too. A platform that must
    /// not make a record in an unlock returns the record of no thread there.
    #[inline]
    fn current_or_nobody() -> &'static Record {
        Self::current()
    }

    /// The id of the calling thread's [`current`](Platform::current) record as a number, or 0 if
    /// the thread has none yet. A writer knows its own name by this number.
    ///
    /// The fast path of writers calls this, so it should be one load where the platform can do
    /// that.
    #[inline]
    fn current_number() -> u32 {
        Self::current().id().get()
    }

    /// The record with this id. Ids come only from [`current`](Platform::current).
    fn record(id: RecordId) -> &'static Record;

    /// The number of records: each id from 1 to this number has one, as
    /// [`Table::complete`](crate::record::Table::complete) counts them. The default is 0: not
    /// known.
    ///
    /// A call that looks through the marks of all threads asks this. One such call ends a lock with
    /// a leaked guard, if its readers [note](crate::rwsem::Policy::NOTE_READS) it. Where the number
    /// is not known, such a note may outlive its read. Then its thread passes writers more often
    /// than it needs to.
    #[inline]
    fn records() -> u32 {
        0
    }

    /// Blocks the calling thread while `word`, which is in `record`, holds `seen`, at most until
    /// `until`. May return early.
    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>);

    /// Ends the [`wait`](Platform::wait) on `word`, which is in `record`, after its value was
    /// changed. Called once for each sleep, since a caller has to find a thread waiting first.
    fn wake(record: &Record, word: &AtomicU32);

    /// Ends all [`wait`](Platform::wait)s on `word`, after its value was changed. Several threads
    /// may wait on it. `word` is in the calling thread's record, or in the record of a thread whose
    /// read the caller [unlocks](crate::rwsem::RwSem::unlock_found).
    ///
    /// # Panics
    /// May panic if there is no [`bias`](Platform::bias).
    fn wake_all(_word: &AtomicU32) {
        unreachable!("a platform with a bias wakes all that wait on a word");
    }

    /// The data that reads by slot need. With them, readers of a lock that is mostly read share no
    /// cache line. The fast paths do not call this. The default is `None`: all readers are counted.
    #[inline]
    fn bias() -> Option<&'static Bias> {
        None
    }

    /// Whether no other process can reach the lock at this address. Another process could not see
    /// the slots of the lock's readers. A reader that is inside asks this from time to time.
    #[inline]
    fn is_private(_lock: *const ()) -> bool {
        true
    }

    /// Counts a read of the calling thread as `weight` reads, and returns whether the thread asks
    /// now whether a bias would pay. That is so after as many reads as
    /// [`ask_again_after`](Platform::ask_again_after) said, and for a thread that was told no
    /// number yet. It stays so until `ask_again_after` says the next number.
    ///
    /// For a thread whose [`current_number`](Platform::current_number) is 0 the answer is true: a
    /// thread for which it is false counts as prepared. Each read that makes an atomic step calls
    /// this, so it should be a few instructions on a word of the thread. See [`Countdown`].
    #[inline]
    fn is_time_to_ask(_weight: u32) -> bool {
        Self::current_number() == 0
    }

    /// Makes the calling thread ask again after this many reads, if it is prepared.
    fn ask_again_after(_reads: u32) {}

    /// Makes a full fence in the caller and in every thread that runs.
    ///
    /// It pairs with a point in another thread at which only the compiler keeps order. At least one
    /// of two things holds. After this call, the caller sees all that the other thread stored
    /// before that point. Or after that point, the other thread sees all that the caller stored
    /// before this call.
    ///
    /// # Panics
    /// May panic if no heavy fence has [begun](Bias::begin_heavy_fence).
    fn heavy_fence() {
        unreachable!("a platform that says so has a heavy fence");
    }

    /// Lets another thread run. The thread that the caller waits for needs a processor.
    fn yield_now();

    /// Whether threads [give way](Platform::give_way) here.
    const GIVES_WAY: bool = false;

    /// Gives up the processor of the calling thread, which would otherwise overtake a waiter that
    /// was called. Systems often put a thread that wakes on its caller's processor. There it waits
    /// for the rest of a time slice, though other processors are idle.
    ///
    /// The caller holds nothing of its lock. This is no sleep: a thread goes on at once if no other
    /// thread waits for its processor, or if it is a real-time thread. The default does nothing. It
    /// suits a platform whose threads find an idle processor by themselves.
    fn give_way() {}

    /// Monotonic time.
    fn now() -> Instant;

    /// Whether two threads can run at once. If not, a spin only delays the awaited thread.
    fn may_spin() -> bool;

    /// How many threads can run at once. The default is no limit: nothing is known.
    #[inline]
    fn processors() -> u32 {
        u32::MAX
    }

    /// Whether the thread of `owner` may be running now, on a processor other than the caller's.
    /// The default is true: nothing is known. Spins are bounded in any case.
    #[inline]
    fn may_spin_on(_owner: &Record) -> bool {
        true
    }

    /// The processor time that the thread of `owner` has used, in nanoseconds. The number grows
    /// while that thread runs, and stands still while it does not. The default is `None`: not
    /// known. Only threads that have waited awake for a microsecond or more ask this, so it may be
    /// a system call.
    #[inline]
    fn processor_time(_owner: &Record) -> Option<u64> {
        None
    }

    /// How long, in nanoseconds, the calling thread waits at the head of a queue before it has the
    /// lock reserved for itself. `usual` is the lock's own policy; 0 suits a real-time thread.
    #[inline]
    fn handoff_after(usual: u64) -> u64 {
        usual
    }

    /// Gives the processor up for a moment, to threads of lower priority as well. The thread that
    /// the caller waits for may need this very processor. Every context calls this, so it has to be
    /// async-signal-safe.
    #[inline]
    fn nap() {
        Self::yield_now();
    }

    /// Keeps handlers that take the same lock from interrupting the calling thread, until it calls
    /// [`unshield`](Platform::unshield) with the answer.
    ///
    /// The thread is about to take the list lock of a queue, for some instructions. Or it is a
    /// writer that waits for readers in slots, perhaps asleep. The default does nothing. It suits a
    /// platform whose handlers take no such lock.
    #[inline]
    fn shield() -> u64 {
        0
    }

    /// Lets handlers interrupt the calling thread again. The argument is the answer of
    /// [`shield`](Platform::shield).
    #[inline]
    fn unshield(_shield: u64) {}

    /// Keeps contexts of class `to` and below from interrupting the calling thread, until
    /// [`restore`](Platform::restore). `held` stands for what this owner has raised already, to
    /// `to` or lower. The answer stands for both. Raises of several owners may end in any order.
    ///
    /// The default does nothing. It suits a platform on which no context that uses a lock
    /// interrupts a thread.
    #[inline]
    fn raise(_to: Class, held: Raised) -> Raised {
        held
    }

    /// Takes back all raises that `held` stands for.
    #[inline]
    fn restore(_held: Raised) {}

    /// The class at which the calling context stands, by its own kind or by a raise. Only debug
    /// builds ask this, to report waits that would not end.
    #[inline]
    #[track_caller]
    fn level() -> Class {
        Class::Thread
    }

    /// Ends a call that must not be made at the caller's class. The default panics, and a panic
    /// allocates. A platform whose interrupting contexts cannot panic has to replace it.
    #[cold]
    #[track_caller]
    fn misused(why: fmt::Arguments<'_>) -> ! {
        panic!("{why}")
    }
}
