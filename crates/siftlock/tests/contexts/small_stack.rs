//! Handlers on an alternate stack as small as the stacks that `std` makes.

use crate::support::{alone, handler, in_child, register, send};
use siftlock::PsRwLock;
use siftlock::context::{Interrupt, Irq};
use std::hint::black_box;
use std::io::Read as _;
use std::os::fd::AsRawFd as _;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

static LOCK: PsRwLock<u32> = PsRwLock::new(5);
static CONTEXT: AtomicUsize = AtomicUsize::new(0);

#[expect(unconditional_recursion, reason = "that is the point")]
fn overflow(depth: u64) -> u64 {
    let used = black_box([depth; 64]);
    overflow(depth + 1) + black_box(used)[0]
}

/// Reports that it was called, and lets `std`'s handler end the process.
fn reports(fault: &Interrupt<'_, Irq>) {
    let read = LOCK.try_read_at(fault).is_some_and(|value| *value == 5);
    let word = if read { c"report" } else { c"no read" };
    // SAFETY: writes from valid memory.
    unsafe { libc::write(libc::STDERR_FILENO, word.as_ptr().cast(), word.count_bytes()) };
    fault.call_earlier();
}

fn reads(interrupt: &Interrupt<'_, Irq>) {
    CONTEXT.store(interrupt.ucontext() as usize, Ordering::Relaxed);
    assert_eq!(*LOCK.read_at(interrupt), 5);
}

alone! {
    fn context_handler_of_a_fault_reports_a_stack_overflow() {
        register(libc::SIGSEGV, reports).unwrap();
        let (mut reader, writer) = std::io::pipe().unwrap();
        let status = in_child(|| {
            // SAFETY: two open files.
            unsafe { libc::dup2(writer.as_raw_fd(), libc::STDERR_FILENO) };
            overflow(0);
        });
        drop(writer);
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        assert!(libc::WIFSIGNALED(status), "{status:#x}");
        assert!(said.starts_with("report"), "{said}");
    }

    /// Of the 8 KiB that `std` gives, the system's frame takes a third and more. It is not counted
    /// here, since it depends on the processor.
    fn context_handler_that_reads_takes_little_stack() {
        const SIZE: usize = 64 * 1024;
        /// 4,144 in a debug build, and 1,888 in a release build.
        const ENOUGH: usize = 5 * 1024;
        const UNUSED: u8 = 0xa5;
        let mut stack = vec![UNUSED; SIZE];
        handler(reads).flags(libc::SA_ONSTACK).register(libc::SIGUSR1).unwrap();
        let alternate = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIZE };
        // SAFETY: memory that lives as long as it is used.
        assert_eq!(unsafe { libc::sigaltstack(&alternate, ptr::null_mut()) }, 0);
        send(libc::SIGUSR1);
        let none = libc::stack_t { ss_flags: libc::SS_DISABLE, ..alternate };
        // SAFETY: takes the stack out of use.
        assert_eq!(unsafe { libc::sigaltstack(&none, ptr::null_mut()) }, 0);
        let deepest = stack.iter().position(|byte| *byte != UNUSED).expect("it was used");
        let used = CONTEXT.load(Ordering::Relaxed) - (stack.as_ptr() as usize + deepest);
        assert!(used < ENOUGH, "{used} bytes");
    }
}
