//! Real threads on the lock, all calls at once, on a value of 100 words that shows every overlap of
//! a writer with anybody. Nothing interrupts here: a class above Thread is a thread that does not
//! sleep.

#[path = "../../siftlock/tests/support/mod.rs"]
mod support;

use psrw_2008::PsRw2008;
use siftlock_core::platform::{Instant, Platform, Raised};
use siftlock_core::psrw::{Context, Irq, NonPreemptible, Readers, SoftIrq, Thread};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use support::{Dice, Native, finishes};

/// Wall time of each test.
const RUN_FOR: Duration = Duration::from_millis(1_500);
/// More than there are processors, so that holders lose theirs.
const THREADS: u64 = 5;

type Lock<W, R> = PsRw2008<R, W, Native>;
type Everybody = (Thread, NonPreemptible, SoftIrq, Irq);

/// A number, a hundred times. Atomics, so that a broken lock makes wrong numbers and nothing worse.
struct Words([AtomicU64; 100]);

impl Words {
    /// The number, which must be the same in all words.
    fn check(&self) -> u64 {
        let first = self.0[0].load(Ordering::Relaxed);
        for word in &self.0[1..] {
            assert_eq!(word.load(Ordering::Relaxed), first, "torn");
        }
        first
    }

    /// Adds one. For the only holder.
    fn add(&self) {
        let next = self.check() + 1;
        for word in &self.0 {
            word.store(next, Ordering::Relaxed);
        }
    }
}

struct Scene<W, R> {
    lock: Lock<W, R>,
    words: Words,
    written: AtomicU64,
}

impl<W: Context, R: Readers> Scene<W, R> {
    fn look<C: Context>(&self, at: C, taken: Option<Raised>) {
        if let Some(raised) = taken {
            self.words.check();
            // SAFETY: taken just before.
            unsafe { self.lock.read_unlock(at, raised) };
        }
    }

    fn change(&self, at: W, taken: Option<Raised>) {
        if let Some(raised) = taken {
            self.words.add();
            self.written.fetch_add(1, Ordering::Relaxed);
            // SAFETY: taken just before.
            unsafe { self.lock.write_unlock(at, raised) };
        }
    }

    /// Reads in class `C`, in one of the forms.
    fn read<C: Context>(&self, at: C, dice: &mut Dice) {
        let taken = match dice.roll(4) {
            0 => self.lock.try_read(at),
            1 => self.lock.read_until(at, Some(soon(dice))).ok(),
            _ => Some(self.lock.read(at)),
        };
        self.look(at, taken);
    }

    fn write(&self, at: W, dice: &mut Dice) {
        let taken = match dice.roll(4) {
            0 => self.lock.try_write(at),
            1 => self.lock.write_until(at, Some(soon(dice))).ok(),
            _ => Some(self.lock.write(at)),
        };
        self.change(at, taken);
    }
}

fn soon(dice: &mut Dice) -> Instant {
    Native::now().after(dice.roll(300_000))
}

/// Lets threads do `act`, and looks at what they leave.
fn stress<W: Context, R: Readers>(act: fn(&Scene<W, R>, &mut Dice)) {
    let scene = Scene::<W, R> {
        lock: PsRw2008::new(),
        words: Words([const { AtomicU64::new(0) }; 100]),
        written: AtomicU64::new(0),
    };
    let end = std::time::Instant::now() + RUN_FOR;
    thread::scope(|s| {
        for seed in 1..=THREADS {
            let (scene, mut dice) = (&scene, Dice::new(seed));
            s.spawn(move || {
                while std::time::Instant::now() < end {
                    (0..20).for_each(|_| act(scene, &mut dice));
                }
            });
        }
    });
    let written = scene.written.into_inner();
    assert!(written > 0 && scene.words.check() == written, "of {written} writes some were lost");
    // At rest all words are 0, and nobody is in the queue.
    assert_eq!(format!("{:?}", scene.lock), format!("{:?}", Lock::<W, R>::new()));
}

#[test]
fn psrw_2008_threads_of_all_classes_never_tear_the_value() {
    finishes(|| {
        stress::<Thread, Everybody>(|scene, dice| match dice.roll(10) {
            0..3 => scene.read(Thread, dice),
            3 => scene.read(NonPreemptible, dice),
            4 => scene.read(SoftIrq, dice),
            5..8 => scene.read(Irq, dice),
            _ => scene.write(Thread, dice),
        });
    });
}

#[test]
fn psrw_2008_sleeping_threads_never_tear_the_value() {
    finishes(|| {
        stress::<Thread, Thread>(|scene, dice| match dice.roll(4) {
            0 => scene.write(Thread, dice),
            _ => scene.read(Thread, dice),
        });
    });
}

#[test]
fn psrw_2008_writers_alone_never_tear_the_value() {
    finishes(|| stress::<Thread, (Thread, Irq)>(|scene, dice| scene.write(Thread, dice)));
}

#[test]
fn psrw_2008_writers_above_thread_never_tear_the_value() {
    finishes(|| {
        stress::<SoftIrq, (SoftIrq, Irq)>(|scene, dice| match dice.roll(4) {
            0 => scene.write(SoftIrq, dice),
            1 => scene.read(SoftIrq, dice),
            _ => scene.read(Irq, dice),
        });
    });
}

/// Readers that sleep inside make writers, and then readers, sleep too.
#[test]
fn psrw_2008_slow_readers_lose_no_wake_up() {
    finishes(|| {
        stress::<Thread, (Thread, Irq)>(|scene, dice| match dice.roll(6) {
            0 => scene.write(Thread, dice),
            1 => {
                let raised = scene.lock.read(Thread);
                thread::sleep(Duration::from_micros(dice.roll(200)));
                scene.look(Thread, Some(raised));
            }
            2 => scene.read(Irq, dice),
            _ => scene.read(Thread, dice),
        });
    });
}
