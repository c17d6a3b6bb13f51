//! Handlers, and what keeps them out.

mod common;

use common::{machine, toil, words};
use siftlock_sim::{Cycles, Run, calls};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

#[test]
fn interrupt_waits_until_the_thread_lowers_itself() {
    let (is_raised, handled) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0)));
    let [own] = words();
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, {
        let (is_raised, handled) = (Rc::clone(&is_raised), Rc::clone(&handled));
        move || {
            for _ in 0..5 {
                assert_eq!((calls::raise(3), calls::level()), (0, 3));
                is_raised.set(true);
                let before = handled.get();
                toil(&own, 100_000);
                is_raised.set(false);
                calls::lower(0);
                assert_eq!(handled.get(), before + 1, "one that waited, at once");
                toil(&own, 100_000);
                assert!(handled.get() > before + 2);
            }
        }
    });
    run.handler(0, 3, 30_000, move || {
        assert!(!is_raised.get(), "it was kept out");
        handled.set(handled.get() + 1);
    });
    run.go().unwrap();
}

#[test]
fn interrupt_of_a_higher_class_interrupts_a_lower_handler() {
    let (low, nested) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0)));
    let words = words::<2>();
    let [own, its] = words;
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, move || toil(&own, 1_000_000));
    run.handler(0, 1, 200_000, {
        let low = Rc::clone(&low);
        move || {
            low.set(true);
            assert_eq!(calls::level(), 1);
            toil(&its, 50_000);
            low.set(false);
        }
    });
    run.handler(0, 2, 30_000, {
        let nested = Rc::clone(&nested);
        move || nested.set(nested.get() + u64::from(low.get()))
    });
    let outcome = run.go().unwrap();
    assert!(nested.get() >= 4, "{}", nested.get());
    assert!(outcome.counts[0].preempted == 0 && outcome.counts[1].interrupts >= 5);
}

#[test]
fn handlers_of_one_class_run_one_after_another() {
    let spans = Rc::new(RefCell::new(Vec::<(Cycles, Cycles)>::new()));
    let [own] = words();
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, move || toil(&own, 1_000_000));
    for every in [40_000, 33_000] {
        let spans = Rc::clone(&spans);
        run.handler(0, 1, every, move || {
            let begun = calls::now();
            calls::work(calls::cycles(10_000));
            spans.borrow_mut().push((begun, calls::now()));
        });
    }
    run.go().unwrap();
    let mut spans = spans.take();
    spans.sort_unstable();
    assert!(spans.len() > 40 && spans.is_sorted_by(|a, b| a.1 <= b.0), "{spans:?}");
}

#[test]
fn interrupt_wakes_an_idle_processor_and_the_next_one_waits_for_its_end() {
    let [own, its] = words();
    let begins = Rc::new(RefCell::new(Vec::new()));
    let mut run = Run::new(machine(2, 1), 1_000_000, None);
    run.thread(0, move || toil(&own, 1_000_000));
    run.handler(1, 1, 100_000, {
        let begins = Rc::clone(&begins);
        move || {
            begins.borrow_mut().push(calls::now());
            toil(&its, 60_000);
        }
    });
    run.handler(1, 1, 100_000, || {});
    let outcome = run.go().unwrap();
    // The first comes after 50 µs; 1 µs out of a light sleep, 0.5 µs of the interrupt's way in.
    assert_eq!(begins.borrow()[0], 2_800 * 51 + 1_400);
    assert!(outcome.counts[2].interrupts >= 9, "{:?}", outcome.counts[2]);
}

#[test]
fn raised_thread_is_not_preempted_until_it_lowers_itself() {
    let [own] = words();
    let others = Rc::new(Cell::new(false));
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, {
        let others = Rc::clone(&others);
        move || {
            calls::raise(1);
            toil(&own, 10_000_000);
            assert!(!others.get(), "no other has run");
            calls::lower(0);
            assert!(others.get(), "overdue");
        }
    });
    run.thread(0, move || others.set(true));
    assert_eq!(run.go().unwrap().counts[0].preempted, 1);
}

#[test]
fn interrupt_waits_for_no_thread_that_sleeps() {
    let [word] = words();
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, move || {
        calls::raise(3);
        toil(&word, 30_000);
        let before = calls::now() / 2_800 * 1_000;
        calls::sleep(&word.0, || true, Some(before + 5_000_000));
        calls::lower(0);
    });
    // It is due once, while the raised thread sleeps.
    let come = Rc::new(Cell::new(0));
    run.handler(0, 3, 6_000_000, {
        let come = Rc::clone(&come);
        move || come.set(come.get() + 1)
    });
    let first = Rc::new(Cell::new(0));
    run.handler(0, 3, 30_000, {
        let first = Rc::clone(&first);
        move || first.set(if first.get() == 0 { calls::now() } else { first.get() })
    });
    run.go().unwrap();
    assert_eq!(come.get(), 1);
    assert!(first.get() < 2_800 * 40, "{}", first.get());
}

#[test]
fn interrupted_spinner_looks_again() {
    let [word, own] = words();
    let mut run = Run::new(machine(2, 1), 1_000_000, None);
    run.thread(0, {
        let word = Rc::clone(&word);
        move || {
            while word.load(Relaxed) < 100 {
                calls::spin(&word.0, 1_000_000);
            }
        }
    });
    run.thread(1, move || {
        for _ in 0..100 {
            toil(&own, 7_000);
            word.fetch_add(1, Relaxed);
        }
    });
    run.handler(0, 1, 11_000, || calls::work(3_000));
    let outcome = run.go().unwrap();
    assert!(outcome.took < 2_800 * 720 && outcome.counts[2].interrupts > 50, "{outcome:?}");
}

#[test]
fn handler_gives_way_to_no_thread() {
    let [own] = words();
    let is_handling = Rc::new(Cell::new(false));
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, {
        let is_handling = Rc::clone(&is_handling);
        move || {
            for _ in 0..5 {
                calls::nap(50_000);
                assert!(!is_handling.get());
            }
        }
    });
    run.handler(0, 1, 150_000, move || {
        is_handling.set(true);
        for _ in 0..10 {
            toil(&own, 10_000);
            calls::give_way();
        }
        is_handling.set(false);
    });
    assert!(run.go().unwrap().counts[1].interrupts > 2);
}

#[test]
#[should_panic(expected = "a handler of interrupts sleeps")]
fn handler_must_not_sleep() {
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, || calls::nap(1_000_000));
    run.handler(0, 1, 30_000, || calls::nap(1));
    let _ = run.go();
}
