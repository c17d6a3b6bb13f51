//! Lock calls ask the C library for nothing that could block, allocate or open a file while
//! anything of the lock is the caller's. The code behind such a request may wait for this very
//! lock.
//!
//! Each scene runs in a process of its own, since most such requests come with a process's first
//! calls.

#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

mod hooks;
mod scenes;
#[path = "../support/mod.rs"]
mod support;

use scenes::SCENES;
use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// Set for the child. Names the scene that the child plays.
const SCENE: &str = "SIFTLOCK_TEST_SCENE";

#[test]
fn rwsem_and_psrw_calls_ask_for_nothing_while_they_hold_anything() {
    if let Ok(name) = env::var(SCENE) {
        let (_, play) = SCENES.iter().find(|scene| scene.0 == name).expect("a scene");
        return play();
    }
    let this = env::current_exe().expect("the test's own program");
    let mut failed = Vec::new();
    for (name, _) in SCENES {
        let played = Command::new(&this)
            .args(["--exact", "rwsem_and_psrw_calls_ask_for_nothing_while_they_hold_anything"])
            .args(["--nocapture"])
            .env(SCENE, name)
            .output()
            .expect("it runs once more");
        if !played.status.success() {
            let said = String::from_utf8_lossy(&played.stderr);
            failed.push(format!("{name}: {}\n{said}", played.status));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Shows that the watch catches something.
#[test]
fn hooks_catch_an_allocation_in_a_lock_call() {
    let words = [const { AtomicU64::new(0) }; 2];
    hooks::watched(&words, || drop(std::hint::black_box(Box::new(1))));
    assert_eq!(hooks::caught(), None, "at rest it may");
    hooks::watched(&words, || {
        words[0].store(1, Ordering::Relaxed);
        drop(std::hint::black_box(Box::new(1)));
    });
    assert_eq!(hooks::caught(), Some(c"malloc"));
}
