//! The lock that is read from handlers.

use crate::support::{VALUES, alone, note_value, queue, real_time, register, without_allocating};
use siftlock::context::{Interrupt, Irq, Masked, Thread};
use siftlock::platform::{Native, Strict};
use siftlock_core::platform::Platform;
use siftlock_core::psrw::{PsRwLock, policy::Standard};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

struct Guarded<P>(PsRwLock<(Thread, Irq), Thread, Standard, P>, UnsafeCell<[i32; 2]>);

// SAFETY: the value is used under the lock.
unsafe impl<P> Sync for Guarded<P> {}

static NATIVE: Guarded<Native> = Guarded(PsRwLock::new(), UnsafeCell::new([0; 2]));
static STRICT: Guarded<Strict> = Guarded(PsRwLock::new(), UnsafeCell::new([0; 2]));

impl<P: Platform> Guarded<P> {
    fn read_in_handler(&self) {
        let raised = self.0.read(Irq);
        // SAFETY: locked for reading.
        let [a, b] = unsafe { *self.1.get() };
        // SAFETY: taken above.
        unsafe { self.0.read_unlock(Irq, raised) };
        assert_eq!(a, b, "torn");
        VALUES.push(a);
    }

    /// The signal that arrives in the middle of the write is handled after it.
    fn write_with_signal_in_the_middle(&self) {
        for n in 1..=100 {
            let raised = self.0.write(Thread);
            // SAFETY: locked for writing.
            unsafe {
                (*self.1.get())[0] = n;
                queue(libc::SIGUSR1, 0).unwrap();
                (*self.1.get())[1] = n;
                self.0.write_unlock(Thread, raised);
            }
            assert_eq!(VALUES.take(), [n]);
        }
        assert_eq!(P::level(), siftlock_core::platform::Class::Thread);
    }
}

alone! {
    fn psrw_handler_reads_after_own_threads_write() {
        register(libc::SIGUSR1, |_: &Interrupt<'_, Irq>| NATIVE.read_in_handler()).unwrap();
        NATIVE.write_with_signal_in_the_middle();
    }

    fn psrw_handler_reads_after_own_threads_write_with_strict_masking() {
        register(libc::SIGUSR1, |_: &Interrupt<'_, Irq>| STRICT.read_in_handler()).unwrap();
        STRICT.write_with_signal_in_the_middle();
    }

    /// The handler's first reader spins, then naps. It allocates in no context.
    fn psrw_handler_waits_for_another_threads_write_without_allocating() {
        static INSIDE: AtomicBool = AtomicBool::new(false);
        register(libc::SIGUSR1, |_: &Interrupt<'_, Irq>| NATIVE.read_in_handler()).unwrap();
        let writer = thread::spawn(|| {
            let raised = NATIVE.0.write(Thread);
            // SAFETY: locked for writing.
            unsafe { (*NATIVE.1.get())[0] = 5 };
            INSIDE.store(true, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(20));
            // SAFETY: as above, by the write above.
            unsafe {
                (*NATIVE.1.get())[1] = 5;
                NATIVE.0.write_unlock(Thread, raised);
            }
        });
        while !INSIDE.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        without_allocating(|| queue(libc::SIGUSR1, 0).unwrap());
        assert_eq!(VALUES.take(), [5]);
        writer.join().unwrap();
    }

    /// A thread's first signals are noted and delivered without allocating.
    fn context_deferring_does_not_allocate() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(real_time(0), note_value).unwrap();
        thread::spawn(|| {
            without_allocating(|| {
                let masked = Masked::<Irq>::new();
                queue(libc::SIGUSR1, 1).unwrap();
                (0..20).for_each(|value| queue(real_time(0), value).unwrap());
                drop(masked);
            });
        })
        .join()
        .unwrap();
        assert_eq!(VALUES.take().len(), 21);
    }
}
