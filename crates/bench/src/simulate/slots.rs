//! A writer's wait for a reader by slot, at every moment at which the reader may leave.

use std::cell::Cell;
use std::rc::Rc;

use siftlock_core_sim::rwsem::RwSem;
use siftlock_sim::{Aligned, Run, calls};

use super::counts::machine;
use super::platform::{Simulated, set_stage};
use super::subjects::{Lock as _, Symmetric};

/// Whenever a reader leaves its slot while a writer waits for it, the writer is in soon.
#[test]
fn write_begins_soon_after_the_slot_is_cleared() {
    for later in (0..900).step_by(4) {
        let (left, entered) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        let (leaves, enters) = (Rc::clone(&left), Rc::clone(&entered));
        set_stage(2);
        let mut run = Run::new(machine(2), 1, None);
        let lock = Rc::new(Aligned(RwSem::<Simulated, Symmetric>::new()));
        let other = Rc::clone(&lock);
        run.thread(0, move || {
            other.reading(|| ());
            other.reading(|| {
                calls::work(20_000 + later - calls::now());
                leaves.set(calls::now());
            });
        });
        run.thread(1, move || {
            calls::work(20_000 - calls::now());
            lock.writing(|| enters.set(calls::now()));
        });
        run.go().expect("a run");
        let waited = entered.get().saturating_sub(left.get());
        assert!(waited < 900, "left {later} cycles later: in after {waited} cycles");
    }
}
