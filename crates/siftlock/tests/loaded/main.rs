//! A library with the crate in it that is loaded with `dlopen`: none of its handlers allocates.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

#[path = "../support/library.rs"]
mod library;

use std::ffi::{CStr, CString, c_void};
use std::process::Command;
use std::sync::atomic::{AtomicI32, Ordering};
use std::{env, mem, ptr, thread};

/// The thread that is in a handler, and how often it has allocated there.
static HANDLING: AtomicI32 = AtomicI32::new(0);
static ALLOCATED: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" {
    fn pthread_setcancelstate(state: i32, before: *mut i32) -> i32;
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
}

fn look() {
    // SAFETY: touches no memory.
    if HANDLING.load(Ordering::Relaxed) == unsafe { libc::gettid() } {
        ALLOCATED.fetch_add(1, Ordering::Relaxed);
    }
}

/// The process's allocator, the loader's too.
#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut c_void {
    look();
    // SAFETY: the C library's own.
    unsafe { __libc_malloc(size) }
}

/// The aligned `malloc`.
#[unsafe(no_mangle)]
extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    look();
    // SAFETY: the C library's own.
    unsafe { __libc_memalign(alignment, size) }
}

struct Agent(*mut c_void);

// SAFETY: a handle of the loader's, which any thread may use.
unsafe impl Sync for Agent {}

impl Agent {
    fn load() -> Self {
        let path = library::build("loaded_agent", "loaded");
        let path = CString::new(path.into_os_string().into_encoded_bytes()).expect("a path");
        // SAFETY: the library has no constructors of its own.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!handle.is_null(), "{path:?} is not there");
        Self(handle)
    }

    fn function<F>(&self, name: &CStr) -> F {
        // SAFETY: a function of the agent's, of the type that the caller names.
        unsafe {
            let function = libc::dlsym(self.0, name.as_ptr());
            assert!(!function.is_null(), "{name:?}");
            mem::transmute_copy(&function)
        }
    }

    fn register(&self, in_prepared_threads: bool) -> i32 {
        self.function::<extern "C" fn(bool) -> i32>(c"agent_register")(in_prepared_threads)
    }

    fn handled(&self) -> u32 {
        self.function::<extern "C" fn() -> u32>(c"agent_handled")()
    }
}

/// A thread that was prepared, or not, gets a signal. Returns how often its handler allocates.
fn signal_a_new_thread(agent: &Agent, is_prepared: bool) -> i32 {
    let prepare: extern "C" fn() = agent.function(c"agent_prepare_thread");
    thread::scope(|s| {
        s.spawn(|| {
            if is_prepared {
                prepare();
            }
            // SAFETY: a signal for this thread.
            unsafe {
                HANDLING.store(libc::gettid(), Ordering::Relaxed);
                libc::raise(libc::SIGUSR1);
                HANDLING.store(0, Ordering::Relaxed);
            }
        });
    });
    ALLOCATED.swap(0, Ordering::Relaxed)
}

/// Runs this test once more, in a process of its own.
fn alone(name: &str, test: impl FnOnce()) {
    const MARK: &str = "SIFTLOCK_TEST_ALONE";
    if env::var_os(MARK).is_some() {
        return test();
    }
    let program = env::current_exe().expect("the tests' own program");
    let arguments = ["--exact", name, "--test-threads=1"];
    let status = Command::new(program).args(arguments).env(MARK, "1").status();
    assert!(status.expect("a process").success(), "{name}");
}

#[test]
fn context_handler_of_a_loaded_library_does_not_allocate() {
    alone("context_handler_of_a_loaded_library_does_not_allocate", || {
        let agent = Agent::load();
        if agent.register(false) == 0 {
            assert_eq!(signal_a_new_thread(&agent, false), 0, "a handler allocates");
        }
    });
}

#[test]
fn context_registration_is_refused_where_handlers_would_allocate() {
    alone("context_registration_is_refused_where_handlers_would_allocate", || {
        let agent = Agent::load();
        assert_eq!(agent.register(false), 1);
        // The action that was installed still is.
        // SAFETY: a place for the action.
        unsafe {
            let mut now: libc::sigaction = mem::zeroed();
            libc::sigaction(libc::SIGUSR1, ptr::null(), &mut now);
            assert_eq!(now.sa_sigaction, libc::SIG_DFL);
        }
    });
}

/// A registration waits for a thread that looks at its own storage. Nothing ends the wait before
/// that thread has written its answer.
#[test]
fn context_registration_in_a_cancelled_thread_comes_to_its_end() {
    const DISABLED: i32 = 1;
    alone("context_registration_in_a_cancelled_thread_comes_to_its_end", || {
        let agent = Agent::load();
        let registers = || {
            // SAFETY: the thread's own state. Nothing else in between is a place to be cancelled
            // at.
            unsafe {
                libc::pthread_cancel(libc::pthread_self());
                let answer = agent.register(false);
                pthread_setcancelstate(DISABLED, ptr::null_mut());
                answer
            }
        };
        let answer = thread::scope(|s| s.spawn(registers).join().expect("no panic"));
        assert_eq!(answer, 1);
    });
}

#[test]
fn context_handler_of_a_loaded_library_does_not_allocate_in_prepared_threads() {
    alone("context_handler_of_a_loaded_library_does_not_allocate_in_prepared_threads", || {
        let agent = Agent::load();
        assert_eq!(agent.register(true), 0);
        assert_eq!(signal_a_new_thread(&agent, true), 0, "a handler allocates");
        assert_eq!(agent.handled(), 1);
        // And this test would see an allocation.
        assert_ne!(signal_a_new_thread(&agent, false), 0);
    });
}

/// The program that starts with the library has its storage from the start: nothing is refused.
#[test]
fn context_registration_is_not_refused_in_a_program() {
    use siftlock::context::{Interrupt, Irq, register};
    fn nothing(_: &Interrupt<'_, Irq>) {}
    // SAFETY: does nothing.
    unsafe { register(libc::SIGUSR2, nothing) }.expect("nothing allocates here");
}
