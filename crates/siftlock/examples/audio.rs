//! A sound thread reads its parameters while others write and slowly display them.
//!
//! Every 2.7 ms the sound thread must deliver a block; a longer delay is heard. Under an ordinary
//! lock it stands behind a writer, which stands behind a slow reader: a display that draws for 20
//! ms. Under `PsRwLock` the writer shuts the other threads out first, and sleeps until they have
//! left. It shuts the sound thread out only for the write itself.
//!
//! Run it with `cargo run --release --example audio`.

use siftlock::PsRwLock;
use siftlock::context::{NonPreemptible, Thread};
use std::f32::consts::TAU;
use std::hint::black_box;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What a control thread sets and the sound thread plays.
#[derive(Clone, Copy)]
struct Tone {
    frequency: f32,
    gain: f32,
}

const START: Tone = Tone { frequency: 440.0, gain: 0.5 };

/// The two locks to compare, each with its way to read in the sound thread.
trait Parameters: Sync {
    fn now(&self) -> Tone;
    fn display(&self, draw: impl FnOnce(Tone));
    fn set(&self, tone: Tone);
}

/// Read by threads, and by threads that must not block.
impl Parameters for PsRwLock<Tone, (Thread, NonPreemptible)> {
    fn now(&self) -> Tone {
        *self.read_at(NonPreemptible)
    }

    fn display(&self, draw: impl FnOnce(Tone)) {
        let tone = self.read();
        draw(*tone);
    }

    fn set(&self, tone: Tone) {
        *self.write() = tone;
    }
}

impl Parameters for RwLock<Tone> {
    fn now(&self) -> Tone {
        *self.read().unwrap()
    }

    fn display(&self, draw: impl FnOnce(Tone)) {
        let tone = self.read().unwrap();
        draw(*tone);
    }

    fn set(&self, tone: Tone) {
        *self.write().unwrap() = tone;
    }
}

const SAMPLE_RATE: f32 = 48_000.0;
const BLOCK: usize = 128;
const PERIOD: Duration = Duration::from_micros(2_667);
const BLOCKS: usize = 600;

/// Plays all blocks, and returns how long each read of the parameters has taken.
fn play(parameters: &impl Parameters) -> Vec<Duration> {
    let mut due = Instant::now();
    let mut phase = 0.0;
    let waits = (0..BLOCKS).map(|_| {
        let before = Instant::now();
        let tone = parameters.now();
        let wait = before.elapsed();

        let mut block = [0.0_f32; BLOCK];
        for sample in &mut block {
            *sample = tone.gain * (phase * TAU).sin();
            phase = (phase + tone.frequency / SAMPLE_RATE).fract();
        }
        black_box(block); // to the sound card

        due += PERIOD;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        wait
    });
    waits.collect()
}

/// Lets the sound play while one thread displays the parameters and another changes them.
fn perform(name: &str, parameters: &impl Parameters) {
    let stop = AtomicBool::new(false);
    let waits = thread::scope(|s| {
        s.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                parameters.display(|_| thread::sleep(Duration::from_millis(20)));
                thread::sleep(Duration::from_millis(5));
            }
        });
        s.spawn(|| {
            let mut tone = START;
            while !stop.load(Ordering::Relaxed) {
                tone.frequency = 880.0 - tone.frequency / 2.0;
                parameters.set(tone);
                thread::sleep(Duration::from_millis(3));
            }
        });
        let waits = s.spawn(|| play(parameters)).join().unwrap();
        stop.store(true, Ordering::Relaxed);
        waits
    });
    let late = waits.iter().filter(|wait| **wait > PERIOD).count();
    let longest = waits.into_iter().max().unwrap_or_default();
    println!("{name:<16} {late:>5} of {BLOCKS} blocks too late   longest wait {longest:>10.1?}");
}

fn main() {
    println!(
        "A block of sound every {PERIOD:?}, a display that reads for 20 ms, a control that writes."
    );
    perform("std::RwLock", &RwLock::new(START));
    perform("PsRwLock", &PsRwLock::<Tone, (Thread, NonPreemptible)>::with_classes(START));
}
