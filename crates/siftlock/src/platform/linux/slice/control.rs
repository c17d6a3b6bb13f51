//! The two bytes through which a thread and the kernel speak about its time slice.
//!
//! | request, granted | meaning | next |
//! | --- | --- | --- |
//! | 0, 0 | nothing was asked for, or the kernel has taken the grant back | the thread asks: 1, 0 |
//! | 1, 0 | asked for | the thread withdraws: 0, 0 · its slice ends: the kernel lets it run on, 0, 1 |
//! | 0, 1 | it runs on borrowed time | it gives the processor up · it makes another call, or takes too long: 0, 0, and others run |
//!
//! Both sides run on one processor, one after the other, so there is nothing to order but the
//! compiler: a request must not sink behind the step that gets the lock, nor a withdrawal rise
//! before the step that releases it.

use std::sync::atomic::{AtomicU8, Ordering, compiler_fence};

/// See the [module](self). In this order in the thread's rseq area.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Control {
    request: AtomicU8,
    granted: AtomicU8,
}

impl Control {
    /// Asks, unless that was done before. The kernel takes two ones for an error of the thread. So
    /// the thread asks only if both bytes are 0: then no interrupt changes them between load and
    /// store.
    #[inline]
    pub(super) fn request(&self) {
        if self.request.load(Ordering::Relaxed) | self.granted.load(Ordering::Relaxed) == 0 {
            self.request.store(1, Ordering::Relaxed);
        }
        fence();
    }

    /// Withdraws. True: the thread runs on borrowed time, and has to give its processor up.
    #[inline]
    #[must_use]
    pub(super) fn withdraw(&self) -> bool {
        fence();
        self.request.store(0, Ordering::Relaxed);
        self.granted.load(Ordering::Relaxed) != 0
    }
}

/// A fence between a thread and the kernel, which interrupts it.
#[inline]
fn fence() {
    // SeqCst, the one order that also keeps a store before a later load. The partner is the kernel,
    // where it interrupts this very thread; the accesses themselves are Relaxed for the same
    // reason.
    compiler_fence(Ordering::SeqCst);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's part, on plain memory.
    impl Control {
        fn new() -> Self {
            Self { request: AtomicU8::new(0), granted: AtomicU8::new(0) }
        }

        fn bytes(&self) -> (u8, u8) {
            (self.request.load(Ordering::Relaxed), self.granted.load(Ordering::Relaxed))
        }

        fn set(&self, request: u8, granted: u8) {
            self.request.store(request, Ordering::Relaxed);
            self.granted.store(granted, Ordering::Relaxed);
        }

        /// The slice ends. Returns whether the thread runs on.
        fn slice_ends(&self) -> bool {
            assert_ne!(self.bytes(), (1, 1), "the kernel ends a thread that says so");
            let runs_on = self.bytes() == (1, 0);
            self.set(0, u8::from(runs_on));
            runs_on
        }

        /// The thread calls the kernel, to give the processor up or for anything else. Returns
        /// whether other threads run first.
        fn calls(&self) -> bool {
            let granted = self.bytes() == (0, 1);
            if granted {
                self.set(0, 0);
            }
            granted
        }
    }

    #[test]
    fn slice_control_undisturbed_section_owes_nothing() {
        let control = Control::new();
        control.request();
        assert_eq!(control.bytes(), (1, 0));
        assert!(!control.withdraw());
        assert_eq!(control.bytes(), (0, 0));
        assert!(!control.slice_ends(), "outside, the thread is preempted as ever");
    }

    #[test]
    fn slice_control_granted_section_gives_the_processor_up_once() {
        let control = Control::new();
        control.request();
        assert!(control.slice_ends(), "runs on");
        assert!(control.withdraw(), "has to give up");
        assert!(control.calls(), "others run");
        assert!(!control.withdraw() && !control.calls(), "once");
    }

    #[test]
    fn slice_control_is_granted_once_a_request() {
        let control = Control::new();
        control.request();
        assert!(control.slice_ends() && !control.slice_ends(), "took too long");
        assert_eq!(control.bytes(), (0, 0));
        assert!(!control.withdraw(), "the kernel has it back already");
        control.request();
        assert!(control.slice_ends(), "the next section asks anew");
    }

    #[test]
    fn slice_control_call_inside_ends_the_grant() {
        let control = Control::new();
        control.request();
        assert!(!control.calls() && control.bytes() == (1, 0), "not granted: nothing to end");
        assert!(control.slice_ends() && control.calls());
        assert!(!control.withdraw());
    }

    /// Two locks, one inside the other, however the slice ends.
    #[test]
    fn slice_control_nested_requests_are_one() {
        for ends_after in 0..3 {
            let control = Control::new();
            let mut ran_on = Vec::new();
            for step in 0..3 {
                if step < 2 {
                    control.request();
                } else {
                    assert_eq!(control.withdraw(), ends_after < 2, "{ends_after}");
                }
                if step == ends_after {
                    ran_on.push(control.slice_ends());
                }
            }
            assert_eq!(ran_on, [ends_after < 2], "asked for until the first withdrawal");
        }
    }
}
