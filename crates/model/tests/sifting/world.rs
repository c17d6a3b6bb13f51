//! The state of one execution. None of it is simulated: it takes no step, and belongs to the OS
//! thread that runs all the model's threads.

use crate::script::{Mode, Patience};
use crate::subject::Subject;
use siftlock_core::platform::Class;
use siftlock_core::record::{Record, RecordId};
use siftlock_core::sync::{AtomicU32, Cell as Data};
use siftlock_model::engine;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A time that never comes.
pub(crate) const NEVER: u64 = u64::MAX;

const CLASSES: [Class; 4] = [Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq];

/// The settings that all executions of a model have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// Nanoseconds after which a first waiter is overdue.
    pub(crate) patience: u64,
    /// Others may run before a sleep with a time limit is over. Otherwise the sleep is over at
    /// once, unless a call comes just then.
    pub(crate) lazy: bool,
    /// Waiting awake begins with a few looks; otherwise with a nap.
    pub(crate) spins: bool,
    /// The word as the lock is found: readers that never leave.
    pub(crate) found: u64,
    /// The first seat's record id.
    pub(crate) first_id: u32,
    /// The demands on the executions.
    pub(crate) demands: Demands,
    /// How many more preemptions a search for a failure makes: it ends when the failure is found.
    pub(crate) deeper: usize,
}

/// The demands on executions, where the monitor leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demands {
    /// Exclusion, an end for every thread, and the lock as it was found.
    Outcome,
    /// All the invariants of the lock.
    Invariants,
    /// Also S8, of a lock that is known not to keep it.
    S8,
    /// Also S9, of a lock that is known not to keep it.
    S9,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            patience: NEVER,
            lazy: false,
            spins: false,
            found: 0,
            first_id: 1,
            demands: Demands::Invariants,
            deeper: 0,
        }
    }
}

/// Others run before a timed sleep ends.
pub(crate) fn lazy(setup: &mut Setup) {
    setup.lazy = true;
}

/// Every first waiter is overdue at once.
pub(crate) fn overdue(setup: &mut Setup) {
    setup.patience = 0;
}

/// Waiting awake begins with looks, so a try waits as well.
pub(crate) fn spins(setup: &mut Setup) {
    setup.spins = true;
}

/// A handler of one thread: its class, the step before which it comes, and how many there have
/// been.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) class: Class,
    pub(crate) at: usize,
    pub(crate) steps: Cell<usize>,
}

/// A thread's own part.
pub(crate) struct Seat {
    pub(crate) record: Record,
    pub(crate) thread: RefCell<Option<engine::thread::Thread>>,
    pub(crate) clock: Cell<u64>,
    /// The word that it sleeps on without a limit.
    pub(crate) asleep_on: Cell<*const AtomicU32>,
    /// Naps in a row for which the word as it is gave no reason.
    pub(crate) needless: Cell<u32>,
    /// It naps until the word changes.
    pub(crate) naps: Cell<bool>,
    /// The mode that its call, or its handler's, wants at the moment, and for how long that call
    /// waits.
    pub(crate) wants: Cell<(Mode, Patience)>,
    /// The class of the handler that interrupts it, or Thread.
    pub(crate) base: Cell<Class>,
    /// How often it is raised to each class.
    pub(crate) raises: [Cell<u32>; 4],
    pub(crate) handlers: Vec<Handler>,
}

impl Seat {
    fn new(id: u32, handlers: Vec<Handler>) -> Self {
        Self {
            record: Record::new(RecordId::new(id).expect("an id")),
            thread: RefCell::new(None),
            clock: Cell::new(1_000_000_000),
            asleep_on: Cell::new(std::ptr::null()),
            needless: Cell::new(0),
            naps: Cell::new(false),
            wants: Cell::new((Mode::Write, Patience::Endless)),
            base: Cell::new(Class::Thread),
            raises: std::array::from_fn(|_| Cell::new(0)),
            handlers,
        }
    }

    /// The class that the thread stands at.
    pub(crate) fn level(&self) -> Class {
        let raised = CLASSES.into_iter().filter(|c| self.raises[*c as usize].get() > 0).max();
        raised.unwrap_or(Class::Thread).max(self.base.get())
    }

    pub(crate) fn id(&self) -> u32 {
        self.record.id().get()
    }

    pub(crate) fn call(&self) {
        self.thread.borrow().as_ref().expect("it sits").unpark();
    }
}

/// Runs a handler, given the seat's place and the handler's number.
type Interrupt = Rc<dyn Fn(usize, usize)>;

/// One execution.
pub(crate) struct World {
    pub(crate) setup: Setup,
    /// Writers stand above Thread.
    pub(crate) high_writers: bool,
    pub(crate) seats: Vec<Seat>,
    /// The word, after the last step.
    pub(crate) word: Cell<u64>,
    /// The place of the writer that sifts or is inside.
    pub(crate) writer: Cell<Option<usize>>,
    /// The holders inside: Thread readers, higher readers, writers.
    pub(crate) threads: Cell<u64>,
    pub(crate) highs: Cell<u64>,
    pub(crate) writers: Cell<u64>,
    /// Sections that have not been entered, or given up, yet.
    pub(crate) to_come: Cell<usize>,
    /// The lock's life is over.
    pub(crate) freed: Cell<bool>,
    /// The data that the lock guards.
    pub(crate) data: Data<u64>,
    /// Acts out handlers.
    pub(crate) interrupt: RefCell<Option<Interrupt>>,
}

std::thread_local! {
    static WORLD: Cell<*const World> = const { Cell::new(std::ptr::null()) };
}

engine::thread_local! {
    static SEAT: Cell<usize> = Cell::new(0);
}

impl World {
    /// A new world, with the handlers of each thread.
    pub(crate) fn begin<S: Subject>(setup: Setup, handlers: Vec<Vec<Handler>>) -> &'static Self {
        let ids = setup.first_id..;
        let world = Box::new(Self {
            setup,
            high_writers: S::WRITES > Class::Thread,
            seats: ids.zip(handlers).map(|(id, handlers)| Seat::new(id, handlers)).collect(),
            word: Cell::new(setup.found),
            writer: Cell::new(None),
            threads: Cell::new(0),
            highs: Cell::new(0),
            writers: Cell::new(0),
            to_come: Cell::new(0),
            freed: Cell::new(false),
            data: Data::new(0),
            interrupt: RefCell::new(None),
        });
        WORLD.set(Box::into_raw(world));
        Self::now()
    }

    /// The world of the execution that is under way.
    pub(crate) fn now() -> &'static Self {
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

    pub(crate) fn place(&self) -> usize {
        SEAT.with(Cell::get)
    }

    /// The calling thread's seat.
    pub(crate) fn me(&self) -> &Seat {
        &self.seats[self.place()]
    }

    pub(crate) fn seat(&self, id: RecordId) -> &Seat {
        &self.seats[(id.get() - self.setup.first_id) as usize]
    }

    /// The calling thread is where an interrupt may come. Each handler that its level admits counts
    /// the place, and runs if it was chosen for this place.
    pub(crate) fn interruptible(&self) {
        let place = self.place();
        let seat = &self.seats[place];
        for (number, handler) in seat.handlers.iter().enumerate() {
            if handler.class > seat.level() {
                handler.steps.set(handler.steps.get() + 1);
                if handler.steps.get() == handler.at {
                    let act = self.interrupt.borrow().clone().expect("set before threads run");
                    let base = seat.base.replace(handler.class);
                    act(place, number);
                    seat.base.set(base);
                }
            }
        }
    }
}
