//! Handlers of faults on raised threads: reported in release builds too.

use crate::alone::ends;
use siftlock::PsRwLock;
use siftlock::context::{self, HandlerClass, Interrupt, Irq, Masked, SoftIrq, Thread};
use std::hint::black_box;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static LOCK: PsRwLock<u32, (Thread, SoftIrq, Irq)> = PsRwLock::with_classes(5);
static WRITTEN_BY_HANDLERS: PsRwLock<u32, Irq, Irq> = PsRwLock::with_classes(5);

/// The report, where the place of the call itself detects the misuse. Debug builds, which find out
/// later, report other words.
const WHY: &str = "this handler's fault has interrupted a raised thread";
const INSTEAD: &str = "use try_read_at";
const HERE: &str = file!();

fn fault_handled_by<C: HandlerClass>(handler: fn(&Interrupt<'_, C>)) {
    // SAFETY: each handler ends the process.
    unsafe { context::register(libc::SIGSEGV, handler) }.expect("a free signal");
    // SAFETY: none. That is the point.
    unsafe { black_box(ptr::null_mut::<u8>()).write_volatile(1) };
}

ends! {
    fn psrw_fault_handler_that_waits_to_read_is_ended() says [WHY, INSTEAD, HERE]; {
        let _written = LOCK.write();
        fault_handled_by::<Irq>(|fault| drop(LOCK.read_at(fault)));
    }

    fn psrw_fault_handler_of_the_lower_class_that_waits_is_ended() says [WHY, INSTEAD, HERE]; {
        let _written = LOCK.write();
        fault_handled_by::<SoftIrq>(|fault| drop(LOCK.read_at(fault)));
    }

    /// The handler is not called again for the abort that it has caused itself.
    fn psrw_abort_handler_that_waits_is_ended() says [WHY, INSTEAD, HERE]; {
        // SAFETY: the handler ends the process.
        unsafe {
            context::register(libc::SIGABRT, |abort: &Interrupt<'_, Irq>| {
                static CALLED: AtomicBool = AtomicBool::new(false);
                if CALLED.swap(true, Relaxed) {
                    libc::_exit(1);
                }
                drop(LOCK.read_at(abort));
            })
        }
        .expect("a free signal");
        let _written = LOCK.write();
        std::process::abort();
    }

    /// The interrupted section need not be a write: a writer may wait for the interrupted read, and
    /// the handler for both.
    fn psrw_fault_handler_that_waits_on_top_of_a_read_is_ended() says [WHY, INSTEAD, HERE]; {
        let masked = Masked::<Irq>::new();
        let _read = LOCK.read_at(&masked);
        fault_handled_by::<Irq>(|fault| drop(LOCK.read_at(fault)));
    }

    fn psrw_fault_handler_that_waits_to_write_is_ended() says [WHY, INSTEAD, HERE]; {
        let masked = Masked::<Irq>::new();
        let _read = WRITTEN_BY_HANDLERS.read_at(&masked);
        fault_handled_by::<Irq>(|fault| drop(WRITTEN_BY_HANDLERS.write_at(fault)));
    }

    fn psrw_fault_handler_that_tries_learns_that_it_is_shut_out() says ["tried"]; {
        let _written = LOCK.write();
        fault_handled_by::<Irq>(|fault| {
            assert!(LOCK.try_read_at(fault).is_none());
            // SAFETY: writes from valid memory, and ends the process.
            unsafe {
                libc::write(libc::STDERR_FILENO, c"tried".as_ptr().cast(), 5);
                libc::abort();
            }
        });
    }
}
