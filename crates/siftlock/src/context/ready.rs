//! Handlers that are safe as they are.

use super::handler::{Handle, Handler, HandlerClass};
use super::interrupt::Interrupt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

impl<C: HandlerClass> Handler<C> {
    /// Counts the signal, without any `unsafe`: 1 for each call, and a timer's
    /// [overruns](Interrupt::expirations). Not for the signals of faults.
    ///
    /// Each addition is a release. A thread that loads the counter with acquire sees all that the
    /// interrupted thread did before.
    ///
    /// ```
    /// use siftlock::context::{Handler, Irq};
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// let ticks = Arc::new(AtomicUsize::new(0));
    /// Handler::<Irq>::counting(ticks.clone()).register(libc::SIGUSR1)?;
    /// unsafe { libc::raise(libc::SIGUSR1) };
    /// assert_eq!(ticks.load(Ordering::Acquire), 1);
    /// # Ok::<(), siftlock::context::RegisterError>(())
    /// ```
    pub fn counting(counter: Arc<AtomicUsize>) -> Handler<C, impl Handle<C>> {
        let count = move |interrupt: &Interrupt<'_, C>| {
            counter.fetch_add(interrupt.expirations() as usize, Ordering::Release);
        };
        Handler::of(count).only_sent()
    }

    /// Sets the flag when the signal comes, without any `unsafe`. Not for the signals of faults.
    ///
    /// The store is a release, as in [`counting`](Self::counting).
    pub fn setting(flag: Arc<AtomicBool>) -> Handler<C, impl Handle<C>> {
        let set = move |_: &Interrupt<'_, C>| flag.store(true, Ordering::Release);
        Handler::of(set).only_sent()
    }
}
