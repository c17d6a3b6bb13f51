//! Where threads meet at a lock and rounds are long, they wait awake.

use std::cell::RefCell;
use std::rc::Rc;

use siftlock_core_sim::rwsem::RwSem;
use siftlock_core_sim::rwsem::policy::Counted;
use siftlock_sim::{Aligned, Run, calls};

use super::counts::machine;
use super::platform::{Simulated, set_stage};
use super::subjects::Lock as _;

/// Nanoseconds of a run. In its first half the threads may learn how to wait.
const RUN: u64 = 40_000_000;

/// Two threads write, with these holds and pauses in nanoseconds. Returned for the run's second
/// half: the sections, how often the next section was the other thread's, and the sleeps.
fn second_half(hold: u64, pause: u64) -> (usize, usize, u64) {
    let (begun, parks) = (Rc::new(RefCell::new(Vec::new())), Rc::new(RefCell::new(0)));
    let lock = Rc::new(Aligned(RwSem::<Simulated, Counted>::new()));
    set_stage(2);
    let mut run = Run::new(machine(2), 1, None);
    for seat in 0..2 {
        let (lock, begun, parks) = (Rc::clone(&lock), Rc::clone(&begun), Rc::clone(&parks));
        run.thread(seat, move || {
            let is_second_half = || calls::now() > calls::cycles(RUN / 2);
            while !is_second_half() {
                lock.writing(|| calls::work(calls::cycles(hold)));
                calls::work(calls::cycles(pause));
            }
            let before = calls::counts();
            while calls::now() < calls::cycles(RUN) {
                lock.writing(|| {
                    begun.borrow_mut().push(seat);
                    calls::work(calls::cycles(hold));
                });
                calls::work(calls::cycles(pause));
            }
            *parks.borrow_mut() += (calls::counts() - before).parks;
        });
    }
    run.go().expect("a run");
    let changes = begun.borrow().windows(2).filter(|two| two[0] != two[1]).count();
    let (sections, parks) = (begun.borrow().len(), *parks.borrow());
    (sections, changes, parks)
}

#[test]
fn habit_of_long_rounds_is_to_wait_awake() {
    let (sections, changes, parks) = second_half(2_000, 2_000);
    assert!(sections > 9_000 && changes * 10 > sections * 9, "{sections}, {changes} changes");
    assert!(parks < 10, "{parks}");
}
