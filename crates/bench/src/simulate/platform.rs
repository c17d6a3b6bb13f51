//! The locks' platform on a simulated machine: it does by the machine's system what Linux does.

use std::cell::Cell;

use siftlock_core_sim::platform::{Bias, Class, Countdown, Instant, Platform, Raised};
use siftlock_core_sim::record::{Record, RecordId};
use siftlock_core_sim::sync::{AtomicU32, Ordering};
use siftlock_sim::{Aligned, calls};

use super::masked::{self, CLASSES, Masked};

/// The data that one run keeps for its threads.
#[derive(Debug)]
struct Stage {
    records: Vec<Record>,
    countdowns: Vec<Countdown>,
    masked: Vec<Cell<[Masked; CLASSES]>>,
    /// When the run ends, in cycles: masked times are cut there.
    end: Cell<u64>,
    bias: Aligned<Bias>,
}

thread_local! {
    static STAGE: Cell<Option<&'static Stage>> = const { Cell::new(None) };
}

/// Makes records for a run with this many threads. Records are never freed, as the locks require.
pub(super) fn set_stage(threads: usize) {
    let ids = (1..=threads as u32).filter_map(RecordId::new);
    let stage = Stage {
        records: ids.map(Record::new).collect(),
        countdowns: (0..threads).map(|_| Countdown::new()).collect(),
        masked: vec![Cell::default(); threads],
        end: Cell::new(u64::MAX),
        bias: Aligned(Bias::new()),
    };
    stage.bias.begin_heavy_fence(|| true);
    STAGE.set(Some(Box::leak(Box::new(stage))));
}

/// Sets the run's end, in cycles: masked times are cut there.
pub(super) fn set_end(end: u64) {
    stage().end.set(end);
}

fn stage() -> &'static Stage {
    STAGE.get().expect("a run has a stage")
}

fn me() -> usize {
    calls::thread().expect("a simulated thread calls")
}

/// How long the calling thread has kept this class out so far.
pub(super) fn masked(class: Class) -> Masked {
    stage().masked[me()].get()[class as usize]
}

/// Notes that the caller changes the highest class that it keeps out, from `before` to `after`.
fn note_masked(before: u8, after: u8) {
    let cell = &stage().masked[me()];
    cell.set(masked::changed(cell.get(), [before, after], calls::now(), stage().end.get()));
}

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Simulated;

// SAFETY: the records are never freed, each simulated thread has its own, and `wake` ends a `wait`:
// the machine makes the look at the word and the sleep in one step.
unsafe impl Platform for Simulated {
    fn current() -> &'static Record {
        &stage().records[me()]
    }

    fn record(id: RecordId) -> &'static Record {
        &stage().records[id.get() as usize - 1]
    }

    fn records() -> u32 {
        stage().records.len() as u32
    }

    fn wait(_record: &Record, word: &AtomicU32, seen: u32, until: Option<Instant>) {
        let is_unchanged = || word.load(Ordering::Relaxed) == seen;
        calls::sleep(word, is_unchanged, until.map(Instant::as_nanos));
    }

    fn wake(_record: &Record, word: &AtomicU32) {
        calls::wake(word, 1);
    }

    fn wake_all(word: &AtomicU32) {
        calls::wake(word, usize::MAX);
    }

    fn bias() -> Option<&'static Bias> {
        Some(&stage().bias)
    }

    fn is_time_to_ask(weight: u32) -> bool {
        stage().countdowns[me()].is_over(weight)
    }

    fn ask_again_after(reads: u32) {
        stage().countdowns[me()].begin(reads);
    }

    fn heavy_fence() {
        calls::heavy_fence();
    }

    fn yield_now() {
        calls::give_way();
    }

    const GIVES_WAY: bool = true;

    fn give_way() {
        calls::give_way();
    }

    fn now() -> Instant {
        Instant::from_nanos(calls::clock())
    }

    fn may_spin() -> bool {
        calls::processors() > 1
    }

    fn processors() -> u32 {
        calls::processors() as u32
    }

    fn nap() {
        calls::nap(NAP);
    }

    fn raise(to: Class, held: Raised) -> Raised {
        let before = calls::raise(to as u8);
        note_masked(before, before.max(to as u8));
        if held == Raised::NOTHING { Raised::new(u64::from(before) + 1) } else { held }
    }

    fn restore(held: Raised) {
        let Some(before) = held.state().checked_sub(1) else { return };
        note_masked(calls::level(), before as u8);
        calls::lower(before as u8);
    }

    fn level() -> Class {
        match calls::level() {
            0 => Class::Thread,
            1 => Class::NonPreemptible,
            2 => Class::SoftIrq,
            _ => Class::Irq,
        }
    }
}

/// Nanoseconds, as on Linux.
const NAP: u64 = 50_000;
