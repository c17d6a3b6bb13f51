//! Locks of different contexts behind one face.

use crate::monitor;
use crate::script::{Actor, Mode, Patience};
use crate::sim::Sim;
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::psrw::policy::{Standard, Strict};
use siftlock_core::psrw::{
    Context, Irq, NonPreemptible, PsRwLock, Readers, Reads, Refused, Snapshot, SoftIrq, Thread,
};

pub(crate) use siftlock_core::sync::mutant;

/// How long a `t` waits, in nanoseconds.
const A_WHILE: u64 = 1_000_000;

pub(crate) trait Subject: Sized + 'static {
    /// The class that writes.
    const WRITES: Class;
    fn found(word: u64) -> Self;
    fn take(&self, mode: Mode, patience: Patience) -> Result<Raised, Refused>;
    /// Gives the lock back. The caller has it in this mode, and has raised so much.
    unsafe fn give_back(&self, mode: Mode, raised: Raised);
    /// The caller has the lock for writing, has raised so much, and goes on as a Thread reader.
    unsafe fn go_on_reading(&self, _raised: Raised) {
        unreachable!("Threads do not read");
    }
    /// S7: the lock is at rest, and this is its word.
    fn assert_rests_at(&self, word: u64);
    /// Shows the monitor a lock that stays where it is.
    fn show(&self) {}
}

/// How often, in this row, a thread that could go on is made to wait for another. Two threads are
/// explored without a bound, unless handlers multiply the executions.
pub(crate) fn preemptions(row: &[Actor]) -> Option<usize> {
    let handlers = row.iter().any(|actor| !actor.handlers.is_empty());
    match row.len() {
        0..=2 if !handlers => None,
        0..=2 => Some(3),
        3 => Some(if handlers { 2 } else { 3 }),
        _ => Some(2),
    }
}

fn deadline(patience: Patience) -> Option<Instant> {
    match patience {
        Patience::Endless | Patience::Update | Patience::FailedUpdate => None,
        Patience::Past | Patience::Try => Some(Instant::from_nanos(0)),
        Patience::Timed => Some(Sim::now().after(A_WHILE)),
    }
}

fn read<W: Context, R: Readers, L, C: Reads<R>>(
    lock: &PsRwLock<R, W, L, Sim>,
    at: C,
    patience: Patience,
) -> Result<Raised, Refused>
where
    L: siftlock_core::psrw::Policy,
{
    match patience {
        Patience::Endless => Ok(lock.read(at)),
        Patience::Try => lock.try_read(at).ok_or(Refused::TimedOut),
        _ => lock.read_until(at, deadline(patience)),
    }
}

/// A write that was prepared outside.
trait Update {
    fn update_as_it_was_prepared(&self) -> Result<Raised, Refused>;
    /// Fails to prepare a write. Reports that as a time-out.
    fn fail_to_prepare(&self) -> Refused;
}

impl<R: Readers, L: siftlock_core::psrw::Policy> Update for PsRwLock<R, Thread, L, Sim> {
    fn update_as_it_was_prepared(&self) -> Result<Raised, Refused> {
        let (seen, raised) = self.update(Thread, monitor::prepares)?;
        monitor::is_as_prepared(seen);
        Ok(raised)
    }

    fn fail_to_prepare(&self) -> Refused {
        let prepare = || {
            monitor::prepares();
            Err::<u64, ()>(())
        };
        match self.try_update(Thread, prepare) {
            Ok(Ok(_)) => panic!("inside, though it has prepared nothing"),
            Ok(Err(())) => Refused::TimedOut,
            Err(refused) => refused,
        }
    }
}

impl<R: Readers, L> Update for PsRwLock<R, SoftIrq, L, Sim> {
    fn update_as_it_was_prepared(&self) -> Result<Raised, Refused> {
        unreachable!("Threads prepare");
    }

    fn fail_to_prepare(&self) -> Refused {
        unreachable!("Threads prepare");
    }
}

macro_rules! subject {
    ($(#[$meta:meta])* $name:ident = $writes:ident, $set:ty, [$($reads:ident),*], $policy:ident $(, $downgrades:ident)?) => {
        $(#[$meta])*
        pub(crate) type $name = PsRwLock<$set, $writes, $policy, Sim>;

        impl Subject for $name {
            const WRITES: Class = $writes::CLASS;

            fn found(word: u64) -> Self {
                Self::found(word)
            }

            fn take(&self, mode: Mode, patience: Patience) -> Result<Raised, Refused> {
                match mode {
                    $(Mode::Read(class) if class == $reads::CLASS => read(self, $reads, patience),)*
                    Mode::Read(class) => panic!("{class:?} does not read this lock"),
                    Mode::Write => match patience {
                        Patience::Endless => Ok(self.write($writes)),
                        Patience::Try => self.try_write($writes).ok_or(Refused::TimedOut),
                        Patience::Update => self.update_as_it_was_prepared(),
                        Patience::FailedUpdate => Err(self.fail_to_prepare()),
                        _ => self.write_until($writes, deadline(patience)),
                    },
                }
            }

            unsafe fn give_back(&self, mode: Mode, raised: Raised) {
                match mode {
                    $(Mode::Read(class) if class == $reads::CLASS => {
                        // SAFETY: the caller's promise.
                        unsafe { self.read_unlock($reads, raised) }
                    })*
                    Mode::Read(_) => unreachable!("it was not taken"),
                    // SAFETY: the caller's promise.
                    Mode::Write => unsafe { self.write_unlock($writes, raised) },
                }
            }

            $(subject!(@$downgrades);)?

            fn assert_rests_at(&self, word: u64) {
                let rest = Snapshot { word, has_waiters: false };
                assert_eq!(self.snapshot(), rest, "S7: at rest, nothing but who stays");
            }
        }
    };
    (@downgrades) => {
        unsafe fn go_on_reading(&self, raised: Raised) {
            // SAFETY: the caller's promise.
            unsafe { self.downgrade(raised) }
        }
    };
}

subject!(
    /// Threads read: nothing is ever raised.
    Threads = Thread, Thread, [Thread], Standard, downgrades
);
subject!(
    /// Threads and handlers read.
    Two = Thread, (Thread, Irq), [Thread, Irq], Standard, downgrades
);
subject!(
    /// Threads and handlers read; no thread steals.
    TwoStrict = Thread, (Thread, Irq), [Thread, Irq], Strict
);
subject!(
    /// All four classes read.
    Four = Thread, (Thread, NonPreemptible, SoftIrq, Irq), [Thread, NonPreemptible, SoftIrq, Irq], Standard
);
subject!(
    /// Handlers alone read: one stage.
    IrqAlone = Thread, Irq, [Irq], Standard
);
subject!(
    /// Two classes of handlers read, no Thread does.
    Handlers = Thread, (SoftIrq, Irq), [SoftIrq, Irq], Standard
);
subject!(
    /// Handlers write.
    HighWriter = SoftIrq, (SoftIrq, Irq), [SoftIrq, Irq], Standard
);
