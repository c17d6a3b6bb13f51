//! A library is loaded, and its constructor takes a lock that another thread has. The loader's own
//! lock is held all that time, so the holder of the lock must not want the loader's.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

#[path = "../support/library.rs"]
mod library;
#[path = "../support/mod.rs"]
mod support;

use siftlock::RwSem;
use std::ffi::CString;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::{finishes, until};

static LOCK: RwSem<u32> = RwSem::new(0);
static READY: AtomicBool = AtomicBool::new(false);
static LOADING: AtomicBool = AtomicBool::new(false);

/// Runs in the library's constructor.
extern "C" fn constructor() {
    LOADING.store(true, Ordering::Release);
    // The other thread writes, or waits for the loader, and then cannot write.
    let end = Instant::now() + Duration::from_millis(500);
    while !LOCK.is_locked() && Instant::now() < end {
        thread::yield_now();
    }
    *LOCK.write() += 1;
}

/// The process's first signed write. The test is alone in its file, since another's write would be
/// first.
#[test]
fn rwsem_writer_does_not_wait_for_the_loader_whose_constructor_waits_for_it() {
    let library = build();
    finishes(move || {
        let function = format!("{:x}", (constructor as *const ()).addr());
        // SAFETY: no other thread reads the environment now.
        unsafe { std::env::set_var("SIFTLOCK_TEST_CONSTRUCTOR", function) };
        let writer = thread::spawn(|| {
            // From now on the thread has a name to sign with.
            drop(LOCK.read());
            READY.store(true, Ordering::Release);
            until(|| LOADING.load(Ordering::Acquire));
            *LOCK.write() += 1;
        });
        until(|| READY.load(Ordering::Acquire));
        // SAFETY: the library's constructor is `constructor`.
        let handle = unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_NOW) };
        assert!(!handle.is_null(), "the library is loaded");
        writer.join().unwrap();
        assert_eq!(*LOCK.read(), 2);
    });
}

fn build() -> CString {
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("constructor.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/loader/constructor.c");
    let built = Command::new(library::c_compiler())
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .status();
    assert!(built.expect("a C compiler, which Rust links with").success());
    CString::new(library.into_os_string().into_encoded_bytes()).unwrap()
}
