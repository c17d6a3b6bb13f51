//! A thread is stopped just after the step that lets it out of a lock. Before it goes on, all
//! waiters get in and out, and the lock is destroyed. Whatever the thread still does, it must not
//! touch the lock.

use crate::page::{Page, Raw};
use crate::step::{self, Stop};
use crate::support::{Platform, on_each_platform, say, until};
use crate::visit::Visit;
use siftlock::lock_api::{RawRwLock as _, RawRwLockUpgrade as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

on_each_platform!(rwsem_stalled_leaver_does_not_touch_a_freed_lock);

/// How others wait for the lock.
#[derive(Clone, Copy, Debug)]
enum Wait {
    Read,
    Upgradable,
    Write,
}

use Wait::{Read, Upgradable, Write};

const QUEUES: [&[Wait]; 7] =
    [&[], &[Read], &[Write], &[Upgradable], &[Read, Write], &[Write, Read], &[Write, Write]];

fn rwsem_stalled_leaver_does_not_touch_a_freed_lock<P: Platform>() {
    if !step::works() {
        return say("not tested: this machine does not stop threads behind an instruction");
    }
    let cases = || Visit::ALL.into_iter().flat_map(|visit| QUEUES.map(|queue| (visit, queue)));
    let stopped = cases().filter(|(visit, queue)| stall::<P>(*visit, queue)).count();
    // If a waiter gets in at that very moment, the stop is missed.
    assert!(stopped > cases().count() / 2, "only {stopped} were stopped");
}

/// Returns whether the thread could be stopped.
fn stall<P: Platform>(visit: Visit, queue: &[Wait]) -> bool {
    const WRITER: u64 = 1;
    const READERS: u64 = 0xffff_ff00;

    let (page, left) = (Page::<P>::new(), AtomicUsize::new(0));
    page.build();
    let writes = matches!(visit, Visit::Write | Visit::WriteFair | Visit::Upgrade);
    let bits = if writes { WRITER } else { READERS };
    let stop = Stop::new(&page.words()[0], bits);
    thread::scope(|s| {
        visit.pay(page.lock(), || {
            for wait in queue {
                let (page, left) = (&page, &left);
                s.spawn(move || {
                    wait.pass(page.lock());
                    left.fetch_add(1, Ordering::SeqCst);
                });
                thread::sleep(Duration::from_millis(1));
            }
            s.spawn(|| {
                until(|| stop.reached.load(Ordering::SeqCst));
                until(|| left.load(Ordering::SeqCst) == queue.len());
                page.lock().lock_exclusive();
                page.destroy();
                stop.go_on.store(true, Ordering::SeqCst);
            });
            step::begin(&stop);
        });
        step::end();
        stop.reached.swap(true, Ordering::SeqCst)
    })
}

impl Wait {
    /// Gets into the lock and out again, without being woken: the stopped thread can wake nobody.
    fn pass<P: Platform>(self, lock: &Raw<P>) {
        const NAP: Duration = Duration::from_millis(3);
        // SAFETY: each leaves what it has taken.
        unsafe {
            match self {
                Read => {
                    let token = loop {
                        if let Ok(token) = lock.read_within(NAP) {
                            break token;
                        }
                    };
                    lock.unlock_shared(token);
                }
                Upgradable => {
                    while lock.upgradable_within(NAP).is_err() {}
                    lock.unlock_upgradable(Default::default());
                }
                Write => {
                    while lock.write_within(NAP).is_err() {}
                    lock.unlock_exclusive(Default::default());
                }
            }
        }
    }
}
