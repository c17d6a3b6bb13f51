//! Calls in handlers.

use crate::alone::{alone, ends};
use siftlock::context::{self, Interrupt, Irq, Masked, NonPreemptible, SoftIrq};
use siftlock::{PsRwLock, ReadRecursive as _, RwSem};
use std::cell::Cell;
use std::mem;

type Everybody = (context::Thread, NonPreemptible, SoftIrq, Irq);
static LOCK: PsRwLock<u32, Everybody> = PsRwLock::with_classes(5);
static SEM: RwSem<u32> = RwSem::new(5);

const HERE: &str = file!();

/// Runs `handler` as the handler of a signal.
fn interrupt(handler: fn(&Interrupt<'_, Irq>)) {
    // SAFETY: each ends the process.
    unsafe { context::register(libc::SIGUSR1, handler) }.expect("a free signal");
    // SAFETY: has a handler.
    unsafe { libc::raise(libc::SIGUSR1) };
}

ends! {
    fn psrw_handler_that_reads_again_is_told() says ["reads this lock already", HERE]; {
        interrupt(|irq| {
            let _outer = LOCK.read_at(irq);
            let _inner = LOCK.read_at(irq);
        });
    }

    fn psrw_handler_that_reads_again_after_a_try_is_told() says ["reads this lock already", HERE]; {
        interrupt(|irq| {
            let _outer = LOCK.try_read_at(irq);
            let _inner = LOCK.read_at(irq);
        });
    }

    /// The first handler has the outer read. A second handler, in the same class, interrupts the
    /// first.
    fn psrw_handler_on_a_read_of_its_class_is_told() says ["reads this lock already", HERE]; {
        interrupt(|irq| {
            let _outer = LOCK.read_at(irq);
            let masked = Masked::<Irq>::new();
            let _inner = LOCK.read_at(&masked);
        });
    }

    fn psrw_handler_that_reads_as_a_thread_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| drop(LOCK.read()));
    }

    fn psrw_handler_that_reads_as_a_nonpreemptible_thread_is_told()
        says ["NonPreemptible form may wait", HERE];
    {
        interrupt(|_| drop(LOCK.read_at(NonPreemptible)));
    }

    fn psrw_handler_that_writes_as_a_thread_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| drop(LOCK.write()));
    }

    fn psrw_handler_that_replaces_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| { LOCK.replace(6); });
    }

    fn psrw_handler_that_waits_for_a_while_as_a_thread_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| drop(LOCK.try_write_for(std::time::Duration::from_millis(1))));
    }

    fn psrw_handler_that_forgets_its_guard_is_told() says ["left a guard or a Masked behind"]; {
        interrupt(|irq| mem::forget(LOCK.read_at(irq)));
    }

    fn psrw_handler_that_forgets_its_masked_is_told() says ["left a guard or a Masked behind"]; {
        interrupt(|_| mem::forget(Masked::<SoftIrq>::new()));
    }

    fn psrw_handler_that_drops_what_it_finds_is_told()
        says ["dropped one of the code that it interrupted"];
    {
        thread_local!(static FOUND: Cell<Option<Masked<SoftIrq>>> = const { Cell::new(None) });
        FOUND.set(Some(Masked::new()));
        interrupt(|_| drop(FOUND.take()));
    }

    fn rwsem_handler_that_reads_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| drop(SEM.read()));
    }

    fn rwsem_handler_that_writes_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| drop(SEM.write()));
    }

    fn rwsem_handler_that_reads_recursively_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| drop(SEM.read_recursive()));
    }

    fn rwsem_handler_that_reads_upgradably_is_told() says ["Thread form may wait", HERE]; {
        interrupt(|_| drop(SEM.upgradable_read()));
    }
}

/// A wait that ends by its own steps is not misuse.
#[test]
fn psrw_handler_may_read_what_its_thread_reads() {
    let (status, said) =
        alone(module_path!(), "psrw_handler_may_read_what_its_thread_reads", || {
            let _outer = LOCK.read();
            let _awake = LOCK.read_at(NonPreemptible);
            interrupt(|irq| {
                assert_eq!(*LOCK.read_at(irq), 5);
                assert_eq!(LOCK.try_read_at(irq).map(|value| *value), Some(5));
                let _outer = LOCK.read_at(irq);
                assert_eq!(LOCK.try_read_at(irq).map(|value| *value), Some(5));
                assert_eq!(LOCK.try_read().map(|value| *value), Some(5));
            });
        });
    assert_eq!(status, None, "{said}");
}

#[test]
fn psrw_handler_may_read_what_its_thread_prepares() {
    let name = "psrw_handler_may_read_what_its_thread_prepares";
    let (status, said) = alone(module_path!(), name, || {
        LOCK.update(|old| {
            interrupt(|irq| assert_eq!(*LOCK.read_at(irq), 5));
            old + 1
        });
        assert_eq!(*LOCK.read(), 6);
    });
    assert_eq!(status, None, "{said}");
}
