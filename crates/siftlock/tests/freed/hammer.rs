//! Threads leave a lock in every way there is. The thread that was inside last, as far as the
//! test's count knows, takes the lock for writing. So all others are past the step that lets them
//! out, and it destroys the lock at once.

use crate::page::Page;
use crate::support::{Platform, leave_and_destroy, on_each_platform};
use crate::visit::Visit::{self, Read, ReadFair, ReadRecursive, Write, WriteFair};
use siftlock::lock_api::RawRwLock as _;

on_each_platform!(
    rwsem_leaving_readers_do_not_touch_a_freed_lock,
    rwsem_leaving_writers_do_not_touch_a_freed_lock,
    rwsem_leavers_of_all_kinds_do_not_touch_a_freed_lock,
);

fn rwsem_leaving_readers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[Read, Read, ReadFair, ReadRecursive, Write]);
}

fn rwsem_leaving_writers_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&[Write, Write, WriteFair, Read]);
}

fn rwsem_leavers_of_all_kinds_do_not_touch_a_freed_lock<P: Platform>() {
    hammer::<P>(&Visit::ALL);
}

fn hammer<P: Platform>(visits: &[Visit]) {
    let page = Page::<P>::new();
    let visit = |way: Visit, inside: &mut dyn FnMut()| way.pay(page.lock(), inside);
    let destroy = || {
        page.lock().lock_exclusive();
        page.destroy();
    };
    leave_and_destroy(visits, || page.build(), visit, destroy);
}
