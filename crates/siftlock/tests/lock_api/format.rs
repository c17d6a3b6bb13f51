//! The output of locks and guards when they are printed.

use super::{Lock, api};
use crate::support::{Platform, on_each_platform};

on_each_platform!(
    rwsem_shows_its_value_unless_it_is_written,
    rwsem_guards_show_the_value,
    rwsem_raw_lock_shows_who_has_it,
);

fn rwsem_shows_its_value_unless_it_is_written<P: Platform>() {
    let lock = Lock::<_, P>::new("value");
    assert_eq!(format!("{lock:?}"), "RwLock { data: \"value\" }");
    let reader = lock.read();
    assert_eq!(format!("{lock:?}"), "RwLock { data: \"value\" }");
    drop(reader);
    let writer = lock.write();
    assert_eq!(format!("{lock:?}"), "RwLock { data: <locked> }");
    drop(writer);
    assert!(!lock.is_locked(), "printing has taken the lock for good");
}

fn rwsem_guards_show_the_value<P: Platform>() {
    let lock = Lock::<_, P>::new("value");
    {
        let guard = lock.read();
        assert_eq!(format!("{guard} {guard:?}"), "value \"value\"");
    }
    {
        let guard = lock.upgradable_read();
        assert_eq!(format!("{guard} {guard:?}"), "value \"value\"");
    }
    let guard = lock.write();
    assert_eq!(format!("{guard} {guard:?}"), "value \"value\"");
}

fn rwsem_raw_lock_shows_who_has_it<P: Platform>() {
    let lock = Lock::<_, P>::new(());
    // SAFETY: the raw lock is only printed.
    let show = || format!("{:?}", unsafe { lock.raw() });
    assert_eq!(show(), "RawRwSem { locked: false, locked_for_writing: false }");
    let reader = lock.read();
    assert_eq!(show(), "RawRwSem { locked: true, locked_for_writing: false }");
    drop(reader);
    let _writer: api::RwLockWriteGuard<'_, _, _> = lock.write();
    assert_eq!(show(), "RawRwSem { locked: true, locked_for_writing: true }");
}
