use siftlock::context::{self, Interrupt, Irq, Masked, NonPreemptible, SoftIrq, Thread};
use siftlock::psrw::{PsRwLock, RawPsRwLock};

static LOCK: PsRwLock<u32, (Thread, Irq)> = PsRwLock::new(0);
static HIGH: PsRwLock<u32, (NonPreemptible, Irq)> = PsRwLock::with_classes(0);
static RAW: RawPsRwLock = RawPsRwLock::new();

pub fn reads_in_an_unnamed_class(soft: &Interrupt<'_, SoftIrq>) {
    LOCK.read_at(NonPreemptible); //~ `NonPreemptible` does not read this lock | name `NonPreemptible` among the classes
    LOCK.read_at(soft); //~ `SoftIrq` does not read this lock
    LOCK.try_read_at(&Masked::<SoftIrq>::new()); //~ `SoftIrq` does not read this lock
    HIGH.read(); //~ Thread` does not read this lock | or read from one that is named
    HIGH.try_read(); //~ Thread` does not read this lock
    RAW.read(SoftIrq); //~ `SoftIrq` does not read this lock
}

static BELOW: PsRwLock<u32, (Thread, Irq), SoftIrq> = PsRwLock::with_classes(0); //~ `SoftIrq` cannot write a lock | let the lowest class that reads write
static RAW_BELOW: RawPsRwLock<SoftIrq, Irq> = RawPsRwLock::new(); //~ Irq` cannot write a lock

pub fn makes_a_lock_with_an_unsound_order() {
    let _: PsRwLock<u32, Thread, Irq> = PsRwLock::default(); //~ Irq` cannot write a lock
    let _: PsRwLock<u32, Thread, Irq> = 5.into(); //~ Irq` cannot write a lock
}

static ORDER: PsRwLock<u32, (Irq, Thread)> = PsRwLock::with_classes(0); //~ is not a set of classes | the lowest first
static TWICE: PsRwLock<u32, (Irq, Irq)> = PsRwLock::with_classes(0); //~ is not a set of classes | each of them once

pub fn says_wrongly_where_it_runs() {
    LOCK.read_at(Irq); //~ Irq` does not say where this call is made | a handler passes the `&Interrupt`
    LOCK.write_at(NonPreemptible); //~ type mismatch resolving
    LOCK.write_at(Irq); //~ Irq` does not say where this call is made
}

fn handles(_: &Interrupt<'_, NonPreemptible>) {}

pub fn registers_at_no_handlers_class() {
    let _ = unsafe { context::register(10, handles) }; //~ no handler is registered at the class `NonPreemptible` | let the handler take
}
