//! Threads read and write while handlers of both levels interrupt them wherever they are.

use crate::handlers::{register, send};
use crate::support::{Native, Platform, Words, finishes};
use siftlock::context::{HandlerClass, Interrupt, Irq, SoftIrq, Thread};
use siftlock::platform::Strict;
use siftlock::psrw::{PsRwLock, Reads, policy::Standard};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

macro_rules! interrupted {
    ($test:ident, $platform:ty, $irq:expr, $soft:expr) => {
        #[test]
        fn $test() {
            static VALUE: PsRwLock<Words, (Thread, SoftIrq, Irq), Thread, Standard, $platform> =
                PsRwLock::with_classes(Words::new());
            static READS: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];
            finishes(|| {
                let signals = [
                    register($irq, |irq: &Interrupt<'_, Irq>| count(&VALUE, irq, &READS[0])),
                    register($soft, |soft: &Interrupt<'_, SoftIrq>| count(&VALUE, soft, &READS[1])),
                ];
                interrupt(&VALUE, signals);
                assert!(READS.iter().all(|reads| reads.load(Ordering::SeqCst) > 0));
            });
        }
    };
}

interrupted!(psrw_threads_and_handlers_never_tear_the_value, Native, 6, 7);
interrupted!(psrw_threads_and_handlers_under_strict_masking_never_tear_it, Strict, 9, 10);

type Reading = (Thread, SoftIrq, Irq);

type Interrupted<P> = PsRwLock<Words, Reading, Thread, Standard, P>;

fn count<P, C>(value: &Interrupted<P>, interrupt: &Interrupt<'_, C>, reads: &AtomicU32)
where
    P: Platform,
    C: HandlerClass + Reads<Reading>,
{
    value.read_at(interrupt).check();
    reads.fetch_add(1, Ordering::SeqCst);
}

fn interrupt<P: Platform>(value: &'static Interrupted<P>, signals: [i32; 2]) {
    const RUN_FOR: Duration = Duration::from_millis(600);
    let stop = Arc::new(AtomicBool::new(false));
    let run = |place: u32| {
        let stop = Arc::clone(&stop);
        thread::spawn(move || {
            let mut written = 0;
            while !stop.load(Ordering::SeqCst) {
                value.read().check();
                if place < 2 {
                    written += value.write().add();
                }
            }
            written
        })
    };
    let threads: Vec<_> = (0..3).map(run).collect();
    let end = Instant::now() + RUN_FOR;
    while Instant::now() < end {
        for thread in &threads {
            signals.into_iter().for_each(|signal| send(thread, signal));
        }
        thread::sleep(Duration::from_micros(30));
    }
    stop.store(true, Ordering::SeqCst);
    let written: u64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(value.read().check(), written, "writes were lost");
    assert_eq!(crate::lock::words(value), (0, 0));
}
