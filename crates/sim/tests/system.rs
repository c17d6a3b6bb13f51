//! Sleep and wake, slices, preemption, idle processors.

mod common;

use common::{Body, machine, run, toil, words};
use siftlock_sim::machine::Topology;
use siftlock_sim::{Cycles, Machine, Run, calls, presets};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

/// What happened, in order.
type Log = Rc<RefCell<Vec<usize>>>;

#[test]
fn sleepers_wake_in_the_order_in_which_they_slept() {
    let [word] = words();
    let log = Log::default();
    let mut bodies: Vec<Body> = Vec::new();
    for id in 0..4 {
        let (log, word) = (Rc::clone(&log), Rc::clone(&word));
        bodies.push(Box::new(move || {
            if id == 0 {
                calls::work(calls::cycles(50_000));
                for most in [1, 0, 1, 9] {
                    calls::wake(&word.0, most);
                    calls::work(calls::cycles(20_000));
                }
            } else {
                calls::work(calls::cycles(10_000 - 1_000 * id as u64));
                calls::sleep(&word.0, || word.load(Relaxed) == 0, None);
                log.borrow_mut().push(id);
            }
        }));
    }
    let outcome = run(machine(4, 1), bodies);
    assert_eq!(*log.borrow(), [3, 2, 1]);
    assert_eq!((outcome.counts[0].wakes, outcome.total().parks), (3, 3));
}

#[test]
fn sleep_returns_at_once_where_the_word_has_changed() {
    let [word] = words();
    let body: Body = Box::new(move || {
        let begun = calls::now();
        calls::sleep(&word.0, || word.load(Relaxed) == 7, None);
        assert!(calls::now() - begun < calls::cycles(1_000));
    });
    let total = run(machine(1, 1), vec![body]).total();
    assert_eq!((total.parks, total.calls), (0, 1));
}

#[test]
fn time_out_and_wake_at_once_wake_once() {
    let mut woken = 0;
    let at_once = (0..80).map(|offset| 145_000 + 50 * offset);
    for at in at_once.chain([110_000, 130_000]) {
        let [word, other] = words();
        let waker: Body = Box::new({
            let word = Rc::clone(&word);
            move || {
                calls::work(calls::cycles(at));
                calls::wake(&word.0, 1);
            }
        });
        let sleeper: Body = Box::new(move || {
            let first = calls::now() / 2_800 * 1_000 + 98_000;
            calls::sleep(&word.0, || true, Some(first));
            assert!(calls::now() >= calls::cycles(first), "it slept");
            calls::sleep(&other.0, || true, Some(first + 200_000));
            assert!(calls::now() >= calls::cycles(first + 250_000), "nothing of the first is left");
        });
        let outcome = run(machine(2, 1), vec![waker, sleeper]);
        assert!(outcome.took < 2_800 * 400, "it goes on at once: {}", outcome.took);
        let total = outcome.total();
        assert_eq!(total.parks, 2);
        woken += total.wakes;
    }
    assert!((3..80).contains(&woken), "both came first at times: {woken}");
}

#[test]
fn threads_of_one_processor_take_slices() {
    let machine = machine(1, 1);
    let mut run = Run::new(machine, 30_000_000, None);
    for _ in 0..2 {
        let [own] = words();
        run.thread(0, move || {
            while !calls::is_over() {
                toil(&own, 10_000);
            }
        });
    }
    let outcome = run.go().unwrap();
    let [a, b] = [0, 1].map(|id| outcome.counts[id].loads as i64);
    assert!((a - b).abs() <= 3_100, "{a} and {b}: no more than a slice apart");
    assert!((8..=10).contains(&outcome.total().preempted), "{:?}", outcome.total());
}

#[test]
fn idle_processor_takes_a_thread_that_waits_elsewhere() {
    let mut run = Run::new(machine(2, 1), 1_000_000, None);
    for body in 0..3 {
        let [own] = words();
        run.thread(0, move || toil(&own, if body == 1 { 100_000 } else { 1_000_000 }));
    }
    let outcome = run.go().unwrap();
    assert!(outcome.took < machine(2, 1).cycles(1_150_000), "{}", outcome.took);
}

#[test]
fn woken_thread_preempts_its_waker() {
    let [word, own] = words();
    let log = Log::default();
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    run.thread(0, {
        let (word, log) = (Rc::clone(&word), Rc::clone(&log));
        move || {
            calls::sleep(&word.0, || true, None);
            log.borrow_mut().push(0);
        }
    });
    run.thread(0, move || {
        toil(&own, 2_500_000);
        calls::wake(&word.0, 1);
        toil(&own, 10_000);
        log.borrow_mut().push(1);
        assert_eq!(*log.borrow(), [0, 1]);
    });
    assert_eq!(run.go().unwrap().counts[1].preempted, 1);
}

#[test]
fn thread_gives_way_to_those_that_wait() {
    let log = Log::default();
    let mut run = Run::new(machine(1, 1), 1_000_000, None);
    for id in 0..3 {
        let log = Rc::clone(&log);
        run.thread(0, move || {
            for _ in 0..3 {
                log.borrow_mut().push(id);
                calls::give_way();
            }
        });
    }
    run.go().unwrap();
    assert_eq!(*log.borrow(), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
}

/// When each thread begins, each on its processor.
fn begins(machine: Machine, threads: usize) -> Vec<Cycles> {
    let begins = Rc::new(RefCell::new(vec![0; threads]));
    let bodies = (0..threads).map(|id| -> Body {
        let begins = Rc::clone(&begins);
        Box::new(move || begins.borrow_mut()[id] = calls::now())
    });
    run(machine, bodies.collect());
    begins.take()
}

#[test]
fn cold_processor_takes_the_way_out_of_its_sleep() {
    let one_core = Topology { sockets: 1, clusters: 1, cores: 1, threads: 2 };
    let deep = presets::named("ivb-ex").unwrap().with_topology(one_core);
    // 88 µs from the deepest state, or 10 µs beside a busy sibling; then 0.5 µs and a switch.
    assert_eq!(begins(deep.clone(), 2), [89_500, 11_500].map(|nanos| deep.cycles(nanos)));
    let light = deep.without_idle_states();
    assert_eq!(begins(light.clone(), 2), [2_500, 2_500].map(|nanos| light.cycles(nanos)));
}

#[test]
fn processor_sleeps_lightly_after_short_sleeps() {
    let deep = presets::named("ivb-ex").unwrap();
    let one = Topology { sockets: 1, clusters: 1, cores: 1, threads: 1 };
    let body: Body = Box::new(|| {
        let took = || {
            let begun = calls::now();
            calls::nap(20_000);
            calls::now() - begun
        };
        let all: Vec<Cycles> = (0..60).map(|_| took()).collect();
        // The call, the nap, its lateness, the way out, 0.5 µs, and a switch.
        let expected = |exit: u64| calls::cycles(100 + 20_000 + 50_000 + exit + 500 + 1_000);
        assert_eq!((all[0], all[59]), (expected(88_000), expected(1_000)));
    });
    run(deep.with_topology(one), vec![body]);
}

#[test]
fn processor_turns_back_on_its_way_to_sleep() {
    let shortest = Rc::new(Cell::new(Cycles::MAX));
    for offset in 0..20 {
        let [word] = words();
        let waker: Body = Box::new({
            let word = Rc::clone(&word);
            move || {
                calls::work(calls::cycles(9_500 + 50 * offset));
                calls::wake(&word.0, 1);
                calls::work(calls::cycles(50_000));
                calls::wake(&word.0, 1);
            }
        });
        let shortest = Rc::clone(&shortest);
        let sleeper: Body = Box::new(move || {
            calls::work(calls::cycles(10_000));
            let begun = calls::now();
            calls::sleep(&word.0, || true, None);
            shortest.set(shortest.get().min(calls::now() - begun));
        });
        run(machine(2, 1), vec![waker, sleeper]);
    }
    // 0.6 µs for the waker, and 0.15 µs; not the 2.5 µs out of a light sleep.
    assert!(shortest.get() < 2_800 * 3 / 2, "{}", shortest.get());
}
