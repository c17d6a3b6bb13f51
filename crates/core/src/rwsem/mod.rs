//! RwSem: the sleeping reader-writer semaphore.
//!
//! # Promises
//! * Readers share, a writer excludes all. An uncontended lock or unlock is one atomic step. A read
//!   of a lock that is mostly read takes none, or one on a line of its thread's own: such readers
//!   share no cache line (see `slots`).
//! * **An unlock's releasing step is its last access to the lock**: the next holder may free the
//!   memory at once.
//! * Nobody starves: the lock is reserved for the first waiter (*handoff*) after 4 ms at the
//!   latest; behind a writer, once that writer's unlock has called the waiter; for a real-time
//!   thread, at once. Readers are let in by batches from the whole queue.
//! * All-zero is unlocked; 24 bytes.
//!
//! # Words
//! | bits of `count` | name | set by | cleared by |
//! | --- | --- | --- | --- |
//! | 0 | WRITER | the writer that gets in | its unlock, downgrade |
//! | 1 | HEAD_HEEDED: each thread that comes or goes looks whether it has to do something for the first waiter | with HEAD; the first waiter that has looked; a wait on top of the first; the thread that sets HANDOFF | a writer that passes the first waiter on a free lock; with HEAD |
//! | 2 | HANDOFF: reserved for the first waiter | the first waiter when overdue; a thread that has passed it for too long; a fair unlock; an upgrade that waits | the thread that changes HEAD |
//! | 3 | SPINNER_NEXT: readers are asked to let a spinner by | the spinner whose turn it is | the same spinner, in the same call; a reader that has waited for it in vain |
//! | 4 | HEAD_READER: the first waiter reads | with HEAD; a wait on top of the first | the same |
//! | 5 | HEAD_BEATEN: a turn of the threads that pass the first waiter goes on | the first waiter that has looked in vain; the thread that names a first waiter which readers keep out | with HEAD |
//! | 6 | UPGRADER: one share may be upgraded | the upgradable reader | its unlock, upgrade, downgrade |
//! | 7 | HEAD_DOZES: plain unlocks need not call the first waiter | the first waiter, if beaten by a writer or asleep by choice | the first waiter; a reader that passes a first waiter that reads, and looks about or has a deadline; a wait on top of the first; the thread that changes HEAD or sets HANDOFF |
//! | 8–31 | number of readers, the top bit a guard against overflow | readers; a batch for others | readers |
//! | 32–55 | HEAD: record id of the first waiter, 0 = none | the list's first, or its predecessor when that leaves | the same |
//! | 56–57 | GIVERS: how many readers have given way to the first waiter, two at most | a reader that gives way | the first waiter that has looked in vain; the thread that changes HEAD |
//!
//! `owner` is a hint for spinners. It also says whether readers may be inside by slots, past the
//! count, and how they note the lock there (see `word::owner` and `slots`). `spinners` is the
//! spinners' queue. `waiters` is the first node of one FIFO of all waiters; its bit 0 is the list
//! lock.
//!
//! # States
//! `(WRITER, readers, HEAD)`: `(0,0,–)` free · `(0,n,–)` read · `(1,0,–)` written · each of them
//! with HEAD: somebody waits. A reader without a deadline adds its share *before* it looks. So
//! `(1,n,…)` is a writer inside, with n readers that wait awake or are about to queue. A granted
//! reader's share is in the count before that reader knows.
//!
//! # Steps
//! * **Read** adds READER and is in if the value shows no WRITER, HANDOFF or guard: `0,n,– →
//!   0,n+1,–`, and past waiters `0,n,w → 0,n+1,w`. (Without the policy of joining, the value must
//!   show no HEAD either; there a reader that finds nobody inside may *steal*.) If only a writer
//!   keeps the reader out, it waits awake for a while with its share in the count: `1,1,w → 0,1,w`
//!   by that writer's unlock. Otherwise it queues, and one step takes its share back and makes it
//!   known: `1,1,– → 1,0,me`. If the lock is reserved, the reader takes its share back at once and
//!   queues without it.
//! * **Read with a deadline** and **try** look first, and add their share in a step that gets in,
//!   or not at all. Many readers that add a share, are refused, take it back and come again would
//!   keep a first waiter from a count that it can take, for ever. A reader without a deadline adds
//!   its share three times at most, and then sleeps until it is called.
//! * **Write** swaps 0 for WRITER. If that fails, it steals a free lock, spins, or queues.
//! * **Wait**: a thread waits awake for as long as a sleep costs (see `record::sleep_cost`), or
//!   sleeps at once if it has seen that this is better (`record::habit`, `record::tries`). A writer
//!   that waits awake behind readers asks new readers to let it by (see `calls::let_by`).
//! * **Unlock** subtracts, and wakes the waiter that the *returned value* names (rule F, below).
//!   After that step it touches records, which are never freed, and not the lock. A reader whose
//!   read was long, past a writer that was beaten, queues behind such a writer the next time (see
//!   `pass`).
//! * **The first waiter**, once woken, takes the lock itself, under the list lock. A first waiter
//!   that reads grants a *batch*: shares for all readers of the queue, up to 256, writers passed
//!   over: `0,0,r → 0,n,w`. If a writer waits, the batch is *paced*: it takes as many readers as
//!   can run. That writer is first then, and the other readers stand behind it, for the next batch.
//!   If the readers inside stay there, the waiting writer lets the others in as well (*refill*):
//!   readers that sleep inside leave processors free. A writer has to win against thieves until its
//!   turn has come, after some sleeps' time. Then it reserves the lock, by a step that no other
//!   step can make fail. When the writer gets in, the first reader behind it comes to the front, so
//!   phases alternate.
//! * **Guards**: a policy whose guards may be sent to other threads has neither slots nor notes,
//!   which belong to a thread (see `word::guards`).
//! * **Noted reads**: under a policy that notes reads, a thread knows that it reads already. Its
//!   further reads pass waiting writers even if the lock is reserved; all other readers queue then
//!   (see `calls::noted`).
//! * **Pass**: a thread takes the lock past the first waiter, to write, or to read by a share or by
//!   a slot. It counts its passes, except a read by a share past a first waiter that is not heeded
//!   (below). It *looks about* at ever fewer of its passes, and only then acts on the first waiter,
//!   as told below. The turn of the threads that pass begins when the first waiter is *beaten*: it
//!   has looked in vain, or came first where readers keep it out. (Until then it has been called,
//!   or will be, and waits only for a processor.) If the first waiter has no processor to end that
//!   turn itself, a thread that passes reserves the lock for it (see `pass`).
//! * **Doze**: a first waiter that was beaten by a writer *dozes*: it says so in the count and
//!   sleeps for a fraction of a millisecond, and no plain unlock calls it. A reader that passes a
//!   dozing reader calls it.
//! * **Give way**: a reader *gives way*, once, to a waiter that was called and has not come (see
//!   `calls::give_way`).
//! * **Heed**: where passes take nanoseconds, a writer that passes a first waiter which was called,
//!   or dozes, says that this waiter need not be *heeded* until it has looked. Until then reads by
//!   a share and their unlocks are what they are where nobody waits.
//!
//! Four rules carry the wake-ups:
//! * **U** The releasing step is an unlock's last access to the lock.
//! * **F** A thread whose step leaves the lock free with a HEAD unparks that HEAD. A step that
//!   takes WRITER or UPGRADER off, and lets no writer in, unparks HEAD in any case. There are two
//!   exceptions. A plain unlock lets a HEAD doze on: a doze ends by itself. (The thread that sets
//!   HANDOFF takes HEAD_DOZES off and calls HEAD if the lock is free. A reader that passes a dozing
//!   reader, and looks about, takes HEAD_DOZES off and calls that HEAD.) And a plain unlock does
//!   not call a HEAD that is not heeded. When HEAD_HEEDED went off the lock was free, so that HEAD
//!   had been called, or was about to be, or dozed. Before it sleeps again it looks at the lock in
//!   the value of the step that sets the bit.
//! * **H** The thread that puts a new id into HEAD looks at the lock in the value of that very
//!   step. If the lock admits the new first waiter, that waiter tries at once, or the leaving first
//!   waiter wakes it. Where readers join readers, the same holds if only readers are inside: the
//!   new first waiter then has to watch its time.
//! * **Q** Only a thread whose own call has still to succeed or fail takes the list lock. No unlock
//!   takes it.
//!
//! # Policy
//! Each choice that the lock's sources compared (docs/sources.md) is a constant of [`Policy`].
//! Rejected shapes:
//! * waking under the list lock by the unlocker, as the kernel does: the lock may be freed by then;
//! * the list lock as a bit of the count: a read unlock becomes a loop;
//! * waking by address: a system call at every freeing unlock;
//! * waiters in a global table: unrelated locks share buckets;
//! * a write unlock whose releasing step gives a share to a first waiter that reads: that share
//!   needs a bit of its own, and batches, waiters that give up and upgrades each have to know of
//!   it;
//! * clearing a slot by a swap where there is no heavy fence: every unlock would pay for the few
//!   writers that sleep. These writers nap instead.
//!
//! # Invariants
//! * **R1** Outside the list lock: HEAD ≠ 0 ⇔ the list is not empty; HEAD names its first waiter,
//!   HEAD_READER that waiter's kind. HEAD_HEEDED ⇒ HEAD; HEAD_DOZES ⇒ HEAD_BEATEN ⇒ HEAD; GIVERS ⇒
//!   HEAD.
//! * **R2** HANDOFF ⇒ HEAD_HEEDED, and not HEAD_DOZES.
//! * **R3** The readers' field is at least the number of granted readers.
//! * **R4** WRITER ⇒ one writer and no counted reader inside, and a reader by slot only until that
//!   writer has looked through the slots.
//! * **R5** Free with a HEAD ⇒ that waiter's token is set, or it runs, or HEAD_DOZES and it sleeps
//!   with a limit or was called, or some thread is between a step of rule F or H and its unpark.
//!   (If the HEAD is not heeded, no other unlock makes up for that thread.)
//! * **R6** At rest the count is 0.
//! * **R7** No unlock touches the lock after its releasing step.
//! * **R8** If a reader is inside by a slot, the owner word shows a bias: the asymmetric form,
//!   unless the slot was noted by a swap or a heavy fence was made since.
//! * **R9** While HANDOFF is set only the first waiter gets in. Exceptions: recursive reads;
//!   upgrades; where reads are noted, reads of threads that read already (see `calls::noted`); and
//!   handlers' reads on top of a wait (see `queue::on_top`).
//! * **R10** A thread is prepared ([`Platform::prepare`]) before the first step of a call that
//!   takes the lock. While a call has anything of the lock (a share, WRITER, UPGRADER, a slot, a
//!   node in the queue, the list lock), it asks the platform for nothing that can block for another
//!   reason than this lock, allocate, open a file, or end the thread: the code behind such a
//!   request may wait for this very lock.
//!
//! # Memory orderings
//! A step that gets in is Acquire and pairs with every Release step that let a holder out. All are
//! read-modify-writes of one word, so the pairing holds through any number of steps between. HEAD
//! is published and the lock is released by read-modify-writes of the *same* word. So one of the
//! two steps sees the other under any memory order: there is no store-load race and no fence. The
//! token (release, acquire) and the list lock order what follows a wake-up. Reads by slot are the
//! exception: a slot and the count are two words, so each side needs a fence (see `slots`).
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

/// The raw lock: no data, no guards. A call that has to wait blocks its caller, so the lock is not
/// for signal handlers.
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
