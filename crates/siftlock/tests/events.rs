//! The counters of the locks' events.

use siftlock::events::Event;
use siftlock::{RwSem, RwSemWriteGuard};

#[test]
fn rwsem_downgrades_are_counted_with_the_feature_only() {
    let lock = RwSem::new(());
    let before = Event::RwsemDowngrade.total();
    for _ in 0..3 {
        drop(RwSemWriteGuard::downgrade(lock.write()));
    }
    let expected = if cfg!(feature = "events") { 3 } else { 0 };
    assert_eq!(Event::RwsemDowngrade.total() - before, expected);
}
