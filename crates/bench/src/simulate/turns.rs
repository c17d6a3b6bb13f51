//! How long readers pass a writer by where their holds are long.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::rc::Rc;

use siftlock_core_sim::rwsem::RwSem;
use siftlock_core_sim::rwsem::policy::{Counted, Policy, ReadBias, Sendable};
use siftlock_sim::{Aligned, Run, calls};

use super::counts::machine;
use super::platform::{Simulated, set_stage};
use super::subjects::Lock as _;

/// [`Counted`], but a waiting writer asks no reader: it waits until its turn has come.
#[derive(Debug)]
struct NobodyAsks;

impl Policy for NobodyAsks {
    type Guards = Sendable;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const ASK_READERS: bool = false;
}

const READERS: usize = 2;

/// Nanoseconds after which the writer comes, and after which no reader begins a section.
const COMES: u64 = 1_000_000;
const ENDS: u64 = 20_000_000;

/// How often readers begin to read while a writer waits. One of two readers is always inside; each
/// stays for `hold` nanoseconds.
fn passes<L: Policy + Debug>(hold: u64) -> usize {
    let (begun, entered) = (Rc::new(RefCell::new(Vec::new())), Rc::new(Cell::new((0, 0))));
    let lock = Rc::new(Aligned(RwSem::<Simulated, L>::new()));
    set_stage(READERS + 1);
    let mut run = Run::new(machine(READERS + 1), 1, None);
    for seat in 0..READERS {
        let (lock, begun) = (Rc::clone(&lock), Rc::clone(&begun));
        run.thread(seat, move || {
            // The second reader begins in the middle of the first one's read.
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
        lock.writing(|| ());
        enters.set((came, calls::now()));
    });
    run.go().expect("a run");
    let (came, entered) = entered.get();
    begun.borrow().iter().filter(|&&at| came < at && at < entered).count()
}

/// A turn is 32 sleeps of 50 µs: two readers begin some 160 reads of 20 µs in that time. In 4 ms
/// they begin 400; by then the writer has the lock reserved at the latest.
#[test]
fn long_reads_end_with_their_turn() {
    let passed = passes::<NobodyAsks>(20_000);
    assert!((100..250).contains(&passed), "{passed}");
}

/// A read of 0.2 ms is longer than a change of threads. Passes: one read of each reader, the read
/// after it at which the turn ends, and the reads that begin while the writer wakes up.
#[test]
fn reads_longer_than_a_sleep_make_no_turn() {
    let passed = passes::<Counted>(200_000);
    assert!((2..8).contains(&passed), "{passed}");
}

/// A writer that waits awake asks readers to let it by, and gets in when the readers inside leave.
#[test]
fn writer_that_waits_awake_is_let_by() {
    assert_eq!(passes::<Counted>(20_000), 0);
}
