//! A thread is stopped just after the step that lets it out of a lock. Before it goes on, all
//! waiters get in and out, and the lock is destroyed. Whatever the thread still does, it must not
//! touch the lock.

use crate::ground::Ground;
use crate::lock::Lock;
use crate::step::{self, Stop};
use crate::support::{Platform, on_each_platform, say, until};
use siftlock::context::NonPreemptible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

on_each_platform!(psrw_stalled_leaver_does_not_touch_a_freed_lock);

/// A way to hold the lock, or to wait for it.
#[derive(Clone, Copy, Debug)]
enum Way {
    Read,
    ReadAwake,
    Write,
}

use Way::{Read, ReadAwake, Write};

const QUEUES: [&[Way]; 7] =
    [&[], &[Read], &[Write], &[ReadAwake], &[Read, Write], &[Write, Read], &[Write, Write]];

fn psrw_stalled_leaver_does_not_touch_a_freed_lock<P: Platform>() {
    if !step::works() {
        return say("not tested: this machine does not stop threads behind an instruction");
    }
    let cases = || [Read, ReadAwake, Write].into_iter().flat_map(|way| QUEUES.map(|q| (way, q)));
    let stopped = cases().filter(|(way, queue)| stall::<P>(*way, queue)).count();
    // If a reader gets in at that very moment, the stop is missed.
    assert!(stopped > cases().count() / 2, "only {stopped} were stopped");
}

impl Way {
    /// The bits of the word that are gone when it has left.
    fn bits(self) -> u64 {
        const FIELD: u64 = (1 << 18) - 1;
        match self {
            Read => FIELD << 6,
            ReadAwake => FIELD << 24,
            Write => 1,
        }
    }

    fn pay<P: Platform>(self, lock: &Lock<(), P>, inside: impl FnOnce()) {
        match self {
            Read => {
                let _guard = lock.read();
                inside();
            }
            ReadAwake => {
                let _guard = lock.read_at(NonPreemptible);
                inside();
            }
            Write => {
                let _guard = lock.write();
                inside();
            }
        }
    }

    /// Gets into the lock and out again, without being woken: the stopped thread can wake nobody.
    fn pass<P: Platform>(self, lock: &Lock<(), P>) {
        const NAP: Duration = Duration::from_millis(3);
        match self {
            Read => while lock.try_read_for(NAP).is_none() {},
            ReadAwake => while lock.try_read_at_for(NonPreemptible, NAP).is_none() {},
            Write => while lock.try_write_for(NAP).is_none() {},
        }
    }
}

/// Returns whether the thread could be stopped.
fn stall<P: Platform>(way: Way, queue: &[Way]) -> bool {
    let (ground, left) = (Ground::<P>::new(), AtomicUsize::new(0));
    ground.build();
    let stop = Stop::new(&ground.words().word, way.bits());
    let stopped = thread::scope(|s| {
        way.pay(ground.lock(), || {
            for wait in queue {
                let (ground, left) = (&ground, &left);
                s.spawn(move || {
                    wait.pass(ground.lock());
                    left.fetch_add(1, Ordering::SeqCst);
                });
                thread::sleep(Duration::from_millis(1));
            }
            s.spawn(|| {
                until(|| stop.reached.load(Ordering::SeqCst));
                until(|| left.load(Ordering::SeqCst) == queue.len());
                ground.destroy();
                stop.go_on.store(true, Ordering::SeqCst);
            });
            step::begin(&stop);
        });
        step::end();
        stop.reached.swap(true, Ordering::SeqCst)
    });
    ground.build(); // sees whether a late write has changed the rubble
    stopped
}
