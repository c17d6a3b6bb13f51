//! Where holds by slot end up: under other locks, without a token, with a lock that is gone.

use crate::prelude::*;
use siftlock_core::platform::Platform as _;
use siftlock_core::rwsem::{FOUND_ASYMMETRIC, FOUND_SYMMETRIC, NotHeld, NotThere, Policy, ToWake};
use siftlock_core::sync::Cell as Data;
use siftlock_model::actor::{Lock, read_by_steps, unlock_by_steps};
use siftlock_model::engine::Limits;
use siftlock_model::monitor;
use siftlock_model::platform::Modelled;
use siftlock_model::scene;
use siftlock_model::world::Setup;
use std::cell::RefCell;
use std::mem::ManuallyDrop;

models! {
    /// Two writers, of two locks, wait for one slot, one after the other.
    rwsem_slot_is_used_for_another_lock_before_the_first_writer_wakes => Model::new(two_writers)
        .preempted(Some(Limits::OF_THREE));
    /// The reader reads once more while a writer, which has found the first slot free, waits for
    /// the second.
    rwsem_reader_reads_again_by_the_same_slot_r4 => Model::new(other_slot_is_free)
        .preempted(Some(Limits::OF_TWO));
    /// One of the two holds behind the slot ends, while a writer waits for both.
    rwsem_slot_stands_for_each_hold_r4 => Model::new(depth)
        .preempted(Some(Limits::OF_TWO));
    rwsem_unlock_without_token_takes_nothing_that_is_not_there => Model::alone(unlock_of_nothing)
        .with(Setup::biased);
    rwsem_write_unlock_takes_nothing_that_is_not_there => Model::alone(write_unlock_of_nothing);
    rwsem_unlock_without_token_calls_the_sleeping_writer_r5 => Model::new(untokened_unlock)
        .preempted(Some(Limits::OF_TWO));
    /// As the C interface unlocks.
    rwsem_unlock_of_slot_calls_the_sleeping_writer_r5 => Model::new(slot_unlock)
        .preempted(Some(Limits::OF_TWO));
    /// As the preload reads two locks.
    rwsem_steps_by_the_second_slot_keep_the_writer_out_r4 => Model::new(second_slot_by_steps)
        .preempted(Some(Limits::OF_TWO));
    rwsem_unlock_for_another_thread_lets_the_writer_in_r4 => Model::new(unlock_for_another)
        .preempted(Some(Limits::OF_THREE));
    /// That thread has a hold by a slot and one by a note, and ends one of them at the same time.
    rwsem_unlocks_of_two_threads_take_two_holds_r4 => Model::new(unlocks_at_once)
        .preempted(Some(Limits::OF_THREE));
    rwsem_leaked_slot_ends_with_its_lock => Model::new(leak::<Slots, FOUND_ASYMMETRIC>);
    rwsem_leaked_symmetric_slot_ends_with_its_lock
        => Model::new(leak::<SymmetricSlots, FOUND_SYMMETRIC>);
    /// Another thread clears the slot, whose own thread uses its slots meanwhile.
    rwsem_leaked_slot_ends_with_its_lock_in_another_thread_r4 => Model::new(leak_elsewhere)
        .preempted(Some(Limits::OF_THREE));
}

/// A lock with its bias on, and the data that it guards.
struct Guarded<L: Policy = Slots> {
    lock: Lock<L>,
    data: Data<u32>,
}

impl Guarded {
    fn new() -> Self {
        Self::found(FOUND_ASYMMETRIC)
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
    setup.fenced();
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

fn depth(setup: Setup) {
    play(setup, 2, Guarded::new, |guarded, place| {
        if place == 1 {
            return guarded.write();
        }
        let lock = &guarded.lock;
        let (outer, inner) = (lock.read(), lock.read_recursive());
        guarded.look();
        // SAFETY: each just taken.
        unsafe {
            lock.read_unlock(outer);
            guarded.look();
            let last = lock.read_recursive();
            lock.read_unlock(inner);
            guarded.look();
            lock.read_unlock(last);
        }
    });
}

fn untokened_unlock(setup: Setup) {
    play(setup, 2, Guarded::new, |guarded, place| {
        if place == 1 {
            return guarded.write();
        }
        let _lost = guarded.lock.read();
        guarded.look();
        // SAFETY: just taken.
        assert_eq!(unsafe { guarded.lock.read_unlock_untokened() }, Ok(()));
    });
}

fn slot_unlock(setup: Setup) {
    play(setup, 2, Guarded::new, |guarded, place| {
        if place == 1 {
            return guarded.write();
        }
        let _lost = guarded.lock.read();
        guarded.look();
        // SAFETY: just taken, and no token is kept.
        unsafe {
            match guarded.lock.unlock_slot() {
                Ok(waiter) => waiter.wake(),
                Err(NotThere) => assert_eq!(guarded.lock.read_unlock_untokened(), Ok(())),
            }
        }
    });
}

fn second_slot_by_steps(setup: Setup) {
    let two_locks = || [const { FOUND_ASYMMETRIC }; 2].map(Guarded::<SlotsAndNotes>::found);
    play(setup, 2, two_locks, |[first, second], place| {
        if place == 1 {
            return second.write();
        }
        let outer = read_by_steps(&first.lock).expect("nobody writes");
        assert!(outer.is_slot());
        if read_by_steps(&second.lock).is_some() {
            second.look();
            // SAFETY: just taken, and no token is kept.
            unsafe { unlock_by_steps(&second.lock) };
        }
        // SAFETY: as above.
        unsafe { unlock_by_steps(&first.lock) };
    });
}

/// The first thread has read, and the second unlocks for it.
fn unlock_for_another(setup: Setup) {
    let read = || {
        // In a box: see `Leaked`.
        let guarded = Box::new(Guarded::new());
        assert!(guarded.lock.read().is_slot());
        guarded
    };
    play(setup, 3, read, |guarded, place| match place {
        0 => {}
        1 => {
            guarded.look();
            // SAFETY: the first thread has it.
            assert_eq!(unsafe { guarded.lock.unlock_found() }, Ok(()));
        }
        _ => guarded.write(),
    });
}

fn unlocks_at_once(setup: Setup) {
    let read = || {
        // In a box: see `Leaked`.
        let locks = Box::new([const { FOUND_ASYMMETRIC }; 2].map(Guarded::<SlotsAndNotes>::found));
        // The other lock has one of the two slots, so the third read goes by a share.
        for lock in [&locks[1], &locks[0], &locks[0]].map(|guarded| &guarded.lock) {
            assert!(read_by_steps(lock).is_some());
        }
        locks
    };
    play(setup, 3, read, |locks, place| {
        let [guarded, other] = &**locks;
        // SAFETY: the first thread has three reads, and no token is kept.
        unsafe {
            match place {
                0 => {
                    assert!(guarded.lock.unlock_slot().map(ToWake::wake).is_ok());
                    assert!(other.lock.unlock_slot().map(ToWake::wake).is_ok());
                }
                1 => assert_eq!(guarded.lock.unlock_found(), Ok(())),
                _ => guarded.write(),
            }
        }
    });
}

fn write_unlock_of_nothing(lock: &Lock<Slots>) {
    // SAFETY: no writer has the lock.
    assert_eq!(unsafe { lock.write_unlock_if_held() }, Err(NotHeld));
    assert!(lock.try_write());
    // SAFETY: just taken.
    assert_eq!(unsafe { lock.write_unlock_if_held() }, Ok(()));
    let read = lock.read();
    // SAFETY: as above.
    assert_eq!(unsafe { lock.write_unlock_if_held() }, Err(NotHeld));
    // SAFETY: just taken.
    unsafe { lock.read_unlock(read) };
    assert!(lock.try_write());
}

fn unlock_of_nothing(lock: &Lock<Slots>) {
    // SAFETY: no token is kept.
    assert!(unsafe { lock.unlock_slot() }.is_err());
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
            // SAFETY: the old lock is not used any more; the lock put in its place is.
            unsafe {
                ManuallyDrop::drop(&mut place);
                std::ptr::write(&raw mut *place, found());
            }
            assert!(Modelled::bias().is_some() && place.lock.try_write());
            drop(ManuallyDrop::into_inner(place));
        },
    );
}

/// A lock that the first thread has read, by a slot that it will never clear, and another lock.
struct Leaked {
    /// In a box: the stage is moved, and a lock that is held must not be.
    leaked: RefCell<Option<Box<Guarded>>>,
    other: Guarded,
}

impl Leaked {
    fn new() -> Self {
        let leaked = Box::new(Guarded::new());
        assert!(leaked.lock.read().is_slot());
        Self { leaked: RefCell::new(Some(leaked)), other: Guarded::new() }
    }
}

fn leak_elsewhere(setup: Setup) {
    play(setup, 3, Leaked::new, |stage, place| match place {
        0 => (0..2).for_each(|_| stage.other.read()),
        1 => drop(stage.leaked.take()),
        _ => stage.other.write(),
    });
}
