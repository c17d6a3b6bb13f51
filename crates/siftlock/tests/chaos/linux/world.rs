//! All places, the state that the threads share, and the choice of a thread's next act.

use super::actor::Actor;
use super::comers;
use super::duets::{self, Duet};
use super::forks;
use super::options::Options;
use super::place::{Place, Subject};
use super::support::{Eager, EagerNoted, EagerSymmetric, Linux, Portable};
use super::travel::{self, Parcel};
use siftlock::policy::{BeforePatch10, Classic, Counted, Noted, Patch10, Standard};
use std::ops::Range;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

/// The places whose locks are biased whenever they can be.
const EAGER: Range<usize> = 6..9;

/// A cache line of its own.
#[derive(Default)]
#[repr(align(128))]
struct Line(AtomicU64);

pub(crate) struct World {
    pub(crate) options: Options,
    /// Sends guards to the thread that drops other threads' guards.
    pub(crate) mail: SyncSender<Parcel>,
    /// Sends duets to the threads that join them.
    pub(crate) guests: Vec<SyncSender<Arc<dyn Duet>>>,
    places: OnceLock<Vec<Box<dyn Subject>>>,
    /// The place where most threads go.
    hot: AtomicUsize,
    /// Sections are short now and follow upon each other, to meet windows of some nanoseconds. At
    /// other times threads sleep inside now and then, and so do all others.
    rush: AtomicBool,
    /// Lines that threads on all processors write.
    contended: [Line; 8],
    over: AtomicBool,
    /// Locks dropped and made anew.
    pub(crate) renewed: AtomicU64,
}

impl World {
    pub(crate) fn new(
        options: Options,
        mail: SyncSender<Parcel>,
        guests: Vec<SyncSender<Arc<dyn Duet>>>,
    ) -> Self {
        Self {
            options,
            mail,
            guests,
            places: OnceLock::new(),
            hot: AtomicUsize::new(0),
            rush: AtomicBool::new(false),
            contended: Default::default(),
            over: AtomicBool::new(false),
            renewed: AtomicU64::new(0),
        }
    }

    /// The places, in the order in which a thread may hold several.
    pub(crate) fn places(&'static self) -> &'static [Box<dyn Subject>] {
        self.places.get_or_init(|| {
            vec![
                Box::new(Place::<Linux, Standard>::new("Standard")),
                Box::new(Place::<Linux, Counted>::with("Counted", travel::send)),
                Box::new(Place::<Linux, Noted>::new("Noted")),
                Box::new(Place::<Linux, Classic>::new("Classic")),
                Box::new(Place::<Linux, Patch10>::new("Patch10")),
                Box::new(Place::<Linux, BeforePatch10>::new("BeforePatch10")),
                Box::new(Place::<Linux, Eager>::new("eager bias")),
                Box::new(Place::<Linux, EagerSymmetric>::new("symmetric bias")),
                Box::new(Place::<Linux, EagerNoted>::new("eager, noted")),
                Box::new(Place::<Portable, Standard>::new("Standard, portable")),
                Box::new(Place::<Portable, Noted>::new("Noted, portable")),
                Box::new(Place::<Portable, Classic>::new("Classic, portable")),
                Box::new(Place::<Portable, EagerSymmetric>::new("symmetric bias, portable")),
                Box::new(Place::<Linux, Counted>::with("Counted, the last", travel::send)),
                Box::new(Place::<Linux, Standard>::new("Standard, the last")),
            ]
        })
    }

    /// The threads come to their end. Relaxed, here and below: hints.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_rush(&self) -> bool {
        self.rush.load(Ordering::Relaxed)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Hides the stores that follow from other processors for a while: they queue behind stores to
    /// lines that have to be fetched first.
    pub(crate) fn delay_stores(&self) {
        // Relaxed: nobody reads them.
        self.contended.iter().for_each(|line| line.0.store(1, Ordering::Relaxed));
    }

    /// The thread makes so many calls there, and holds no lock of this place or of later ones.
    pub(crate) fn visit(&'static self, number: usize, calls: u32, actor: &mut Actor) {
        let was = actor.post.goes_to(number);
        let floor = std::mem::replace(&mut actor.floor, number + 1);
        self.places()[number].visit(calls, actor);
        actor.floor = floor;
        actor.post.goes_back(was);
    }

    /// The place where most threads are, or any.
    fn somewhere(&'static self, actor: &mut Actor) -> usize {
        let places = self.places().len();
        // Each visit lasts longer in a rush.
        if actor.once_in(if self.is_rush() { 40 } else { 200 }) {
            // Relaxed, and below: a hint.
            let rush = actor.rng.bool();
            // Most windows of some nanoseconds come with biases.
            let biased = rush && actor.rng.bool();
            let hot = if biased { EAGER } else { 0..places };
            self.hot.store(actor.rng.usize(hot), Ordering::Relaxed);
            self.rush.store(rush, Ordering::Relaxed);
        }
        if actor.once_in(4) { actor.rng.usize(..places) } else { self.hot.load(Ordering::Relaxed) }
    }
}

impl Actor {
    /// Makes some calls somewhere.
    pub(crate) fn roam(&mut self) {
        let (number, calls) = (self.world.somewhere(self), self.rng.u32(1..24));
        self.world.visit(number, calls, self);
    }

    /// The life of a thread that is there all the time.
    pub(crate) fn live(&mut self) {
        while !self.world.is_over() {
            match self.rng.u32(..1_000) {
                0..66 => self.renew(),
                66..74 => {
                    let place = &self.world.places()[self.rng.usize(..8)];
                    forks::fork_at(&**place, self);
                }
                74..94 => comers::come_and_go(self),
                94..244 => duets::invite(self),
                _ => self.roam(),
            }
        }
    }

    fn renew(&mut self) {
        let number = self.world.somewhere(self);
        self.post.begin(&"a lock made anew");
        let was = self.post.goes_to(number);
        if self.world.places()[number].renew(self) {
            // Relaxed: a counter.
            self.world.renewed.fetch_add(1, Ordering::Relaxed);
        }
        self.post.goes_back(was);
    }
}
