//! Where a thread was when a signal came: in the raised region, if the signal was put off.

use crate::support::{alone, change_mask, handler, queue, real_time, register};
use siftlock::context::{Interrupt, Irq, Masked};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

static AT: AtomicUsize = AtomicUsize::new(0);
static LOWERED_AT: AtomicUsize = AtomicUsize::new(0);
static PUT_OFF: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicUsize = AtomicUsize::new(0);

fn look(interrupt: &Interrupt<'_, Irq>) {
    AT.store(interrupt.interrupted_at().unwrap_or(0), SeqCst);
    LOWERED_AT.store(instruction(interrupt.ucontext()), SeqCst);
    PUT_OFF.store(interrupt.was_put_off(), SeqCst);
    CALLS.fetch_add(1, SeqCst);
}

/// Where the system says that the thread is; 0 without a context.
fn instruction(context: *mut libc::c_void) -> usize {
    if context.is_null() {
        return 0;
    }
    // SAFETY: the interrupted context.
    let machine = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
    #[cfg(target_arch = "x86_64")]
    return machine.gregs[libc::REG_RIP as usize] as usize;
    #[cfg(target_arch = "aarch64")]
    return machine.pc as usize;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = machine;
        0
    }
}

/// Of the last handler's signal: where it came, where the handler's context says that the thread
/// is, and whether it was put off.
fn seen() -> (usize, usize, bool) {
    assert_eq!(CALLS.swap(0, SeqCst), 1);
    (AT.load(SeqCst), LOWERED_AT.load(SeqCst), PUT_OFF.load(SeqCst))
}

alone! {
    fn context_signal_that_was_put_off_knows_where_it_came() {
        register(libc::SIGUSR1, look).unwrap();
        handler(look).direct().register(real_time(0)).unwrap();
        // It comes where the system call that sends it returns, at one place of the C library.
        queue(libc::SIGUSR1, 0).unwrap();
        let (sent_at, here, put_off) = seen();
        assert!(sent_at == here && sent_at != 0 && !put_off);
        for signal in [libc::SIGUSR1, real_time(0)] {
            let masked = Masked::<Irq>::new();
            queue(signal, 0).unwrap();
            drop(masked);
            let (came_at, lowered_at, put_off) = seen();
            assert!(came_at == sent_at && put_off);
            assert_ne!(lowered_at, sent_at, "the kick ends in a mask that is put back");
        }
    }

    /// The program has blocked the signal, so the signal has come once more.
    fn context_signal_that_went_back_knows_where_it_was_let_in() {
        register(libc::SIGUSR1, look).unwrap();
        queue(libc::SIGUSR1, 0).unwrap();
        let (sent_at, ..) = seen();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 0).unwrap();
        change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1]);
        drop(masked);
        change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
        let (came_at, here, put_off) = seen();
        assert!(came_at == here && came_at != sent_at && !put_off);
    }

    fn context_signals_that_merge_know_where_the_first_came() {
        register(libc::SIGUSR1, look).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 0).unwrap();
        change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1]);
        queue(libc::SIGUSR1, 0).unwrap();
        change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
        drop(masked);
        let (first_at, ..) = seen();
        queue(libc::SIGUSR1, 0).unwrap();
        assert_eq!(seen().0, first_at);
    }
}
