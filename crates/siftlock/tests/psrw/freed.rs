//! The memory of a lock is gone at the moment when its last unlock lets another thread in.
//!
//! Threads leave a lock in every way there is. The thread that was inside last, as far as the
//! test's count knows, destroys the lock.

use crate::ground::Ground;
use crate::lock::Lock;
use crate::support::{Platform, leave_and_destroy, on_each_platform};
use siftlock::context::NonPreemptible;
use std::time::Duration;

on_each_platform!(
    psrw_leaving_readers_do_not_touch_a_freed_lock,
    psrw_leaving_writers_do_not_touch_a_freed_lock,
    psrw_calls_that_give_up_do_not_touch_a_freed_lock,
);

/// A way to take the lock, be inside, and leave it.
type Visit<P> = fn(&Lock<(), P>, &mut dyn FnMut());

fn read<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    let _guard = lock.read();
    inside();
}

fn read_awake<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    let _guard = lock.read_at(NonPreemptible);
    inside();
}

fn write<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    let _guard = lock.write();
    inside();
}

/// Gives up a write, which must not touch the lock after its undo either; then counts itself out.
fn give_up<P: Platform>(lock: &Lock<(), P>, inside: &mut dyn FnMut()) {
    match lock.try_write_for(Duration::from_micros(20)) {
        Some(_guard) => inside(),
        None => read(lock, inside),
    }
}

fn psrw_leaving_readers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[read, read, read_awake, write]);
}

fn psrw_leaving_writers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[write, write, read]);
}

fn psrw_calls_that_give_up_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[give_up, give_up, read, read_awake]);
}

fn hammer<P: Platform>(visits: &[Visit<P>]) {
    let ground = Ground::<P>::new();
    let visit = |way: Visit<P>, inside: &mut dyn FnMut()| way(ground.lock(), inside);
    leave_and_destroy(visits, || ground.build(), visit, || ground.destroy());
}
