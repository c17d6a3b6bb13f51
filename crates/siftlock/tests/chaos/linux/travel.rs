//! Guards that another thread drops: only with every reader counted.

use super::actor::Actor;
use super::place::{Place, Visit};
use super::post::Post;
use super::support::{Native, Platform};
use super::ward::{Reading, Ward};
use siftlock::RawRwSem;
use siftlock::lock_api::{
    RwLockReadGuard as Read, RwLockUpgradableReadGuard as Upgradable, RwLockWriteGuard as Write,
};
use siftlock::policy::Counted;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

pub(crate) static PARCELS: AtomicU64 = AtomicU64::new(0);

/// A guard that can be sent.
enum Guard<P: Platform> {
    Read(Read<'static, RawRwSem<Counted, P>, Ward>, Reading),
    Upgradable(Upgradable<'static, RawRwSem<Counted, P>, Ward>, Reading),
    Write(Write<'static, RawRwSem<Counted, P>, Ward>),
}

/// A guard on its way. Its visit ends after it.
pub(crate) struct Parcel<P: Platform = Native> {
    guard: Guard<P>,
    place: &'static Place<P, Counted>,
    _visit: Visit,
}

/// Takes the lock and sends the guard away.
pub(crate) fn send(place: &'static Place<Native, Counted>, visit: Visit, actor: &mut Actor) {
    let lock = place.lock();
    actor.post.begin(&"a lock for another thread");
    let guard = match actor.rng.u32(..4) {
        0 => Guard::Write(lock.write()),
        1 => {
            let guard = lock.upgradable_read();
            let reading = guard.enter(actor);
            Guard::Upgradable(guard, reading)
        }
        _ => {
            let guard = lock.read();
            let reading = guard.enter(actor);
            Guard::Read(guard, reading)
        }
    };
    let parcel = Parcel { guard, place, _visit: visit };
    // Relaxed: a counter.
    PARCELS.fetch_add(1, Ordering::Relaxed);
    // The postman has enough parcels, or has gone.
    if let Err(back) = actor.world.mail.try_send(parcel) {
        let (std::sync::mpsc::TrySendError::Full(parcel)
        | std::sync::mpsc::TrySendError::Disconnected(parcel)) = back;
        deliver(parcel, actor);
    }
}

/// Takes guards from the mail and drops them in another order. Never waits for a lock while it
/// holds one. Waits for mail only while it holds none.
pub(crate) fn be_a_postman(mail: &Receiver<Parcel>, actor: &mut Actor) {
    let mut held = Vec::new();
    loop {
        while held.len() < 4
            && let Ok(parcel) = mail.try_recv()
        {
            held.push(parcel);
        }
        if held.is_empty() {
            actor.post.idle();
            match mail.recv_timeout(Duration::from_millis(20)) {
                Ok(parcel) => held.push(parcel),
                Err(RecvTimeoutError::Timeout) if !actor.world.is_over() => {}
                Err(_) => return,
            }
        } else {
            let next = actor.rng.usize(..held.len());
            deliver(held.swap_remove(next), actor);
        }
    }
}

fn deliver<P: Platform>(parcel: Parcel<P>, actor: &mut Actor) {
    let post: &Post = actor.post;
    match parcel.guard {
        Guard::Read(guard, reading) => {
            guard.leave(reading);
            post.begin(&"unlock another thread's read");
            if actor.rng.bool() { drop(guard) } else { Read::unlock_fair(guard) }
        }
        Guard::Upgradable(guard, reading) => {
            guard.leave(reading);
            post.begin(&"unlock another thread's upgradable read");
            match Upgradable::try_upgrade(guard) {
                Ok(guard) => {
                    write(&guard, parcel.place, actor);
                    drop(guard);
                }
                Err(guard) => Upgradable::unlock_fair(guard),
            }
        }
        Guard::Write(guard) => {
            write(&guard, parcel.place, actor);
            post.begin(&"unlock another thread's write");
            match actor.rng.u32(..3) {
                0 => drop(guard),
                1 => Write::unlock_fair(guard),
                _ => drop(Write::downgrade(guard)),
            }
        }
    }
}

/// A write in which the thread takes no other lock, since it may hold some.
fn write<P: Platform>(ward: &Ward, place: &Place<P, Counted>, actor: &mut Actor) {
    actor.floor = usize::MAX;
    ward.write(actor);
    place.written.add();
}
