//! Signals of faults, and of `abort`. They are handled at once where the thread itself raised them,
//! and like other signals where they were sent.

use crate::support::{
    Log, alone, change_mask, in_child, pretend_fault, queue, register, send, thread_id,
};
use siftlock::context::{self, Interrupt, Irq, Masked, SoftIrq};
use std::io::Read as _;
use std::os::fd::AsRawFd as _;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

static LOG: Log = Log::new();
static PAGE: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static FAULT_AT: AtomicUsize = AtomicUsize::new(0);

const FAULT: i32 = 1;
const SENT: i32 = 2;

/// Makes the page accessible that the fault is about.
fn on_segv<C: context::Context>(interrupt: &Interrupt<'_, C>) {
    if interrupt.info().si_code <= 0 {
        assert!(!interrupt.is_fault_when_raised());
        return LOG.push(SENT);
    }
    LOG.push(FAULT);
    // SAFETY: a fault has an address; the page is ours.
    unsafe {
        FAULT_AT.store(interrupt.info().si_addr() as usize, Ordering::SeqCst);
        let page = PAGE.load(Ordering::SeqCst).cast();
        assert_eq!(libc::mprotect(page, 4096, libc::PROT_READ | libc::PROT_WRITE), 0);
    }
}

/// Writes where that is not allowed, until a handler allows it.
fn fault() {
    // SAFETY: a new page, which a handler makes accessible.
    unsafe {
        let page = libc::mmap(
            ptr::null_mut(),
            4096,
            libc::PROT_NONE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        assert_ne!(page, libc::MAP_FAILED);
        PAGE.store(page.cast(), Ordering::SeqCst);
        page.cast::<u8>().add(8).write_volatile(1);
        assert_eq!(FAULT_AT.load(Ordering::SeqCst), page as usize + 8);
    }
}

const RAISED: i32 = 41;
const NOT_RAISED: i32 = 42;

/// Ends the process, and tells by its status how it was called.
fn ends<C: context::Context>(interrupt: &Interrupt<'_, C>) {
    let raised = interrupt.is_fault_when_raised();
    // SAFETY: ends the process.
    unsafe { libc::_exit(if raised { RAISED } else { NOT_RAISED }) }
}

fn abort() -> ! {
    std::process::abort()
}

fn exit_code(status: i32) -> Option<i32> {
    libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status))
}

alone! {
    fn context_fault_is_handled_while_its_signal_is_noted() {
        register::<Irq>(libc::SIGSEGV, on_segv).unwrap();
        let masked = Masked::<Irq>::new();
        send(libc::SIGSEGV);
        assert_eq!(LOG.take(), []);
        fault();
        assert_eq!(LOG.take(), [FAULT]);
        drop(masked);
        assert_eq!(LOG.take(), [SENT]);
    }

    fn context_fault_is_told_that_it_interrupted_a_raised_thread() {
        fn handler(interrupt: &Interrupt<'_, SoftIrq>) {
            assert_eq!(interrupt.is_fault_when_raised(), LOG.take() == [1]);
            LOG.push(10);
            on_segv(interrupt);
        }
        register(libc::SIGSEGV, handler).unwrap();
        fault();
        assert_eq!(LOG.take(), [10, FAULT]);
        let masked = Masked::<Irq>::new();
        LOG.push(1);
        fault();
        drop(masked);
        assert_eq!(LOG.take(), [10, FAULT]);
    }

    fn context_fault_in_a_handler_is_handled() {
        fn faults(_: &Interrupt<'_, Irq>) {
            fault();
        }
        register::<SoftIrq>(libc::SIGSEGV, on_segv).unwrap();
        register(libc::SIGUSR1, faults).unwrap();
        send(libc::SIGUSR1);
        assert_eq!(LOG.take(), [FAULT]);
        // The same holds where the handler was put off.
        let masked = Masked::<Irq>::new();
        send(libc::SIGUSR1);
        drop(masked);
        assert_eq!(LOG.take(), [FAULT]);
    }

    fn context_strict_masking_blocks_no_fault() {
        use siftlock::platform::Strict;
        use siftlock_core::platform::{Class, Platform, Raised};
        register::<Irq>(libc::SIGSEGV, on_segv).unwrap();
        register::<Irq>(libc::SIGUSR1, |_| LOG.push(SENT)).unwrap();
        let raised = Strict::raise(Class::Irq, Raised::NOTHING);
        send(libc::SIGUSR1);
        fault();
        assert_eq!(LOG.take(), [FAULT]);
        Strict::restore(raised);
        assert_eq!(LOG.take(), [SENT]);
    }

    /// The handler of the signal may wait for the lock that the thread writes.
    fn context_strict_masking_puts_off_a_faults_signal_that_was_sent() {
        use siftlock::platform::Strict;
        use siftlock_core::platform::{Class, Platform, Raised};
        register::<Irq>(libc::SIGSEGV, on_segv).unwrap();
        let raised = Strict::raise(Class::Irq, Raised::NOTHING);
        send(libc::SIGSEGV);
        assert_eq!(LOG.take(), []);
        Strict::restore(raised);
        assert_eq!(LOG.take(), [SENT]);
    }

    fn context_strict_masking_tells_a_faults_handler_that_the_thread_is_raised() {
        use siftlock::platform::Strict;
        use siftlock_core::platform::{Class, Platform, Raised};
        register(libc::SIGSEGV, |interrupt: &Interrupt<'_, Irq>| {
            assert!(interrupt.is_fault_when_raised());
            on_segv(interrupt);
        })
        .unwrap();
        let raised = Strict::raise(Class::Irq, Raised::NOTHING);
        fault();
        Strict::restore(raised);
        assert_eq!(LOG.take(), [FAULT]);
    }

    /// A signal that the program itself had blocked stays so.
    fn context_strict_masking_leaves_the_programs_own_blocks() {
        use siftlock::platform::Strict;
        use siftlock_core::platform::{Class, Platform, Raised};
        register::<Irq>(libc::SIGUSR1, |_| LOG.push(1)).unwrap();
        register::<Irq>(libc::SIGUSR2, |_| LOG.push(2)).unwrap();
        change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1]);
        let low = Strict::raise(Class::SoftIrq, Raised::NOTHING);
        let high = Strict::raise(Class::Irq, Raised::NOTHING);
        send(libc::SIGUSR1);
        send(libc::SIGUSR2);
        Strict::restore(low);
        assert_eq!(LOG.take(), []);
        Strict::restore(high);
        assert_eq!(LOG.take(), [2]);
        change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
        assert_eq!(LOG.take(), [1]);
    }

    /// The signal is not put off: `abort` would end the process without the handler.
    fn context_abort_of_a_raised_thread_is_handled_at_once() {
        use siftlock::platform::Strict;
        use siftlock_core::platform::{Class, Platform, Raised};
        register(libc::SIGABRT, ends::<Irq>).unwrap();
        register(libc::SIGUSR1, |_: &Interrupt<'_, Irq>| abort()).unwrap();
        let masked = || {
            let _masked = Masked::<Irq>::new();
            abort();
        };
        let strict = || {
            let _raised = Strict::raise(Class::Irq, Raised::NOTHING);
            abort();
        };
        assert_eq!(exit_code(in_child(masked)), Some(RAISED));
        assert_eq!(exit_code(in_child(strict)), Some(RAISED));
        assert_eq!(exit_code(in_child(|| abort())), Some(NOT_RAISED));
        assert_eq!(exit_code(in_child(|| send(libc::SIGUSR1))), Some(NOT_RAISED));
    }

    /// The handler of `abort` may return, and the process ends all the same.
    fn context_abort_ends_a_raised_process_whose_handler_returns() {
        register::<SoftIrq>(libc::SIGABRT, |_| LOG.push(FAULT)).unwrap();
        let status = in_child(|| {
            let _masked = Masked::<Irq>::new();
            abort();
        });
        assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT);
    }

    /// A signal that does not end the process is put off like any other.
    fn context_abort_signal_that_was_queued_waits_for_the_end_of_the_raise() {
        register::<Irq>(libc::SIGABRT, |_| LOG.push(SENT)).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGABRT, 0).unwrap();
        assert_eq!(LOG.take(), []);
        drop(masked);
        assert_eq!(LOG.take(), [SENT]);
    }

    /// A signal that another process sends, as `abort` does, is no `abort` of this thread.
    fn context_abort_signal_of_another_process_waits_for_the_end_of_the_raise() {
        register::<Irq>(libc::SIGABRT, |_| LOG.push(SENT)).unwrap();
        let masked = Masked::<Irq>::new();
        // SAFETY: touches no memory.
        let (process, thread) = (unsafe { libc::getpid() }, thread_id());
        let status = in_child(|| {
            // SAFETY: a signal for the parent's thread.
            let sent = unsafe { libc::syscall(libc::SYS_tgkill, process, thread, libc::SIGABRT) };
            assert_eq!(sent, 0);
        });
        assert_eq!((status, LOG.take()), (0, vec![]));
        drop(masked);
        assert_eq!(LOG.take(), [SENT]);
    }

    /// The read is refused although the lock is free and nobody is waited for: the next fault may
    /// come inside a write.
    fn psrw_fault_handler_on_a_raised_thread_is_refused_a_waiting_read() {
        static LOCK: siftlock::PsRwLock<u32> = siftlock::PsRwLock::new(1);
        register::<Irq>(libc::SIGSEGV, |fault| LOG.push(*LOCK.read_at(fault) as i32)).unwrap();
        pretend_fault(libc::SIGSEGV);
        assert_eq!(LOG.take(), [1]);
        let (mut reader, writer) = std::io::pipe().unwrap();
        let status = in_child(|| {
            // SAFETY: two open files.
            unsafe { libc::dup2(writer.as_raw_fd(), libc::STDERR_FILENO) };
            let _masked = Masked::<Irq>::new();
            pretend_fault(libc::SIGSEGV);
        });
        assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT);
        drop(writer);
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        assert!(said.contains("use try_read_at"), "{said}");
    }
}
