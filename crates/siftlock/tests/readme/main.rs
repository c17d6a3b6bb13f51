//! The README's examples, as programs, beside threads that allocate. A handler that reads
//! interrupts all of them a thousand times a second. Also the README's figures and links.
//!
//! Three seconds; `SIFTLOCK_README_SECONDS=30` is longer.

#![cfg(target_os = "linux")]

mod pages;
mod timer;

use std::hint::black_box;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{env, thread};

/// The sources themselves, so their names are at hand; a module's `main` is only a function.
mod symbols {
    include!("symbols.rs");

    pub(super) fn start() {
        main().expect("SIGPROF has no handler yet");
    }

    /// The program goes on after its start: tables are changed, and made anew.
    pub(super) fn go_on(n: usize) {
        if SYMBOLS.read().len() < 64 {
            add(n, "a symbol");
        } else {
            let _old = SYMBOLS.replace(Vec::new());
        }
    }
}

mod routes {
    include!("routes.rs");

    pub(super) fn go_on() {
        main();
        if ROUTES.read().len() > 64 {
            ROUTES.write().clear();
        }
    }
}

/// The README and these programs cannot drift apart.
#[test]
fn readme_has_these_programs() {
    let readme = include_str!("../../../../README.md");
    for source in [include_str!("symbols.rs"), include_str!("routes.rs")] {
        assert!(
            readme.contains(&format!("```rust\n{source}```\n")),
            "not in the README:\n{source}"
        );
    }
}

/// Nobody is shut out for ever, not even by a handler that has interrupted the allocator.
#[test]
fn readme_examples_run_beside_threads_that_allocate() {
    static STEPS: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
    static STOP: AtomicBool = AtomicBool::new(false);
    /// Memory that one thread makes and the other frees: both use the allocator's shared part.
    static HANDED_ON: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
    let steps = |what: fn(usize), counter: &'static AtomicU64| {
        move || {
            timer::interrupt_this_thread(libc::SIGPROF, Duration::from_millis(1));
            for n in 0.. {
                what(n);
                counter.fetch_add(1, Relaxed);
                if STOP.load(Relaxed) {
                    return;
                }
            }
        }
    };
    fn allocate(n: usize) {
        let sizes = (0..40).map(|k| 24 + (n + k) % 40 * 64);
        let made: Vec<_> = sizes.map(|size| black_box(vec![1_u8; size])).collect();
        let other = HANDED_ON.lock().map(|mut handed_on| std::mem::replace(&mut *handed_on, made));
        drop(other);
        symbols::go_on(n);
    }
    symbols::start();
    let seconds =
        env::var("SIFTLOCK_README_SECONDS").map_or(3, |text| text.parse().expect("a number"));
    let threads = [
        thread::spawn(steps(allocate, &STEPS[0])),
        thread::spawn(steps(allocate, &STEPS[1])),
        thread::spawn(steps(|_| routes::go_on(), &STEPS[2])),
    ];
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        timer::end_process_unless_ended_within(60);
        let before = STEPS.each_ref().map(|steps| steps.load(Relaxed));
        thread::sleep(Duration::from_millis(100));
        let all_go_on =
            || STEPS.iter().zip(before).all(|(steps, before)| steps.load(Relaxed) > before);
        while !all_go_on() {
            thread::sleep(Duration::from_millis(1));
        }
    }
    STOP.store(true, Relaxed);
    for thread in threads {
        thread.join().expect("it does not panic");
    }
    timer::end_process_unless_ended_within(0);
}

/// The examples that the README tells how to start end by themselves, and well.
#[test]
fn readme_examples_to_start_end_well() {
    for example in ["audio", "profiler", "crash_report"] {
        let status = Command::new(env!("CARGO"))
            .args(["run", "--offline", "--quiet", "--example", example])
            .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
            .status()
            .expect("cargo runs");
        assert!(status.success(), "{example}: {status}");
    }
}
