//! The state of one execution of a model: the records and clocks of its threads, the holders
//! inside, and the lock's count at this moment.
//!
//! None of it is simulated: the engine does not see it and takes no step for it. It belongs to the
//! OS thread that runs all the model's threads.

mod setup;

pub use self::setup::{Fences, NEVER, Setup, Spin};

use crate::{engine, fences, monitor};
use siftlock_core::platform::Bias;
use siftlock_core::record::{Record, RecordId};
use siftlock_core::rwsem::FOUND_BIASED;
use siftlock_core::sync::{AtomicU32, Cell as Data, spin_without_time};
use std::cell::{Cell, RefCell};

/// Where all clocks begin, in nanoseconds.
pub const DAWN: u64 = 1_000_000_000;

/// A thread's own part.
pub struct Seat {
    pub(crate) record: Record,
    pub(crate) thread: RefCell<Option<engine::thread::Thread>>,
    pub(crate) clock: Cell<u64>,
    /// How often it has looked at the clock.
    pub(crate) looks: Cell<u64>,
    /// How many steps had been made when it last slept with a limit.
    pub(crate) napped_after: Cell<Option<u64>>,
    /// The word that the thread sleeps on without a limit: only the engine's call wakes it.
    pub(crate) asleep_on: Cell<*const AtomicU32>,
    /// This thread is overdue whatever the setup says.
    pub(crate) overdue: Cell<bool>,
    /// It wants an upgradable share: while another has that, nothing is gained by reserving.
    pub(crate) upgradable: Cell<bool>,
    /// Its call has a time limit of its own.
    pub(crate) limited: Cell<bool>,
    /// The thread waits for the lock, which was reserved for others ever since (R9).
    pub(crate) shut_out: Cell<bool>,
    /// Its last attempt as the first waiter is over; it should have reserved the lock by now if it
    /// is overdue.
    pub(crate) woke_first: Cell<bool>,
    /// The time of the first of the wake-ups in a row at which it found itself the first.
    pub(crate) first_since: Cell<Option<u64>>,
    /// The count before and after this thread's last step.
    pub(crate) last_step: Cell<(u64, u64)>,
    /// How many of its reads are inside by a slot.
    pub(crate) by_slot: Cell<u32>,
    /// Its call has added a share to the count.
    pub(crate) shared: Cell<bool>,
    /// Its call has made it the first waiter.
    pub(crate) queued: Cell<bool>,
    /// How often it has taken the lock past the present first waiter.
    pub(crate) passes: Cell<u32>,
    /// Stays where it is until it is let go.
    pub(crate) stays: Cell<bool>,
    /// Has made a step since it last slept.
    pub(crate) runs: Cell<bool>,
    /// How many heavy fences it has passed.
    pub(crate) fenced: Cell<u64>,
    /// The handler that interrupts its next sleep without a shield.
    pub(crate) handler: RefCell<Option<Handler>>,
    /// How many shields are up.
    pub(crate) shields: Cell<u32>,
}

/// A handler of a signal. It runs on its thread in place of a sleep, which then is over.
pub(crate) type Handler = Box<dyn FnOnce()>;

/// One execution.
pub struct World {
    pub(crate) setup: Setup,
    pub(crate) seats: Vec<Seat>,
    /// The count, after the last step.
    pub(crate) count: Cell<u64>,
    /// How many steps have been made.
    pub(crate) steps: Cell<u64>,
    pub(crate) bias: Bias,
    /// How many heavy fences have begun.
    pub(crate) fences: Cell<u64>,
    /// Readers inside, each with a share in the count.
    pub(crate) readers: Cell<u32>,
    pub(crate) writers: Cell<u32>,
    /// The part of the count that was found and has not left.
    pub(crate) found: Cell<u64>,
    /// Sections that have not been entered, or given up, yet.
    pub(crate) to_come: Cell<usize>,
    /// How many calls were refused the lock. Its steps are ordered, as a program has to order
    /// refused calls before it frees a lock. The lock itself orders the calls that had it.
    pub(crate) refused: AtomicU32,
    /// An actor frees the lock.
    pub(crate) frees: Cell<bool>,
    /// The lock's life is over.
    pub(crate) freed: Cell<bool>,
    /// The data that the lock guards.
    pub(crate) data: Data<u64>,
}

std::thread_local! {
    static WORLD: Cell<*const World> = const { Cell::new(std::ptr::null()) };
}

engine::thread_local! {
    static SEAT: Cell<usize> = Cell::new(0);
}

impl World {
    /// A new world for `threads` threads, which are made afterwards.
    pub(crate) fn begin(setup: Setup, threads: usize) -> &'static Self {
        let world = Box::new(Self {
            setup,
            seats: (1..).take(threads).map(Seat::new).collect(),
            count: Cell::new(setup.found & !FOUND_BIASED),
            steps: Cell::new(0),
            bias: Bias::new(),
            fences: Cell::new(0),
            readers: Cell::new(0),
            writers: Cell::new((setup.found & monitor::WRITER) as u32),
            found: Cell::new(setup.found & !FOUND_BIASED),
            to_come: Cell::new(0),
            refused: AtomicU32::new(0),
            frees: Cell::new(false),
            freed: Cell::new(false),
            data: Data::new(0),
        });
        spin_without_time(setup.spin == Spin::Timeless);
        WORLD.set(Box::into_raw(world));
        fences::begin(setup.fences.are_light());
        let world = Self::now();
        world.bias.begin_heavy_fence(|| setup.fences.have_heavy());
        world
    }

    /// The world of the execution that is under way.
    ///
    /// # Panics
    /// If there is none.
    pub fn now() -> &'static Self {
        // SAFETY: `end` is called when the other threads have been joined; a world whose execution
        // failed is leaked.
        unsafe { WORLD.get().as_ref() }.expect("a model is running")
    }

    /// The execution is over, its threads have been joined.
    pub(crate) fn end(&'static self) {
        let world = WORLD.replace(std::ptr::null()).cast_mut();
        // SAFETY: made by `begin`, and nobody else is there.
        drop(unsafe { Box::from_raw(world) });
    }

    /// The calling thread takes its seat.
    pub(crate) fn sit(&self, place: usize) {
        SEAT.with(|seat| seat.set(place));
        *self.seats[place].thread.borrow_mut() = Some(engine::thread::current());
    }

    /// How often the calling thread has looked at the clock.
    pub fn looks(&self) -> u64 {
        self.me().looks.get()
    }

    /// The calling thread stays where it is while `so` is true. It looks again when it is let go.
    pub fn stay_while(&self, so: impl Fn() -> bool) {
        while so() {
            self.me().stays.set(true);
            fences::leave();
            engine::thread::park();
        }
    }

    /// Every thread that stays where it is looks again.
    pub fn let_go(&self) {
        self.seats.iter().filter(|seat| seat.stays.take()).for_each(Seat::call);
    }

    /// A section was entered, or given up. After the last one, the threads that stay look again.
    pub(crate) fn comes(&self) {
        self.to_come.set(self.to_come.get() - 1);
        if self.to_come.get() == 0 {
            self.let_go();
        }
    }

    /// Accounts for a reader that comes in, or goes.
    pub(crate) fn reader(&self, by_slot: bool, comes: i32) {
        let kind = if by_slot { &self.me().by_slot } else { &self.readers };
        kind.set(kind.get().wrapping_add_signed(comes));
    }

    /// Readers inside by slots.
    pub(crate) fn readers_by_slot(&self) -> u32 {
        self.seats.iter().map(|seat| seat.by_slot.get()).sum()
    }

    /// The calling thread's seat.
    pub(crate) fn me(&self) -> &Seat {
        &self.seats[SEAT.with(Cell::get)]
    }

    /// The seat of the thread with this id.
    pub(crate) fn seat(&self, id: RecordId) -> &Seat {
        &self.seats[id.get() as usize - 1]
    }
}

impl Seat {
    fn new(id: u32) -> Self {
        Self {
            record: Record::new(RecordId::new(id).expect("seats are numbered from 1")),
            thread: RefCell::new(None),
            clock: Cell::new(DAWN),
            looks: Cell::new(0),
            napped_after: Cell::new(None),
            asleep_on: Cell::new(std::ptr::null()),
            overdue: Cell::new(false),
            upgradable: Cell::new(false),
            limited: Cell::new(false),
            shut_out: Cell::new(false),
            woke_first: Cell::new(false),
            first_since: Cell::new(None),
            last_step: Cell::new((0, 0)),
            by_slot: Cell::new(0),
            shared: Cell::new(false),
            queued: Cell::new(false),
            passes: Cell::new(0),
            stays: Cell::new(false),
            runs: Cell::new(false),
            fenced: Cell::new(0),
            handler: RefCell::new(None),
            shields: Cell::new(0),
        }
    }

    /// Ends the thread's sleep in the engine.
    pub(crate) fn call(&self) {
        self.thread.borrow().as_ref().expect("it sits").unpark();
    }

    pub(crate) fn id(&self) -> u32 {
        self.record.id().get()
    }
}
