//! How runs end, and that they are the same every time.

mod common;

use common::{Body, machine, run, words};
use siftlock_sim::{Outcome, Run, calls};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

/// Threads that add, spin, sleep and wake, more of them than processors.
fn mixed(seed: Option<u64>) -> Outcome {
    let words = words::<3>();
    let mut machine = machine(1, 2);
    machine.system.slice = machine.cycles(20_000);
    let mut run = Run::new(machine, 500_000, seed);
    for id in 0..6 {
        let [count, turn, own] = words.clone();
        run.thread(id % 2, move || {
            while !calls::is_over() {
                count.fetch_add(1, Relaxed);
                let now = calls::clock();
                calls::sleep(&turn.0, || turn.load(Relaxed) % 3 == id as u32, Some(now + 20_000));
                own.load(Relaxed);
                calls::spin(&own.0, 4_000);
                turn.fetch_add(1, Relaxed);
                calls::wake(&turn.0, 1);
                calls::give_way();
            }
        });
    }
    let [_, _, own] = words;
    run.handler(0, 2, 30_000, move || _ = own.fetch_add(1, Relaxed));
    run.go().unwrap_or_else(|stuck| panic!("{stuck}"))
}

#[test]
fn run_is_the_same_every_time() {
    assert_eq!(mixed(None), mixed(None));
    assert_eq!(mixed(Some(7)), mixed(Some(7)));
    assert_ne!(mixed(Some(7)).hash, mixed(Some(8)).hash);
    assert_ne!(mixed(Some(7)).hash, mixed(None).hash);
    let total = mixed(Some(7)).total();
    assert!(
        total.parks > 0 && total.wakes > 0 && total.preempted > 0 && total.interrupts > 0,
        "{total:?}"
    );
}

#[test]
fn run_says_where_threads_sleep_for_ever() {
    let [word] = words();
    let mut run = Run::new(machine(2, 1), 1_000, None);
    run.thread(0, move || calls::sleep(&word.0, || true, None));
    run.thread(1, || calls::work(10));
    let stuck = run.go().unwrap_err().to_string();
    assert!(stuck.contains("every thread sleeps"), "{stuck}");
    assert!(stuck.contains("thread 0: Sleeping, parks 1, calls 1"), "{stuck}");
    assert!(stuck.contains("thread 1: Ended"), "{stuck}");
}

#[test]
fn run_notices_threads_that_never_end() {
    for polls_alone in [true, false] {
        let [word] = words();
        let mut machine = machine(1, 1);
        machine.memory.hit = 1_000_000;
        let mut run = Run::new(machine, 1_000, None);
        run.thread(0, move || {
            while word.load(Relaxed) == 0 {
                if !polls_alone {
                    calls::spin(&word.0, 10);
                }
            }
        });
        let stuck = run.go().unwrap_err().to_string();
        assert!(stuck.contains("a thread does not come to its end"), "{stuck}");
        assert!(stuck.contains("thread 0: Running"), "{stuck}");
    }
}

#[test]
fn run_takes_as_long_as_its_longest_body() {
    let bodies: Vec<Body> = vec![Box::new(|| calls::work(1_000_000)), Box::new(|| {})];
    let outcome = run(machine(2, 1), bodies);
    assert!(outcome.took > 1_000_000, "{}", outcome.took);
    let bodies: Vec<Body> = vec![Box::new(|| {}), Box::new(|| calls::work(1_000_000))];
    assert_eq!(run(machine(2, 1), bodies).took, outcome.took);
}

/// Adds to the word when it is dropped.
struct Guard(Rc<siftlock_sim::Aligned<siftlock_sim::AtomicU32>>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
    }
}

#[test]
fn run_hands_on_the_panic_of_a_body() {
    let [word] = words();
    let failing = {
        let word = Rc::clone(&word);
        move || {
            let mut run = Run::new(machine(2, 1), 1_000, None);
            let guard = Guard(Rc::clone(&word));
            run.thread(0, move || {
                let _guard = guard;
                panic!("as asked");
            });
            run.thread(1, move || (0..100).for_each(|_| _ = word.fetch_add(1, Relaxed)));
            run.go()
        }
    };
    let panic = catch_unwind(AssertUnwindSafe(failing)).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"as asked"));
    assert!(word.load(Relaxed) > 0, "the guard was dropped");
    mixed(None);
}
