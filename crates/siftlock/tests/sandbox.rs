//! Processes in a sandbox. One process can never call `membarrier`, so its readers by slot note
//! their locks by swaps. Another process goes into the sandbox while its locks are in use. A third
//! process cannot change a thread's mask.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

mod support;

use siftlock::context::{self, Interrupt, Irq, Masked};
use siftlock::lock_api::RawRwLock as _;
use siftlock::policy::Standard;
use siftlock::{RawRwSem, RwSem};
use siftlock_core::rwsem;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use std::{env, io, thread};
use support::{A_WHILE, Eager, EagerSymmetric, Lock, Native, until};

/// Set for the child, which runs the same test in the sandbox.
const IN_SANDBOX: &str = "SIFTLOCK_TEST_IN_SANDBOX";

/// Runs `act` in a process of its own, which runs the test with this name once more. These calls
/// are forbidden there from its first instruction on.
fn in_a_process(test: &str, forbidden: &[(libc::c_long, u32)], act: fn()) {
    in_a_process_with(&[], test, forbidden, act);
}

/// Runs `act` in such a process, with these variables in its environment.
fn in_a_process_with(
    variables: &[(&str, &str)],
    test: &str,
    forbidden: &[(libc::c_long, u32)],
    act: fn(),
) {
    if env::var_os(IN_SANDBOX).is_some() {
        return act();
    }
    let this = env::current_exe().expect("the test's own program");
    let mut child = Command::new(this);
    child.args(["--exact", test]).env(IN_SANDBOX, "1").envs(variables.iter().copied());
    let mut filter = filter(forbidden);
    // SAFETY: makes system calls and nothing else.
    unsafe { child.pre_exec(move || install(&mut filter)) };
    let status = child.status().expect("it runs once more");
    assert!(status.success(), "{status}");
}

#[test]
fn rwsem_without_membarrier_is_read_by_swaps() {
    let forbidden = &[(libc::SYS_membarrier, EPERM)];
    in_a_process("rwsem_without_membarrier_is_read_by_swaps", forbidden, in_the_sandbox);
}

/// If told by the environment, the process makes no call for which it would be killed.
#[test]
fn rwsem_avoids_membarrier_if_told_by_the_environment() {
    let kill = &[(libc::SYS_membarrier, libc::SECCOMP_RET_KILL_PROCESS)];
    let test = "rwsem_avoids_membarrier_if_told_by_the_environment";
    in_a_process_with(&[("SIFTLOCK_AVOID_MEMBARRIER", "1")], test, kill, in_the_sandbox);
}

#[test]
fn rwsem_avoids_membarrier_if_told_by_the_program() {
    in_a_process("rwsem_avoids_membarrier_if_told_by_the_program", &[], || {
        siftlock::platform::avoid_membarrier();
        siftlock::platform::prepare();
        let mut filter = filter(&[(libc::SYS_membarrier, libc::SECCOMP_RET_KILL_PROCESS)]);
        install(&mut filter).expect("a sandbox");
        in_the_sandbox();
    });
}

/// Opening a file kills the process from then on, and `membarrier` is refused. Readers by slot are
/// inside, and others come in by the bias that there is.
#[test]
fn rwsem_in_use_goes_into_a_sandbox() {
    in_a_process("rwsem_in_use_goes_into_a_sandbox", &[], || {
        support::finishes(goes_into_the_sandbox);
    });
}

/// Where the thread can neither change its mask nor ask for it, a put-off signal is handled once.
#[test]
fn context_signal_is_handled_once_where_masks_are_refused() {
    static HANDLED: AtomicU64 = AtomicU64::new(0);
    fn handler(_: &Interrupt<'_, Irq>) {
        HANDLED.fetch_add(1, Ordering::Relaxed);
    }
    /// Leaves bytes on the stack, in the place of an answer that the system leaves out.
    #[inline(never)]
    fn dirty(byte: u8) {
        std::hint::black_box([byte; 16 * 1024]);
    }
    in_a_process("context_signal_is_handled_once_where_masks_are_refused", &[], || {
        // SAFETY: the handler counts.
        unsafe { context::register(libc::SIGUSR1, handler) }.expect("a free signal");
        install(&mut filter(&[(libc::SYS_rt_sigprocmask, EPERM)])).expect("a sandbox");
        for (turn, byte) in [0, 0xff].into_iter().enumerate() {
            let masked = Masked::<Irq>::new();
            // SAFETY: a signal for this thread.
            unsafe {
                libc::syscall(libc::SYS_tgkill, libc::getpid(), libc::gettid(), libc::SIGUSR1)
            };
            dirty(byte);
            drop(masked);
            assert_eq!(HANDLED.load(Ordering::Relaxed), turn as u64 + 1);
        }
    });
}

fn goes_into_the_sandbox() {
    let locks: Vec<_> = (0..3).map(|_| Lock::<_, Native, Eager>::new((0_u64, 0_u64))).collect();
    let (stop, reads) = (AtomicBool::new(false), AtomicU64::new(0));
    let read = || {
        for lock in &locks {
            let pair = lock.read();
            assert_eq!(pair.0, pair.1, "no writer is inside");
            reads.fetch_add(1, Ordering::Relaxed);
        }
    };
    let write = || {
        for lock in &locks {
            let mut pair = lock.write();
            pair.0 += 1;
            thread::yield_now();
            pair.1 += 1;
        }
    };
    thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    read();
                }
            });
        }
        write();
        until(|| reads.load(Ordering::Relaxed) > 1000);
        // The requests that are made once in a second are due.
        thread::sleep(Duration::from_millis(1100));
        let files = (libc::SYS_openat, libc::SECCOMP_RET_KILL_PROCESS);
        install(&mut filter(&[(libc::SYS_membarrier, EPERM), files])).expect("a sandbox");
        // The first of these writes revoke the biases that there are.
        (0..100).for_each(|_| write());
        let held = locks[0].write();
        let seen = reads.load(Ordering::Relaxed);
        let waiter = s.spawn(write);
        thread::sleep(A_WHILE);
        drop(held);
        waiter.join().expect("it gets in");
        until(|| reads.load(Ordering::Relaxed) > seen + 1000);
        stop.store(true, Ordering::Relaxed);
    });
    for lock in &locks {
        // SAFETY: given back at once.
        unsafe {
            let token = lock.raw().lock_shared();
            assert!(!token.is_slot(), "no lock is read by plain stores any more");
            lock.raw().unlock_shared(token);
        }
        support::assert_at_rest(lock);
        assert_eq!(lock.read().0, 102);
    }
}

fn in_the_sandbox() {
    let lock = RawRwSem::<Eager>::new();
    for _ in 0..1000 {
        let token = lock.lock_shared();
        assert!(!token.is_slot());
        // SAFETY: just taken.
        unsafe { lock.unlock_shared(token) };
    }
    // The symmetric form comes on, where a hundredth of the sections write.
    let lock = rwsem::RwSem::<Native, Standard>::new();
    let mut by_slot = 0;
    for turn in 0..100_000 {
        // SAFETY: what is released was just taken.
        unsafe {
            if turn % 100 == 0 {
                lock.write();
                lock.write_unlock();
            }
            let token = lock.read();
            by_slot += u32::from(token.is_slot());
            lock.read_unlock(token);
        }
    }
    assert!(by_slot > 50_000, "{by_slot} of 100,000 reads by slot");
    a_writer_sleeps_until_the_reader_has_left();
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

/// The reader is in a slot. It wakes the writer, or the writer wakes by itself.
fn a_writer_sleeps_until_the_reader_has_left() {
    let lock = Lock::<u32, Native, EagerSymmetric>::new(0);
    for turn in 1..=20 {
        drop(lock.read());
        let reader = lock.read();
        thread::scope(|s| {
            s.spawn(|| *lock.write() += 1);
            until(|| lock.is_locked_exclusive());
            thread::sleep(A_WHILE / 10);
            drop(reader);
        });
        assert_eq!(*lock.read(), turn);
    }
}

const EPERM: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;

/// A filter that ends each of these calls in its way, and lets all others be made.
fn filter(forbidden: &[(libc::c_long, u32)]) -> Vec<libc::sock_filter> {
    const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    const EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
    let step = |code: u32, k: u32, skip_unless: u8| libc::sock_filter {
        code: code as u16,
        jt: 0,
        jf: skip_unless,
        k,
    };
    // The number of the call is the first word that the filter is shown.
    let mut steps = vec![step(LOAD, 0, 0)];
    for (call, end) in forbidden {
        steps.extend([step(EQUAL, *call as u32, 1), step(RETURN, *end, 0)]);
    }
    steps.push(step(RETURN, libc::SECCOMP_RET_ALLOW, 0));
    steps
}

/// From now on the filter judges the calls of all threads, and of the processes that they make.
fn install(steps: &mut [libc::sock_filter]) -> io::Result<()> {
    let filter = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_mut_ptr() };
    let (mode, all) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_TSYNC);
    // SAFETY: asks for no memory but the filter, which is valid during the call.
    let installed = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::syscall(libc::SYS_seccomp, mode, all, &raw const filter) == 0
    };
    if installed { Ok(()) } else { Err(io::Error::last_os_error()) }
}
