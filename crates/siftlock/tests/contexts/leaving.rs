//! Handlers that do not return, and where handlers run.
//!
//! They leave by `setcontext`, to a context to which no thread has returned before. `siglongjmp`
//! does the same, without the second return from one call.

// Where the libc crate has it. glibc's on i686 restores the mask of the first 32 signals only.
#![cfg(all(target_env = "gnu", not(any(target_arch = "arm", target_arch = "x86"))))]

use crate::support::{VALUES, alone, handler, is_blocked, queue, real_time, register, value_of};
#[cfg(debug_assertions)]
use crate::support::{aborts, change_mask, in_child, pretend_fault};
#[cfg(debug_assertions)]
use siftlock::RwSem;
use siftlock::context::{Interrupt, Irq, Masked};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

static HOME: AtomicPtr<libc::ucontext_t> = AtomicPtr::new(ptr::null_mut());
static STACK: AtomicUsize = AtomicUsize::new(0);

const STACK_SIZE: usize = 256 * 1024;

/// Notes the value, and leaves for ever.
fn leaves(interrupt: &Interrupt<'_, Irq>) {
    VALUES.push(value_of(interrupt.info()));
    go_home();
}

fn go_home() {
    let home = HOME.swap(ptr::null_mut(), Ordering::SeqCst);
    if !home.is_null() {
        // SAFETY: `run_aside` has left it there, once, and waits.
        unsafe { libc::setcontext(home) };
    }
}

/// Runs `f` on a stack of its own. If a handler leaves `f` for home, `f` never goes on.
fn run_aside(f: extern "C" fn()) {
    let mut stack = vec![0_u8; STACK_SIZE];
    let (mut home, mut aside) = (MaybeUninit::uninit(), MaybeUninit::<libc::ucontext_t>::uninit());
    // SAFETY: contexts and a stack that outlive the switch. The first field is filled by
    // `getcontext`.
    unsafe {
        assert_eq!(libc::getcontext(aside.as_mut_ptr()), 0);
        let aside = aside.assume_init_mut();
        aside.uc_stack.ss_sp = stack.as_mut_ptr().cast();
        aside.uc_stack.ss_size = STACK_SIZE;
        aside.uc_link = home.as_mut_ptr();
        libc::makecontext(aside, f, 0);
        HOME.store(home.as_mut_ptr(), Ordering::SeqCst);
        assert_eq!(libc::swapcontext(home.as_mut_ptr(), aside), 0);
    }
}

alone! {
    fn context_handler_that_leaves_loses_no_other_signal() {
        extern "C" fn region() {
            let masked = Masked::<Irq>::new();
            queue(libc::SIGUSR1, 1).unwrap();
            queue(libc::SIGUSR2, 2).unwrap();
            (3..6).for_each(|value| queue(real_time(0), value).unwrap());
            drop(masked);
            panic!("the first handler leaves");
        }
        for signal in [libc::SIGUSR1, libc::SIGUSR2, real_time(0)] {
            register(signal, leaves).unwrap();
        }
        run_aside(region);
        let mut values = VALUES.take();
        assert_eq!(values.iter().filter(|value| **value > 2).collect::<Vec<_>>(), [&3, &4, &5]);
        values.sort_unstable();
        assert_eq!(values, [1, 2, 3, 4, 5]);
        // All is as before.
        assert!(![libc::SIGUSR1, libc::SIGUSR2, real_time(0)].into_iter().any(is_blocked));
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 6).unwrap();
        assert_eq!(VALUES.take(), []);
        drop(masked);
        assert_eq!(VALUES.take(), [6]);
    }

    fn context_handler_that_leaves_loses_no_signal_of_full_notes() {
        extern "C" fn region() {
            let masked = Masked::<Irq>::new();
            (0..20).for_each(|value| queue(real_time(0), value).unwrap());
            queue(libc::SIGUSR1, 20).unwrap();
            drop(masked);
            panic!("the first handler leaves");
        }
        register(real_time(0), leaves).unwrap();
        register(libc::SIGUSR1, leaves).unwrap();
        run_aside(region);
        let values = VALUES.take();
        assert!(values.contains(&20));
        let others = values.into_iter().filter(|value| *value != 20);
        assert!(others.eq(0..20));
        assert!(!is_blocked(real_time(0)));
    }

    fn context_handler_that_was_put_off_runs_on_the_alternate_stack() {
        fn where_am_i(interrupt: &Interrupt<'_, Irq>) {
            STACK.store((&raw const interrupt) as usize, Ordering::SeqCst);
            VALUES.push(value_of(interrupt.info()));
        }
        let mut stack = vec![0_u8; STACK_SIZE];
        let range = stack.as_mut_ptr_range();
        let inside = move || {
            (range.start as usize..range.end as usize).contains(&STACK.load(Ordering::SeqCst))
        };
        let on_stack = handler(where_am_i).flags(libc::SA_ONSTACK);
        on_stack.register(libc::SIGUSR1).unwrap();
        register(libc::SIGUSR2, where_am_i).unwrap();
        let alternate =
            libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK_SIZE };
        // SAFETY: memory that lives as long as it is used.
        assert_eq!(unsafe { libc::sigaltstack(&alternate, ptr::null_mut()) }, 0);
        for (signal, expected) in [(libc::SIGUSR1, true), (libc::SIGUSR2, false)] {
            let masked = Masked::<Irq>::new();
            queue(signal, 1).unwrap();
            drop(masked);
            assert_eq!((VALUES.take(), inside()), (vec![1], expected));
        }
        let none = libc::stack_t { ss_flags: libc::SS_DISABLE, ..alternate };
        // SAFETY: takes the stack out of use.
        assert_eq!(unsafe { libc::sigaltstack(&none, ptr::null_mut()) }, 0);
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
alone! {
    /// The handler gets the context where the thread was lowered, not where the signal first came.
    fn context_handler_that_was_put_off_has_the_true_context() {
        fn stack_pointer(interrupt: &Interrupt<'_, Irq>) {
            assert!(!interrupt.ucontext().is_null());
            // SAFETY: the interrupted context.
            let context = unsafe { &*interrupt.ucontext().cast::<libc::ucontext_t>() };
            #[cfg(target_arch = "x86_64")]
            let pointer = context.uc_mcontext.gregs[libc::REG_RSP as usize] as usize;
            #[cfg(target_arch = "aarch64")]
            let pointer = context.uc_mcontext.sp as usize;
            STACK.store(pointer, Ordering::SeqCst);
        }
        #[inline(never)]
        fn deep() -> (Masked<Irq>, usize) {
            let frame = [0_u8; 65536];
            std::hint::black_box(&frame);
            let masked = Masked::<Irq>::new();
            queue(libc::SIGUSR1, 1).unwrap();
            (masked, frame.as_ptr() as usize)
        }
        register(libc::SIGUSR1, stack_pointer).unwrap();
        let (masked, deep) = deep();
        drop(masked);
        assert!(STACK.load(Ordering::SeqCst) > deep + 32768);
    }
}

// Debug builds know in which handler the calling code runs.
#[cfg(debug_assertions)]
alone! {
    /// The thread may wait also if its signals are blocked for another reason.
    fn context_thread_whose_handler_has_left_may_wait() {
        extern "C" fn interrupted() {
            queue(libc::SIGUSR1, 1).unwrap();
        }
        static LOCK: RwSem<()> = RwSem::new(());
        register(libc::SIGUSR1, leaves).unwrap();
        let status = in_child(|| {
            run_aside(interrupted);
            change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1]);
            drop(LOCK.read());
        });
        assert_eq!((VALUES.take(), status), (vec![], 0));
    }

    /// A handler that interrupted this one has left, back into this one, which still runs.
    fn context_handler_that_goes_on_after_another_has_left_is_told() {
        static LOCK: RwSem<()> = RwSem::new(());
        extern "C" fn faults() {
            pretend_fault(libc::SIGSEGV);
        }
        fn guards(_: &Interrupt<'_, Irq>) {
            run_aside(faults);
            drop(LOCK.read());
        }
        register(libc::SIGUSR1, guards).unwrap();
        register(libc::SIGSEGV, leaves).unwrap();
        assert!(aborts(|| queue(libc::SIGUSR1, 1).unwrap()));
    }
}
