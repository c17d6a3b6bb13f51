//! Whole runs whose costs can be reckoned by hand.

use siftlock_sim::{Aligned, AtomicU32, Counts, Machine, Outcome, Run, calls, presets};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

fn machine(name: &str) -> Machine {
    presets::named(name).expect("a preset")
}

/// A run of threads that share a word, each on its processor.
fn run(
    machine: Machine,
    seed: Option<u64>,
    threads: usize,
    act: impl Fn(usize, &AtomicU32) + Copy + 'static,
) -> Outcome {
    let word = Rc::new(Aligned(AtomicU32::new(0)));
    let mut run = Run::new(machine, 1_000_000, seed);
    for seat in 0..threads {
        let word = Rc::clone(&word);
        run.thread(seat, move || act(seat, &word));
    }
    run.go().expect("an end")
}

#[test]
fn machine_moves_a_contended_word_once_a_step() {
    let outcome = run(machine("ivb-ex"), None, 2, |_, word| {
        for _ in 0..1_000 {
            word.fetch_add(1, Relaxed);
            calls::work(1_000);
        }
    });
    let Counts { steps, transfers, .. } = outcome.total();
    assert_eq!((steps, transfers), (2_000, 2_000));
}

#[test]
fn machine_lets_every_core_make_its_access_in_the_end() {
    // Writers that never pause, and readers of the same line: no core starves for a line.
    let outcome = run(machine("ivb-ex"), Some(1), 16, |seat, word| {
        for _ in 0..200 {
            if seat < 8 {
                word.fetch_add(1, Relaxed);
            } else {
                word.load(Relaxed);
            }
        }
    });
    let total = outcome.total();
    assert_eq!((total.steps, total.loads), (1_600, 1_600));
    assert!(total.transfers <= 3_200, "an access moves its line once: {}", total.transfers);
}

#[test]
fn machine_spinner_moves_no_line_until_that_changes() {
    let outcome = run(machine("ivb-ex"), None, 2, |seat, word| {
        if seat == 0 {
            calls::work(100_000);
            word.store(1, Relaxed);
        } else {
            while word.load(Relaxed) == 0 {
                calls::spin(word, 10_000);
            }
        }
    });
    let spinner = outcome.counts[1];
    assert_eq!((spinner.transfers, spinner.loads), (2, 2));
    assert!(spinner.polls > 1_000);
}

#[test]
fn machine_sleeps_until_it_is_woken_or_its_time_is_over() {
    let outcome = run(machine("amd-2"), None, 2, |seat, word| {
        if seat == 0 {
            let unchanged = || word.load(Relaxed) == 0;
            calls::sleep(word, || word.load(Relaxed) == 7, None);
            calls::sleep(word, unchanged, None);
            let woken = calls::clock();
            assert!((400_000..600_000).contains(&woken), "{woken}");
            calls::sleep(word, || true, Some(woken + 100_000));
            assert!(calls::clock() >= woken + 100_000);
        } else {
            calls::work(calls::cycles(400_000));
            word.store(1, Relaxed);
            calls::wake(word, 1);
            calls::wake(word, 1);
        }
    });
    assert_eq!((outcome.counts[0].parks, outcome.counts[1].wakes), (2, 1));
}

#[test]
fn machine_shares_a_processor_by_slices() {
    let mut run = Run::new(machine("amd-2"), 1_000_000, None);
    for _ in 0..3 {
        run.thread(0, || {
            for _ in 0..40 {
                calls::work(calls::cycles(1_000_000));
                calls::give_way();
            }
        });
    }
    let outcome = run.go().expect("an end");
    let took = machine("amd-2").nanos(outcome.took);
    assert!((60_000_000..66_000_000).contains(&took), "120 ms of work for two processors: {took}");
}

#[test]
fn machine_counts_apart_what_happens_in_the_measured_part() {
    let machine = machine("amd-2");
    let processors = machine.topology.processors() as u64;
    let word = Rc::new(Aligned(AtomicU32::new(0)));
    let mut run = Run::new(machine.clone(), 1_000_000, None).measured_from(400_000);
    run.thread(0, move || {
        while !calls::is_over() {
            word.fetch_add(1, Relaxed);
            calls::work(calls::cycles(100_000));
        }
    });
    let outcome = run.go().expect("an end");
    assert_eq!((outcome.total().steps, outcome.measured[0].steps), (10, 6));
    assert_eq!(outcome.idle, (processors - 1) * machine.cycles(600_000));
}

#[test]
fn machine_keeps_interrupts_out_until_the_thread_lowers_itself() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let mut run = Run::new(machine("amd-2"), 1_000_000, None);
    let thread = Rc::clone(&seen);
    run.thread(0, move || {
        let before = calls::raise(3);
        calls::work(calls::cycles(50_000));
        thread.borrow_mut().push("raised");
        calls::lower(before);
        thread.borrow_mut().push("lowered");
        calls::work(calls::cycles(50_000));
        calls::give_way();
    });
    let handler = Rc::clone(&seen);
    run.handler(0, 3, 30_000, move || handler.borrow_mut().push("interrupt"));
    run.go().expect("an end");
    let seen = seen.borrow();
    let raised = seen.iter().position(|&what| what == "raised").expect("it was");
    assert_eq!(seen[raised..raised + 3], ["raised", "interrupt", "lowered"], "{seen:?}");
    assert!(seen[raised + 3..].contains(&"interrupt"), "{seen:?}");
}

#[test]
fn machine_is_the_same_every_time_and_another_by_another_seed() {
    let mess = |seed| {
        run(machine("ivb-ex"), seed, 12, |seat, word| {
            for _ in 0..100 {
                word.fetch_add(1, Relaxed);
                calls::work(seat as u64 * 7);
            }
        })
    };
    assert_eq!(mess(Some(1)), mess(Some(1)));
    assert_ne!(mess(Some(1)).hash, mess(Some(2)).hash);
    assert_eq!(mess(None), mess(None));
}

#[test]
fn machine_reports_sleepers_that_nobody_wakes() {
    let mut run = Run::new(machine("amd-2"), 1_000, None);
    let word = Rc::new(Aligned(AtomicU32::new(0)));
    run.thread(0, move || calls::sleep(&**word, || true, None));
    let stuck = run.go().expect_err("nobody wakes it").to_string();
    assert!(stuck.contains("nobody can wake") && stuck.contains("Sleeping, "), "{stuck}");
}

#[test]
fn machine_hands_on_a_panic_and_runs_again() {
    let mut bad = Run::new(machine("amd-2"), 1_000, None);
    bad.thread(0, || panic!("on purpose"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| bad.go())).is_err());
    run(machine("amd-2"), None, 1, |_, word| word.store(1, Relaxed));
}
