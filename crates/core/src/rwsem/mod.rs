//! RwSem: the sleeping reader-writer semaphore.
//!
//! # Promises
//! * Readers share, a writer excludes all. An uncontended lock or unlock is one atomic step; a read
//!   of a lock that is mostly read is none, and its readers share no cache line (see `slots`).
//! * **An unlock's releasing step is its last access to the lock**: whoever gets in next may free
//!   the memory at once.
//! * Nobody starves: the first in the queue has the lock reserved for it (*handoff*) after 4 ms at
//!   the latest, or, behind a writer, when that one's unlock has called it; a real-time thread at
//!   once. Readers are let in by batches from the whole queue.
//! * All-zero is unlocked; 24 bytes.
//!
//! # Words
//! | bits of `count` | name | set by | cleared by |
//! | --- | --- | --- | --- |
//! | 0 | WRITER | the writer that gets in | its unlock, downgrade |
//! | 1 | HEAD_HEEDED: whoever comes and goes looks whether it has to do something for the first waiter | with HEAD; the first waiter that has looked; whoever sets HANDOFF | a writer that passes it on a free lock; with HEAD |
//! | 2 | HANDOFF: reserved for the first waiter | the first waiter when overdue; whoever passes it too long; a fair unlock; an upgrade that waits | whoever changes HEAD |
//! | 3 | SPINNER_NEXT: readers are asked to let a spinner by | the spinner whose turn it is | the same, in the same call |
//! | 4 | HEAD_READER: the first waiter reads | with HEAD; a wait on top of the first | the same |
//! | 5 | HEAD_BEATEN: a turn of those who pass the first waiter goes on | the first waiter that has looked in vain; whoever names another that readers keep out | with HEAD |
//! | 6 | UPGRADER: one share may be upgraded | the upgradable reader | its unlock, upgrade, downgrade |
//! | 7 | HEAD_DOZES: plain unlocks need not call the first waiter | the first waiter, beaten by a writer, or asleep by choice | that waiter; a reader that passes it and looks about, where it waits to read; whoever changes HEAD or sets HANDOFF |
//! | 8–31 | number of readers, the top bit a guard against overflow | readers; a batch for others | readers |
//! | 32–55 | HEAD: record id of the first waiter, 0 = none | the list's first, or whoever was first before, when it leaves | the same |
//! | 56–57 | GIVERS: so many have given way to the first waiter, two at most | a reader that does | the first waiter that has looked in vain; whoever changes HEAD |
//!
//! `owner` is a hint for spinners, and says whether readers may be inside by slots, past the count,
//! and how they note the lock there (see `word::owner` and `slots`). `spinners` is their queue,
//! `waiters` the first node of one FIFO of all waiters, its bit 0 the list lock.
//!
//! # States
//! `(WRITER, readers, HEAD)`: `(0,0,–)` free · `(0,n,–)` read · `(1,0,–)` written · each of them
//! with HEAD: somebody waits. A reader without a deadline adds its share *before* it looks, so
//! `(1,n,…)` is a writer with n readers about to queue; a granted reader's share is there before
//! the reader knows.
//!
//! # Steps
//! * **Read** adds READER and is in if the value shows no WRITER, HANDOFF or guard: `0,n,– →
//!   0,n+1,–`, and past whoever waits `0,n,w → 0,n+1,w` (without the policy of joining, no HEAD
//!   either; then a reader that finds nobody inside may *steal*). Where nothing but a writer keeps
//!   it out it waits awake for a while, its share in the count: `1,1,w → 0,1,w` by that writer's
//!   unlock. Otherwise it queues, taking its share back and making itself known in one step: `1,1,–
//!   → 1,0,me`. Where the lock is reserved it takes its share back at once, and queues without it.
//! * **Read with a deadline**, and **try**, look first and add their share in a step that gets in,
//!   or not at all. Many that add, are refused, take back and come again would keep a first waiter
//!   from a count that it can take, for ever. A reader without a deadline adds its share three
//!   times at most, and sleeps until it is called.
//! * **Write** swaps 0 for WRITER. Otherwise it steals a free lock, spins, or queues.
//! * **Who waits** does so awake for as long as a sleep costs (see `record::sleep_cost`), or sleeps
//!   at once where that was seen to be better (`record::habit`, `record::tries`). A writer that
//!   does so behind readers asks those that come to let it by (see `calls::let_by`).
//! * **Unlock** subtracts, and wakes whom the *returned value* names (rules F, below); it touches
//!   records, which are never freed, and not the lock. A reader whose read was long, past a writer
//!   that was beaten, queues behind such a writer the next time (see `pass`).
//! * **The first waiter**, woken, takes the lock itself, under the list lock. A reader that does so
//!   grants a *batch*: shares for all readers of the queue, up to 256, writers passed over: `0,0,r
//!   → 0,n,w`. Where a writer waits the batch is *paced*: as many readers as can run, then that
//!   writer, and the other readers behind it, who come in the next batch. If the readers inside
//!   stay there, the writer, while it waits, lets the others in as well (*refill*): who sleeps
//!   inside leaves processors free. A writer has to win against thieves until its turn has come,
//!   after some sleeps' time; then it reserves the lock, by a step that no other can make fail.
//!   When it gets in, the first reader behind it comes to the front, so phases alternate.
//! * **Guards** that may be sent to other threads, a policy, exclude slots and notes, which belong
//!   to a thread (see `word::guards`).
//! * **Readers that note themselves**, a policy, know that they read already, and then pass waiting
//!   writers even where the lock is reserved; all others queue there (see `calls::noted`).
//! * **Whoever passes the first waiter by**, to write, to read by a share or by a slot, counts its
//!   passes, unless it reads by a share and that one is not heeded (below), and *looks about* at
//!   ever fewer of them; what follows it does only then. Its turn goes on from when that one was
//!   *beaten*: it has looked, in vain, or came first where readers keep
//!   it out.
//!   If it does not see to its turn itself, since it has no processor, a passer reserves the lock
//!   for it (see `pass`). (Until it is beaten it has been called, or will be, and waits only for a
//!   processor.) Beaten by a writer, the first waiter *dozes*: it says so in the count, sleeps for
//!   a fraction of a millisecond, and no plain unlock calls it. A reader that passes a dozing
//!   reader calls it. Before a waiter that was called and has not come a reader *gives way*, once
//!   (see `calls::give_way`).
//! * **Where passes take nanoseconds** a writer that passes a first waiter which was called, or
//!   dozes, says that it need not be *heeded* until it has looked: reads by a share and their
//!   unlocks are what they are where nobody waits.
//!
//! Four rules carry the wake-ups:
//! * **U** The releasing step is an unlock's last access to the lock.
//! * **F** Whoever makes a step whose value is free with a HEAD unparks that HEAD. A step that
//!   takes WRITER or UPGRADER off, and lets no writer in, unparks HEAD in any case. (A plain unlock
//!   lets a HEAD doze on: a doze ends by itself. Whoever sets HANDOFF takes HEAD_DOZES off and
//!   calls HEAD if the lock is free. A reader that passes a dozing reader, and looks about, takes
//!   HEAD_DOZES off and calls it. Nor does a plain unlock call a HEAD that is not heeded: when
//!   HEAD_HEEDED went off the lock was free, so that HEAD had been called, or was about to be, or
//!   dozed. Before it sleeps again it looks at the lock in the value of the step that sets the
//!   bit.)
//! * **H** Whoever puts a new id into HEAD looks at the lock in the value of that very step: a new
//!   first waiter tries at once; a leaving one wakes its heir if the lock admits that, or, where
//!   readers join readers, if no writer is inside: the heir then has to watch its time.
//! * **Q** Only a thread whose own call has still to succeed or fail takes the list lock. No unlock
//!   does.
//!
//! # Policy
//! What the lock's sources compared (docs/sources.md) is a constant of [`Policy`]. Rejected shapes:
//! waking under the list lock by the unlocker, as the kernel does (the lock may be freed by then);
//! the list lock as a bit of the count (a read unlock becomes a loop); waking by address (a system
//! call at every freeing unlock); waiters in a global table (unrelated locks share buckets); a
//! write unlock that gives a reader that waits first its share in the releasing step (that share
//! needs a bit of its own, and batches, those that give up and upgrades each have to know of it);
//! clearing a slot by a swap where there is no heavy fence (every unlock would pay for the few
//! writers that sleep: these nap instead).
//!
//! # Invariants
//! * **R1** Outside the list lock: HEAD ≠ 0 ⇔ the list is not empty; HEAD names its first,
//!   HEAD_READER its kind. HEAD_HEEDED ⇒ HEAD; HEAD_DOZES ⇒ HEAD_BEATEN ⇒ HEAD; GIVERS ⇒ HEAD.
//! * **R2** HANDOFF ⇒ HEAD_HEEDED, and not HEAD_DOZES.
//! * **R3** The readers' field is at least the granted readers.
//! * **R4** WRITER ⇒ one writer and no counted reader inside, and a reader by slot only until that
//!   writer has looked through the slots.
//! * **R5** Free with a HEAD ⇒ that waiter's token is set, or it runs, or HEAD_DOZES and it sleeps
//!   with a limit or was called, or some thread is between a step of rule F or H and its unpark.
//!   (Of a HEAD that is not heeded no other unlock makes up for that thread.)
//! * **R6** At rest the count is 0.
//! * **R7** No unlock touches the lock after its releasing step.
//! * **R8** If somebody is inside by a slot, the owner word shows a bias; the asymmetric one,
//!   unless the slot was noted by a swap, or a heavy fence was made since.
//! * **R9** While HANDOFF is set only the first waiter gets in (recursive reads and upgrades
//!   excepted, and, where reads are noted, reads of threads that read already: see `calls::noted`;
//!   and handlers' reads on top of a wait: see `queue::on_top`).
//! * **R10** A thread is prepared ([`Platform::prepare`]) before the first step of a call that
//!   takes the lock. While anything of the lock is a call's (a share, WRITER, UPGRADER, a slot, a
//!   node in the queue, the list lock) it asks the platform for nothing that can block for another
//!   reason than this lock, allocate, open a file, or end the thread: what is behind that may wait
//!   for this very lock.
//!
//! # Memory orderings
//! A step that gets in is Acquire and pairs with every Release step that let somebody out: all are
//! read-modify-writes of one word, so the pairing holds through any number of steps between. HEAD
//! is published and the lock is released by read-modify-writes of the *same* word, so one of the
//! two sees the other under any memory order: there is no store-load race and no fence. What
//! follows a wake-up is ordered by the token (release, acquire) and the list lock. Reads by slot
//! are the exception: a slot and the count are two words, and it takes a fence on both sides (see
//! `slots`).
//!
//! # Source
//! The Linux kernel's rwsem as published between 2013 and 2019 (owner field and optimistic
//! spinning, batch wake-up, optimised try-read), with the unlock changed so that it never touches
//! freed memory.

mod calls;
mod pass;
pub mod policy;
#[cfg(siftlock_model)]
mod probe;
mod queue;
mod slots;
mod word;

pub use self::calls::{NotHeld, NotThere, SlotRefused, ToWake};
pub use self::policy::Policy;
#[cfg(siftlock_model)]
pub use self::probe::{FOUND_ASYMMETRIC, FOUND_BIASED, FOUND_SYMMETRIC, Snapshot};
pub use self::word::token::ReadToken;
pub use crate::Refused;

use self::word::guards;
use self::word::owner::Owner;
use crate::platform::Platform;
use crate::spin::SpinQueue;
use crate::sync::{AtomicU64, const_fn};
use crate::wait::WaitList;
use core::marker::PhantomData;

/// The raw lock: no data, no guards. Blocks its caller where it has to wait, so not for signal
/// handlers.
///
/// # Panics
/// [`read`](Self::read) and its kin panic if 2^23 shares are out; see [`Refused::TooManyReaders`].
#[derive(Debug)]
#[repr(C)]
pub struct RwSem<P: Platform, L: Policy = policy::Standard> {
    count: AtomicU64,
    owner: Owner,
    spinners: SpinQueue,
    waiters: WaitList,
    types: PhantomData<fn() -> (P, L)>,
}

#[cfg(all(not(siftlock_model), target_pointer_width = "64"))]
const _: () = assert!(size_of::<Owner>() + size_of::<SpinQueue>() + size_of::<WaitList>() == 16);

impl<P: Platform, L: Policy> RwSem<P, L> {
    const_fn! {
        /// An unlocked lock.
        #[must_use]
        pub const fn new() -> Self {
            guards::check::<L>();
            Self {
                count: AtomicU64::new(0),
                owner: Owner::new(),
                spinners: SpinQueue::new(),
                waiters: WaitList::new(),
                types: PhantomData,
            }
        }
    }
}

impl<P: Platform, L: Policy> Default for RwSem<P, L> {
    fn default() -> Self {
        Self::new()
    }
}
