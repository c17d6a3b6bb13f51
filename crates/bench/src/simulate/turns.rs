//! How long readers pass the first waiter by where their holds are long.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use siftlock_core_sim::platform::Platform as _;
use siftlock_core_sim::rwsem::RwSem;
use siftlock_core_sim::rwsem::policy::Counted;
use siftlock_sim::{Aligned, Run, calls};

use super::counts::machine;
use super::platform::{Simulated, set_stage};
use super::subjects::Lock as _;

type Sem = RwSem<Simulated, Counted>;

const READERS: usize = 2;

/// Nanoseconds after which the writer comes, and after which nobody begins a section.
const COMES: u64 = 1_000_000;
const ENDS: u64 = 20_000_000;

/// How often two others, of whom there is always one inside for so many nanoseconds, begin to read while a writer
/// waits that does this.
fn passes(hold: u64, write: fn(&Sem)) -> usize {
    let (begun, entered) = (Rc::new(RefCell::new(Vec::new())), Rc::new(Cell::new((0, 0))));
    let lock = Rc::new(Aligned(Sem::new()));
    set_stage(READERS + 1);
    let mut run = Run::new(machine(READERS + 1), 1, None);
    for seat in 0..READERS {
        let (lock, begun) = (Rc::clone(&lock), Rc::clone(&begun));
        run.thread(seat, move || {
            // The second begins in the middle of the first one's.
            calls::work(calls::cycles(1 + hold * seat as u64 / READERS as u64));
            while calls::now() < calls::cycles(ENDS) {
                lock.reading(|| {
                    begun.borrow_mut().push(calls::now());
                    calls::work(calls::cycles(hold));
                });
            }
        });
    }
    let enters = Rc::clone(&entered);
    run.thread(READERS, move || {
        calls::work(calls::cycles(COMES));
        let came = calls::now();
        write(&lock);
        enters.set((came, calls::now()));
    });
    run.go().expect("a run");
    let (came, entered) = entered.get();
    begun.borrow().iter().filter(|&&at| came < at && at < entered).count()
}

fn write(lock: &Sem) {
    lock.writing(|| ());
}

/// With a deadline when the others have ended.
fn write_in_time(lock: &Sem) {
    let deadline = Some(Simulated::now().after(2 * ENDS));
    assert!(lock.write_until(deadline).is_ok());
    // SAFETY: the write above.
    unsafe { lock.write_unlock() };
}

/// Two readers begin some twenty reads of 20 µs in 0.2 ms, and four hundred in 4 ms.
#[test]
fn long_reads_end_after_a_doze() {
    let passed = passes(20_000, write);
    assert!((10..60).contains(&passed), "{passed}");
}

/// It may give up, and would have kept readers out for nothing.
#[test]
fn long_reads_go_on_past_a_waiter_with_a_deadline() {
    let passed = passes(20_000, write_in_time);
    assert!(passed > 300, "{passed}");
}
