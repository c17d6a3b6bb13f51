//! What accesses cost.

mod common;

use common::{Body, machine, run, toil, words};
use siftlock_sim::{AtomicU32, Counts, Run, calls};
use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

#[test]
fn two_adders_take_one_transfer_an_operation() {
    let mut machine = machine(2, 1);
    machine.memory.keep = 0;
    let [word] = words();
    let adder = || -> Body {
        let word = Rc::clone(&word);
        Box::new(move || (0..100).for_each(|_| _ = word.fetch_add(1, Relaxed)))
    };
    let total = run(machine, vec![adder(), adder()]).total();
    assert_eq!((total.steps, total.transfers, total.invalidated), (200, 200, 199));
    assert_eq!(word.load(Relaxed), 200);
}

#[test]
fn siblings_step_one_after_another() {
    let machine = machine(1, 2);
    let rmw = machine.memory.rmw;
    let [word] = words();
    let adder = || -> Body {
        let word = Rc::clone(&word);
        Box::new(move || (0..10_000).for_each(|_| _ = word.fetch_add(1, Relaxed)))
    };
    let outcome = run(machine, vec![adder(), adder()]);
    assert!(outcome.took >= outcome.total().steps * rmw, "{outcome:?}");
    assert_eq!(outcome.total().transfers, 1);
}

#[test]
fn reader_among_writers_loads_what_it_waited_for() {
    let [word] = words();
    let mut bodies: Vec<Body> = Vec::new();
    for _ in 0..4 {
        let word = Rc::clone(&word);
        bodies.push(Box::new(move || (0..200).for_each(|_| _ = word.fetch_add(1, Relaxed))));
    }
    bodies.push(Box::new(move || (0..10).for_each(|_| _ = word.load(Relaxed))));
    let outcome = run(machine(5, 1), bodies);
    assert!(outcome.counts[4].transfers <= 10, "{:?}", outcome.counts[4]);
}

#[test]
fn spinner_takes_no_transfer_until_the_line_changes() {
    let [word, own] = words();
    let spinner: Body = Box::new({
        let word = Rc::clone(&word);
        move || {
            while word.load(Relaxed) == 0 {
                calls::spin(&word.0, 1_000_000);
            }
        }
    });
    let writer: Body = Box::new(move || {
        toil(&own, 100_000);
        word.store(1, Relaxed);
    });
    let outcome = run(machine(2, 1), vec![spinner, writer]);
    assert!(outcome.took < 2_800 * 110, "it looks again at once: {}", outcome.took);
    let spun = outcome.counts[0];
    assert_eq!(spun.transfers, 2, "{spun:?}");
    assert!(spun.polls > 10_000 && spun.loads == 2, "{spun:?}");
}

#[test]
fn spinner_returns_after_its_looks() {
    let [word] = words();
    let body: Body = Box::new(move || {
        word.load(Relaxed);
        let begun = calls::now();
        assert_eq!(calls::spin(&word.0, 50), 50);
        assert_eq!(calls::now() - begun, 50 * (10 + 4));
    });
    assert_eq!(run(machine(1, 1), vec![body]).total().polls, 50);
}

#[test]
fn spinner_is_disturbed_by_no_line_that_it_watched_before() {
    let [word, own, third] = words();
    let spinner: Body = Box::new({
        let word = Rc::clone(&word);
        move || {
            word.load(Relaxed);
            calls::spin(&word.0, 10);
            own.load(Relaxed);
            assert_eq!(calls::spin(&own.0, 20_000), 20_000);
        }
    });
    let writer: Body = Box::new(move || {
        toil(&third, 50_000);
        word.store(1, Relaxed);
    });
    run(machine(2, 1), vec![spinner, writer]);
}

/// Calls `act` so many frames farther down.
fn deeper(frames: usize, act: &dyn Fn()) {
    let frame = black_box([frames as u8; 200]);
    if frames == 0 {
        act();
    } else {
        deeper(frames - 1, act);
    }
    black_box(frame);
}

#[test]
fn node_on_a_stack_costs_the_same_at_every_depth() {
    let costs = Rc::new(RefCell::new(Vec::<(u64, Counts)>::new()));
    let body: Body = Box::new({
        let costs = Rc::clone(&costs);
        move || {
            for frames in 0..40 {
                let before = (calls::now(), calls::counts());
                deeper(frames, &|| {
                    let node = [const { AtomicU32::new(0) }; 40];
                    calls::announce(&node);
                    node.iter().for_each(|word| word.store(1, Relaxed));
                });
                let after = (calls::now(), calls::counts());
                costs.borrow_mut().push((after.0 - before.0, after.1 - before.1));
            }
        }
    });
    run(machine(1, 1), vec![body]);
    let costs = costs.borrow();
    assert_eq!((costs[0].0, costs[0].1.transfers, costs[0].1.stores), (160, 0, 40));
    assert!(costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
}

#[test]
fn lock_is_held_no_longer_than_the_run_takes() {
    let machine = machine(4, 2);
    let hold = 100;
    let [lock] = words();
    let (is_held, entered) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0)));
    let mut run = Run::new(machine, 200_000, Some(1));
    for processor in 0..8 {
        let (lock, is_held, entered) = (Rc::clone(&lock), Rc::clone(&is_held), Rc::clone(&entered));
        run.thread(processor, move || {
            while !calls::is_over() {
                while lock.swap(1, Relaxed) == 1 {
                    lock.load(Relaxed);
                    calls::spin(&lock.0, 100);
                }
                assert!(!is_held.replace(true), "two are inside");
                calls::work(hold);
                entered.set(entered.get() + 1);
                lock.load(Relaxed);
                is_held.set(false);
                lock.store(0, Relaxed);
            }
        });
    }
    let outcome = run.go().unwrap();
    assert!(entered.get() > 100 && entered.get() * hold <= outcome.took, "{}", entered.get());
}

#[test]
fn heavy_fence_costs_more_where_others_run() {
    let took = |others: usize| {
        let took = Rc::new(Cell::new((0, 0)));
        let mut bodies: Vec<Body> = vec![Box::new({
            let took = Rc::clone(&took);
            move || {
                calls::work(calls::cycles(100_000));
                let begun = calls::now();
                calls::heavy_fence();
                took.set((calls::now() - begun, 0));
            }
        })];
        for other in 0..others {
            let (took, [own]) = (Rc::clone(&took), words());
            bodies.push(Box::new(move || {
                let begun = calls::now();
                toil(&own, 200_000);
                if other == 0 {
                    took.set((took.get().0, calls::now() - begun));
                }
            }));
        }
        let outcome = run(machine(4, 1), bodies);
        assert_eq!(outcome.total().barriers, 1);
        took.get()
    };
    let (alone, one, three) = (took(0), took(1), took(3));
    assert_eq!([alone.0, one.0, three.0], [1_400, 1_400 + 5_600 + 560, 1_400 + 5_600 + 3 * 560]);
    // 200 µs, the first look's way from memory, 199 hits, and the fence's moment.
    assert_eq!(one.1, 560_000 + 300 + 200 * 4 + 560);
}
