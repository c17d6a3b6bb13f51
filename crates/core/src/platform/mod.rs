//! The seam to the embedder: what only it knows about threads, sleep, processors and time.
//!
//! A platform is a zero-sized type with static methods; a lock takes it as a type parameter, so
//! nothing is called through a pointer and a lock holds no word for it. The `siftlock` crate has
//! two (Linux futexes; `std` parking for other systems), the models have one each, and a kernel
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
/// The protocols read records through bare ids and block on the words in them, so:
/// * a record handed out by [`current`](Platform::current) or [`record`](Platform::record) is
///   never freed; its id may be used again once its thread has ended, unless the record is
///   [in use](Record::is_in_use) then;
/// * no two live threads have the same record at the same time;
/// * [`current_or_nobody`](Platform::current_or_nobody) is the calling thread's record, or one that
///   neither `current` nor `record` ever hands out: its caller may write a slot of it that is free;
/// * [`record`](Platform::record) finds the record of an id that reaches it by a relaxed step, even
///   before what its thread did to make that record can be seen;
/// * [`bias`](Platform::bias), once there is one, is always the same, and where there is one,
///   [`wake_all`](Platform::wake_all) ends every wait on its word, a
///   [`heavy_fence`](Platform::heavy_fence) is what it says once it has
///   [begun](Bias::begin_heavy_fence), also after it has ended, each record belongs to platforms
///   with this one bias alone, and ids are given out from 1 on, so that
///   [`record`](Platform::record) also finds the records of those below;
/// * [`wake`](Platform::wake) for a word makes a [`wait`](Platform::wait) on it that is under way
///   return; one that begins later looks at the word.
///
/// # What a platform must not do
/// A lock call holds something of its lock nearly all the time: a share, a place in the queue, the
/// list lock. So no method may take a lock that code outside the platform can hold, allocate by the
/// program's allocator, load, open or read a file, be a place where a thread is cancelled, or
/// change what the caller can see (`errno`). What is behind such a step may wait for this very
/// lock. Two exceptions: a [`wait`](Platform::wait) blocks, of course; and
/// [`prepare`](Platform::prepare), which is called while nothing is held, does what a thread's
/// first call needs.
///
/// # In interrupting contexts
/// A handler that reads a [`psrw`](crate::psrw) lock calls `raise`, `restore`, `level`, `may_spin`,
/// `now` and `nap`, and nothing else: these must not take a lock or allocate, not in their first
/// call either.
///
/// # A platform in front of another
/// To change an answer or two, to count sleeps say, and leave the rest to a platform that there is,
/// have the macro `forward_platform!` write the other methods, by groups: `records` (`prepare`,
/// `current`, `current_or_nobody`, `current_number`, `record`, `records`), `sleep` (`wait`),
/// `wake`, `bias` (`bias`, `is_private`, `is_time_to_ask`, `ask_again_after`, `heavy_fence`,
/// `wake_all`), `time` (`now`, `handoff_after`), `processors` (`yield_now`, `GIVES_WAY`,
/// `give_way`, `may_spin`, `processors`, `may_spin_on`, `processor_time`, `nap`), `masking`
/// (`raise`, `restore`, `shield`, `unshield`) and `level` (`level`, `misused`).
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
    /// The calling thread is about to take a lock, and holds nothing of it yet. What must not be
    /// done later, on account of what the thread then holds, is done here: the thread is given its
    /// record, say. On the fast paths, so it should be one look at a word of the thread. Not called
    /// where [`current_number`](Platform::current_number) is not 0: then the thread is taken for
    /// prepared.
    #[inline]
    fn prepare() {}

    /// The calling thread's record, made on its first call.
    fn current() -> &'static Record;

    /// The calling thread's record; or, if it has none yet, one of no thread, the same for all. On
    /// the fast path of readers, so a platform that can should make it one load: a record that was
    /// never [`current`](Platform::current) has no slot that is free at first sight, so nobody asks
    /// which it is. Unlocks ask as well: where a thread's record may not be made then, say so here.
    #[inline]
    fn current_or_nobody() -> &'static Record {
        Self::current()
    }

    /// The id of the calling thread's record as a number, exactly that of
    /// [`current`](Platform::current), or 0 if it has none yet: by it a writer knows its name. On
    /// the fast path of a writer, so a platform that can should make it one load.
    #[inline]
    fn current_number() -> u32 {
        Self::current().id().get()
    }

    /// The record with this id. Ids come only from [`current`](Platform::current).
    fn record(id: RecordId) -> &'static Record;

    /// How many records there are: those of the ids from 1 to this, as
    /// [`Table::complete`](crate::record::Table::complete) counts them. Asked when a lock whose
    /// readers [note](crate::rwsem::Policy::NOTE_READS) themselves ends with a guard leaked: all
    /// notes are looked through. 0, the default: not known. Then a note may outlive what it stands
    /// for, and its thread passes writers more often than it had to.
    #[inline]
    fn records() -> u32 {
        0
    }

    /// Blocks the calling thread while `word`, which is in `record`, holds `seen`, at most until
    /// `until`. May return early.
    fn wait(record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>);

    /// Ends the [`wait`](Platform::wait) on `word`, which is in `record`, after its value was
    /// changed. Called only when somebody was found waiting, so once a sleep.
    fn wake(record: &Record, word: &AtomicU32);

    /// Ends all [`wait`](Platform::wait)s on `word`, which is in the calling thread's record, after
    /// its value was changed: several other threads may wait on it. In another thread's record,
    /// where a read of that thread was [unlocked](crate::rwsem::RwSem::unlock_found).
    ///
    /// # Panics
    /// Where there is no [`bias`](Platform::bias), it may.
    fn wake_all(_word: &AtomicU32) {
        unreachable!("a platform with a bias wakes all that wait on a word");
    }

    /// What reads by slot need: readers of a lock that is read more than written then share no
    /// cache line. Asked off the fast paths. `None`, the default: all readers are counted.
    #[inline]
    fn bias() -> Option<&'static Bias> {
        None
    }

    /// Whether no other process can reach the lock at this address: its readers' slots could not be
    /// seen there. Asked once in a while, by a reader that is inside.
    #[inline]
    fn is_private(_lock: *const ()) -> bool {
        true
    }

    /// Whether the calling thread has made as many reads as it was
    /// [told](Platform::ask_again_after), or none since it began, where this one counts so many
    /// times: then it asks whether a bias would pay, and is told again. Until then this stays true;
    /// and it is true for a thread whose [`current_number`](Platform::current_number) is 0: one for
    /// which it is false is taken for prepared. Called at each read that makes an atomic step, so
    /// it should be a few instructions on a word of the thread: see [`Countdown`].
    #[inline]
    fn is_time_to_ask(_weight: u32) -> bool {
        Self::current_number() == 0
    }

    /// The calling thread asks again after so many reads, if it is prepared.
    fn ask_again_after(_reads: u32) {}

    /// A full fence in every thread that runs, and in the caller: of what another thread does
    /// around a point at which only the compiler keeps order, either the caller sees, after this,
    /// what it stored before, or it will see, after that point, what the caller stored before this.
    ///
    /// # Panics
    /// Where none has [begun](Bias::begin_heavy_fence), it may.
    fn heavy_fence() {
        unreachable!("a platform that says so has a heavy fence");
    }

    /// Lets another thread run, since what the caller waits for needs a processor.
    fn yield_now();

    /// Whether threads [give way](Platform::give_way) here.
    const GIVES_WAY: bool = false;

    /// The calling thread would overtake another that was called, and gives its processor up first:
    /// systems often put a thread that wakes on the processor of the caller, where it waits for the
    /// rest of a time slice while others are idle. The caller holds nothing of its lock. Not a
    /// sleep: a thread for whose processor nobody waits goes on at once, and so does a real-time
    /// thread.
    ///
    /// A platform whose threads find an idle processor by themselves has nothing to do: the
    /// default.
    fn give_way() {}

    /// Monotonic time.
    fn now() -> Instant;

    /// Whether two threads can run at once. If not, spinning only delays whoever is waited for.
    fn may_spin() -> bool;

    /// How many threads can run at once. Where nothing is known, no limit: the default.
    #[inline]
    fn processors() -> u32 {
        u32::MAX
    }

    /// Whether the thread of `owner` may be running at this moment on another processor than the
    /// caller's. Where nothing is known it may: the default. Spins are bounded all the same.
    #[inline]
    fn may_spin_on(_owner: &Record) -> bool {
        true
    }

    /// How much processor time the thread of `owner` has used, in nanoseconds: a number that grows
    /// while that thread runs, and stands still while it does not. `None`, the default: not known.
    /// Asked by threads that have waited awake for a microsecond and more, so it may be a system
    /// call.
    #[inline]
    fn processor_time(_owner: &Record) -> Option<u64> {
        None
    }

    /// How long, in nanoseconds, the calling thread waits at the head of a queue before it asks
    /// for the lock to be handed to it. `usual` is the lock's own policy; 0 suits a real-time
    /// thread.
    #[inline]
    fn handoff_after(usual: u64) -> u64 {
        usual
    }

    /// Gives the processor up for a moment, to threads of lower priority as well: what the caller
    /// waits for may need this very processor. Called in every context, so async-signal-safe.
    #[inline]
    fn nap() {
        Self::yield_now();
    }

    /// The calling thread is about to take the list lock of a queue, for some instructions, or
    /// waits to write for readers in slots, perhaps asleep. No handler that takes the same lock may
    /// interrupt it until it calls [`unshield`](Platform::unshield) with the answer.
    ///
    /// A platform whose handlers take no such lock has nothing to do: the default.
    #[inline]
    fn shield() -> u64 {
        0
    }

    /// Handlers may come again.
    #[inline]
    fn unshield(_shield: u64) {}

    /// Keeps contexts of class `to` and below from interrupting the calling thread, until
    /// [`restore`](Platform::restore). `held` is what this same owner has raised already, lower or
    /// as high; the answer stands for both. Raises of several owners may end in any order.
    ///
    /// A platform on which nothing interrupts a thread, or on which no interrupting context uses a
    /// lock, has nothing to do: the default.
    #[inline]
    fn raise(_to: Class, held: Raised) -> Raised {
        held
    }

    /// Takes back all that `held` stands for.
    #[inline]
    fn restore(_held: Raised) {}

    /// The class that the calling context stands at, by what it is or by what it has raised. Asked
    /// in debug builds only, to report waits that would not end.
    #[inline]
    #[track_caller]
    fn level() -> Class {
        Class::Thread
    }

    /// Ends a call that must not be made where the caller stands. Panics: the default. A platform
    /// whose interrupting contexts cannot panic does better: a panic allocates.
    #[cold]
    #[track_caller]
    fn misused(why: fmt::Arguments<'_>) -> ! {
        panic!("{why}")
    }
}
