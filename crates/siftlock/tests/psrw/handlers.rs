//! Readers in signal handlers. Each test has a signal of its own, since a handler stays for ever.

use crate::support::{Words, finishes, until};
use siftlock::context::{self, HandlerClass, Interrupt, Irq, Masked, SoftIrq, Thread};
use siftlock::psrw::PsRwLock;
use std::os::unix::thread::JoinHandleExt as _;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A lock that handlers of both levels read.
type Shared<T> = PsRwLock<T, (Thread, SoftIrq, Irq)>;

pub(crate) fn register<C: HandlerClass>(place: i32, handler: fn(&Interrupt<'_, C>)) -> i32 {
    let signal = libc::SIGRTMIN() + place;
    // SAFETY: the handlers of these tests read locks and count.
    unsafe { context::register(signal, handler) }.unwrap().signal()
}

pub(crate) fn send<T>(to: &JoinHandle<T>, signal: i32) {
    // SAFETY: not joined yet.
    assert_eq!(unsafe { libc::pthread_kill(to.as_pthread_t() as _, signal) }, 0);
}

fn send_to_myself(signal: i32) {
    // SAFETY: has a handler.
    assert_eq!(unsafe { libc::raise(signal) }, 0);
}

/// A handler interrupts a writer that sleeps until a slow reader leaves, and reads on its thread.
#[test]
fn psrw_handler_reads_on_a_draining_writers_thread() {
    static LOCK: Shared<u32> = PsRwLock::with_classes(1);
    static SEEN: AtomicU32 = AtomicU32::new(0);
    finishes(|| {
        let signal = register(1, |irq: &Interrupt<'_, Irq>| {
            SEEN.fetch_add(*LOCK.read_at(irq), Ordering::SeqCst);
        });
        let slow = LOCK.read();
        let writer = thread::spawn(|| *LOCK.write() = 1_000);
        until(|| LOCK.is_locked_exclusive());
        for times in 1..=10 {
            send(&writer, signal);
            until(|| SEEN.load(Ordering::SeqCst) == times);
        }
        drop(slow);
        writer.join().unwrap();
    });
}

/// In the write section itself the handler is put off, and then sees the new value.
#[test]
fn psrw_handler_reads_after_its_own_threads_write() {
    static LOCK: Shared<u32> = PsRwLock::with_classes(0);
    static SEEN: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];
    finishes(|| {
        let signals = [
            register(2, |irq: &Interrupt<'_, Irq>| {
                SEEN[0].store(*LOCK.read_at(irq), Ordering::SeqCst);
            }),
            register(3, |soft: &Interrupt<'_, SoftIrq>| {
                SEEN[1].store(*LOCK.read_at(soft), Ordering::SeqCst);
            }),
        ];
        let seen = || SEEN.each_ref().map(|seen| seen.load(Ordering::SeqCst));
        for times in 1..=100 {
            let mut guard = LOCK.write();
            signals.into_iter().for_each(send_to_myself);
            *guard = times;
            assert_eq!(seen(), [times - 1; 2], "a handler has interrupted a write");
            drop(guard);
            assert_eq!(seen(), [times; 2]);
        }
    });
}

/// A read above Thread keeps handlers of its class away, and no others.
#[test]
fn psrw_masked_thread_reads_at_its_class() {
    static LOCK: Shared<u32> = PsRwLock::with_classes(7);
    static CAME: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];
    finishes(|| {
        let soft = register(4, |_: &Interrupt<'_, SoftIrq>| {
            CAME[0].fetch_add(1, Ordering::SeqCst);
        });
        let irq = register(5, |irq: &Interrupt<'_, Irq>| {
            CAME[1].fetch_add(*LOCK.read_at(irq), Ordering::SeqCst);
        });
        let came = || CAME.each_ref().map(|came| came.load(Ordering::SeqCst));
        let masked = Masked::<SoftIrq>::new();
        let guard = LOCK.read_at(&masked);
        drop(masked);
        send_to_myself(soft);
        send_to_myself(irq);
        assert_eq!(came(), [0, 7], "the guard keeps its thread raised");
        drop(guard);
        assert_eq!(came(), [1, 7]);
    });
}

/// A fault in the middle of a write. Its handler is called at once, and does not wait for itself.
#[test]
fn psrw_fault_handler_does_not_get_into_its_own_threads_write() {
    static LOCK: Shared<u32> = PsRwLock::with_classes(0);
    static PAGE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
    static READ: AtomicU32 = AtomicU32::new(0);
    fn on_fault(fault: &Interrupt<'_, Irq>) {
        let read = LOCK.try_read_at(fault).map_or(99, |guard| *guard);
        READ.store(read, Ordering::SeqCst);
        let page = PAGE.load(Ordering::SeqCst).cast();
        // SAFETY: our own page; the instruction that failed goes on.
        let opened = unsafe { libc::mprotect(page, 4096, libc::PROT_READ | libc::PROT_WRITE) };
        assert!(fault.is_fault_when_raised() == (read == 99) && opened == 0);
    }
    let touch = || {
        READ.store(0, Ordering::SeqCst);
        let page = PAGE.load(Ordering::SeqCst);
        // SAFETY: our own page. The handler makes it writable.
        unsafe {
            assert_eq!(libc::mprotect(page.cast(), 4096, libc::PROT_NONE), 0);
            page.write_volatile(1);
        }
        READ.load(Ordering::SeqCst)
    };
    finishes(move || {
        let mode = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: asks for new memory.
        let page = unsafe { libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_NONE, mode, -1, 0) };
        assert_ne!(page, libc::MAP_FAILED);
        PAGE.store(page.cast(), Ordering::SeqCst);
        // SAFETY: does nothing but try a lock and jump over the fault.
        unsafe { context::register(libc::SIGSEGV, on_fault) }.unwrap();
        *LOCK.write() = 5;
        assert_eq!(touch(), 5, "nobody writes");
        let guard = LOCK.write();
        assert_eq!(touch(), 99, "the fault is in the write");
        drop(guard);
    });
}

/// The other way round: a handler writes, and threads read at its class.
#[test]
fn psrw_handler_writes_what_masked_threads_read() {
    static LOCK: PsRwLock<Words, Irq, Irq> = PsRwLock::with_classes(Words::new());
    static STOP: AtomicBool = AtomicBool::new(false);
    finishes(|| {
        let signal = register(8, |irq: &Interrupt<'_, Irq>| {
            LOCK.write_at(irq).add();
        });
        let read = || {
            let mut seen = 0;
            while !STOP.load(Ordering::SeqCst) {
                let now = LOCK.read_at(&Masked::<Irq>::new()).check();
                assert!(now >= seen);
                seen = now;
            }
        };
        let readers = [thread::spawn(read), thread::spawn(read)];
        for _ in 0..1_000 {
            readers.iter().for_each(|reader| send(reader, signal));
            thread::sleep(Duration::from_micros(20));
        }
        STOP.store(true, Ordering::SeqCst);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        assert!(LOCK.read_at(&Masked::<Irq>::new()).check() > 0);
        assert!(!LOCK.is_locked());
    });
}
