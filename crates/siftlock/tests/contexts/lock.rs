//! The lock that is read from handlers.

use crate::support::{VALUES, alone, queue};
use siftlock::context::{self, Interrupt, Irq, Thread};
use siftlock::platform::{Native, Strict};
use siftlock_core::platform::Platform;
use siftlock_core::psrw::PsRwLock;
use std::cell::UnsafeCell;

struct Guarded<P>(PsRwLock<P, Thread, (Thread, Irq)>, UnsafeCell<[i32; 2]>);

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
        context::register(libc::SIGUSR1, |_: &Interrupt<'_, Irq>| NATIVE.read_in_handler()).unwrap();
        NATIVE.write_with_signal_in_the_middle();
    }

    fn psrw_handler_reads_after_own_threads_write_with_strict_masking() {
        context::register(libc::SIGUSR1, |_: &Interrupt<'_, Irq>| STRICT.read_in_handler()).unwrap();
        STRICT.write_with_signal_in_the_middle();
    }
}
