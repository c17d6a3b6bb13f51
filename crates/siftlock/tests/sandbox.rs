//! A process that may not call `membarrier`: its locks count every reader, and all else is as ever.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

mod support;

use siftlock::lock_api::RawRwLock as _;
use siftlock::{RawRwSem, RwSem};
use std::process::Command;
use std::{env, io, thread};
use support::Eager;

/// Set for the child, which runs the same test in the sandbox.
const IN_SANDBOX: &str = "SIFTLOCK_TEST_IN_SANDBOX";

#[test]
fn rwsem_without_membarrier_counts_every_reader() {
    if env::var_os(IN_SANDBOX).is_some() {
        forbid_membarrier();
        return in_the_sandbox();
    }
    let this = env::current_exe().expect("the test's own program");
    let status = Command::new(this)
        .args(["--exact", "rwsem_without_membarrier_counts_every_reader"])
        .env(IN_SANDBOX, "1")
        .status()
        .expect("it runs once more");
    assert!(status.success(), "{status}");
}

fn in_the_sandbox() {
    let lock = RawRwSem::<Eager>::new();
    for _ in 0..1000 {
        let token = lock.lock_shared();
        assert!(!token.is_slot());
        // SAFETY: just taken.
        unsafe { lock.unlock_shared(token) };
    }
    let lock = RwSem::new(0);
    thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                for _ in 0..1000 {
                    let _seen = *lock.read();
                    *lock.write() += 1;
                }
            });
        }
    });
    assert_eq!(*lock.read(), 3000);
    support::assert_at_rest(&lock);
}

/// From now on, in this thread and those that it makes, `membarrier` fails with EPERM.
fn forbid_membarrier() {
    const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    const EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
    let step = |code: u32, k: u32, skip_unless: u8| libc::sock_filter {
        code: code as u16,
        jt: 0,
        jf: skip_unless,
        k,
    };
    let mut steps = [
        // The number of the call is the first word that the filter is shown.
        step(LOAD, 0, 0),
        step(EQUAL, libc::SYS_membarrier as u32, 1),
        step(RETURN, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32, 0),
        step(RETURN, libc::SECCOMP_RET_ALLOW, 0),
    ];
    let filter = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_mut_ptr() };
    // SAFETY: asks for no memory but the filter, which is valid during the call.
    let installed = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) == 0
    };
    assert!(installed, "{}", io::Error::last_os_error());
}
