//! Where the holds of slots end up: under other locks, in other threads, with a lock that is gone.

use crate::prelude::*;
use siftlock_core::platform::Platform as _;
use siftlock_core::rwsem::{FOUND_OWNED, NotHeld, Policy, ReadToken};
use siftlock_core::sync::Cell as Data;
use siftlock_model::actor::Lock;
use siftlock_model::engine::Limits;
use siftlock_model::monitor::{self, READ_BIAS};
use siftlock_model::platform::Modelled;
use siftlock_model::scene;
use siftlock_model::world::Setup;
use std::cell::RefCell;
use std::mem::ManuallyDrop;

models! {
    /// Two writers, of two locks, wait for one slot, one after the other.
    rwsem_slot_is_used_for_another_lock_before_the_first_writer_wakes => Model::new(two_writers)
        .within(|limits| limits.preemptions = Some(Limits::OF_THREE));
    /// Reads once more while a writer, which has found the first slot free, waits for the second.
    rwsem_reader_reads_again_by_the_same_slot_r4 => Model::new(other_slot_is_free)
        .within(|limits| limits.preemptions = Some(Limits::OF_TWO));
    /// The slot is cleared by a thread that is not its own, which uses it meanwhile.
    rwsem_token_is_handed_to_another_thread_r4 => Model::new(foreign_unlock)
        .within(|limits| limits.preemptions = Some(Limits::OF_THREE));
    /// The owner writes while another thread has its token.
    rwsem_owner_waits_for_token_it_gave_away_r4 => Model::new(owner_writes_after_giving_away)
        .within(|limits| limits.preemptions = Some(Limits::OF_TWO));
    rwsem_unlock_without_token_takes_nothing_that_is_not_there => Model::alone(unlock_of_nothing)
        .with(Setup::biased);
    rwsem_leaked_slot_ends_with_its_lock => Model::new(leak::<Slots, READ_BIAS>);
    rwsem_leaked_slot_of_owner_ends_with_its_lock => Model::new(leak::<OwnSlots, FOUND_OWNED>);
}

/// A lock with its bias on, and what it guards.
struct Guarded<L: Policy = Slots> {
    lock: Lock<L>,
    data: Data<u32>,
}

impl Guarded {
    fn new() -> Self {
        Self::found(READ_BIAS)
    }
}

impl<L: Policy> Guarded<L> {
    fn found(count: u64) -> Self {
        Self { lock: Lock::found(count), data: Data::new(0) }
    }

    fn look(&self) {
        // SAFETY: the lock is being tested for exactly that.
        unsafe { self.data.get() };
    }

    fn read(&self) {
        let token = self.lock.read();
        self.look();
        // SAFETY: just taken.
        unsafe { self.lock.read_unlock(token) };
    }

    fn write(&self) {
        self.lock.write();
        // SAFETY: as in `look`; and just taken.
        unsafe {
            self.data.set(1);
            self.lock.write_unlock();
        }
    }
}

fn play<S: 'static>(mut setup: Setup, threads: usize, stage: fn() -> S, act: fn(&S, usize)) {
    setup.fences = true;
    monitor::look_away();
    scene::play(
        setup,
        threads,
        |_| stage(),
        move |_, stage, place| act(stage, place),
        |_, _, _| (),
    );
}

fn two_locks() -> [Guarded; 2] {
    [Guarded::new(), Guarded::new()]
}

fn two_writers(setup: Setup) {
    play(setup, 3, two_locks, |locks, place| match place {
        0 => locks.iter().for_each(Guarded::read),
        writer => locks[writer - 1].write(),
    });
}

fn other_slot_is_free(setup: Setup) {
    play(setup, 2, two_locks, |[first, second], place| {
        if place == 1 {
            return second.write();
        }
        let (other, outer) = (first.lock.read(), second.lock.read());
        // SAFETY: each just taken.
        unsafe {
            first.lock.read_unlock(other);
            let inner = second.lock.read_recursive();
            second.lock.read_unlock(outer);
            second.look();
            second.lock.read_unlock(inner);
        }
    });
}

/// A lock that the first thread has read, and the token. In a box: the stage is moved, and a lock that is
/// held must not be.
struct Given<L: Policy> {
    guarded: Box<Guarded<L>>,
    token: RefCell<Option<ReadToken>>,
}

impl<L: Policy> Given<L> {
    fn found(count: u64) -> Self {
        let guarded = Box::new(Guarded::found(count));
        let token = guarded.lock.read();
        assert!(token.is_slot());
        Self { guarded, token: RefCell::new(Some(token)) }
    }

    /// By another thread.
    fn end(&self) {
        let token = self.token.take().expect("it is there once");
        self.guarded.look();
        // SAFETY: taken by the first thread, which has not given it back.
        unsafe { self.guarded.lock.read_unlock(token) };
    }
}

fn foreign_unlock(setup: Setup) {
    play(
        setup,
        3,
        || Given::<Slots>::found(READ_BIAS),
        |given, place| match place {
            0 => given.guarded.read(),
            1 => given.end(),
            _ => given.guarded.write(),
        },
    );
}

fn owner_writes_after_giving_away(setup: Setup) {
    play(
        setup,
        2,
        || Given::<OwnSlots>::found(FOUND_OWNED),
        |given, place| match place {
            0 => given.guarded.write(),
            _ => given.end(),
        },
    );
}

fn unlock_of_nothing(lock: &Lock<Slots>) {
    // SAFETY: nobody has the lock.
    assert_eq!(unsafe { lock.read_unlock_untokened() }, Err(NotHeld));
    assert!(lock.try_write());
}

fn leak<L: Policy, const FOUND: u64>(setup: Setup) {
    play(
        setup,
        1,
        || (),
        |(), _| {
            let found = || Guarded::<L>::found(FOUND);
            let mut place = ManuallyDrop::new(found());
            let token = place.lock.read();
            assert!(token.is_slot() && !place.lock.try_write());
            // SAFETY: not used any more, and what is put in its place is.
            unsafe {
                ManuallyDrop::drop(&mut place);
                std::ptr::write(&raw mut *place, found());
            }
            assert!(Modelled::bias().is_some() && place.lock.try_write());
            drop(ManuallyDrop::into_inner(place));
        },
    );
}
