//! Locks that are freed by the thread that leaves them last, at the moment when it leaves. No other
//! thread's unlock may touch the lock any more.

use super::actor::Actor;
use super::guards;
use super::post::found;
use super::support::{EagerSymmetric, Lock, Native, Platform, Portable};
use super::ward::{Ward, Written};
use siftlock::lock_api::RwLockWriteGuard as Write;
use siftlock::{Policy, policy};
use std::cell::UnsafeCell;
use std::hint;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

pub(crate) static DUETS: AtomicU64 = AtomicU64::new(0);

/// A lock that its players use until the last has left.
struct Stage<P: Platform, L: Policy> {
    memory: UnsafeCell<MaybeUninit<Lock<Ward, P, L>>>,
    written: Written,
    /// How many players have not left. Changes under the lock, which so orders it: all Relaxed.
    players: AtomicU32,
}

// SAFETY: the lock is dropped by the last player, when no other has a reference to it.
unsafe impl<P: Platform, L: Policy> Sync for Stage<P, L> {}

pub(crate) trait Duet: Send + Sync {
    /// One player's part.
    fn play(&self, actor: &mut Actor);
}

/// A byte that stands in no word of a lock.
const FREED: u8 = 0xa5;

impl<P: Platform, L: Policy> Stage<P, L> {
    fn new(players: u32) -> Self {
        Self {
            memory: UnsafeCell::new(MaybeUninit::new(Lock::new(Ward::new()))),
            written: Written::default(),
            players: AtomicU32::new(players),
        }
    }

    /// The lock, for a player that has not left.
    fn lock(&self) -> &Lock<Ward, P, L> {
        // SAFETY: the lock is there until the last player has left.
        unsafe { (*self.memory.get()).assume_init_ref() }
    }

    /// Called by the last player: nobody else has a reference.
    fn free(&self, actor: &mut Actor) {
        let memory = self.memory.get();
        // SAFETY: the lock is there and nobody uses it; then its memory is bytes.
        unsafe {
            (*memory).assume_init_drop();
            memory.cast::<u8>().write_bytes(FREED, size_of::<Lock<Ward, P, L>>());
        }
        (0..actor.rng.u32(..3_000)).for_each(|_| hint::spin_loop());
        let words = size_of::<Lock<Ward, P, L>>() / 8;
        for word in 0..words {
            // SAFETY: inside, aligned as the lock is; atomic, since a thread might touch it
            // nevertheless.
            let value = unsafe { AtomicU64::from_ptr(memory.cast::<u64>().add(word)) };
            // Relaxed: any value but one is wrong.
            let value = value.load(Ordering::Relaxed);
            if value != u64::from_ne_bytes([FREED; 8]) {
                found!("freed memory was written: word {word} of the lock is {value:x}");
            }
        }
    }
}

impl<P: Platform, L: Policy> Duet for Stage<P, L> {
    fn play(&self, actor: &mut Actor) {
        let calls = if actor.once_in(4) { 12 } else { 2 };
        for _ in 0..actor.rng.u32(..calls) {
            guards::act(&self.written, self.lock(), actor);
        }
        actor.post.begin(&"the last write of a duet");
        let guard = self.lock().write();
        guard.write(actor);
        self.written.add();
        // Relaxed: see `players`.
        let left = self.players.load(Ordering::Relaxed) - 1;
        self.players.store(left, Ordering::Relaxed);
        if left == 0 && guard.check() != self.written.get() {
            found!("writes were lost in a duet");
        }
        actor.post.begin(&"the last unlock of a duet");
        match actor.rng.u32(..4) {
            0 => Write::unlock_fair(guard),
            // The others may be in before this read ends.
            1 if left == 0 => drop(Write::downgrade(guard)),
            _ => drop(guard),
        }
        if left == 0 {
            self.free(actor);
        }
    }
}

/// A new lock, which the caller and one or two guests play with. Nobody waits for the others to
/// begin.
pub(crate) fn invite(actor: &mut Actor) {
    /// A stage with a policy of these.
    macro_rules! one_of {
        ($n:expr, $players:expr; $($platform:ty: $policy:ty),*) => {{
            let stages: &[fn(u32) -> Arc<dyn Duet>] =
                &[$(|players| Arc::new(Stage::<$platform, $policy>::new(players))),*];
            stages[$n % stages.len()]($players)
        }};
    }
    let players = actor.rng.u32(2..4);
    let duet = one_of!(actor.rng.usize(..), players;
        Native: policy::Standard, Native: policy::Counted, Native: policy::Noted,
        Native: policy::Classic, Native: policy::Patch10, Native: policy::BeforePatch10,
        Native: EagerSymmetric, Portable: policy::Standard, Portable: policy::Noted);
    // Relaxed: a counter.
    DUETS.fetch_add(1, Ordering::Relaxed);
    let mut mine = 1;
    for guest in &actor.world.guests[..players as usize - 1] {
        mine += u32::from(guest.try_send(Arc::clone(&duet)).is_err());
    }
    for _ in 0..mine {
        play(&*duet, actor);
    }
}

pub(crate) fn be_a_guest(invitations: &Receiver<Arc<dyn Duet>>, actor: &mut Actor) {
    loop {
        actor.post.idle();
        match invitations.recv_timeout(Duration::from_millis(20)) {
            Ok(duet) => play(&*duet, actor),
            Err(RecvTimeoutError::Timeout) if !actor.world.is_over() => {}
            Err(_) => return,
        }
    }
}

/// A duet's players take no other lock.
fn play(duet: &dyn Duet, actor: &mut Actor) {
    actor.floor = usize::MAX;
    duet.play(actor);
    actor.floor = 0;
}
