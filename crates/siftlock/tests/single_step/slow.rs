//! The ways in and out with another party in the way: behind it, past the deadline, and in vain.

use crate::handler::inside;
use crate::script::Other::{HighReader, HighWriter, IrqReader, ThreadReader, Writer};
use crate::script::{Base, Event, Other, deadline};
use crate::walk::{IRQ, Path, SOFT_QUEUED, on_each_base};
use Event::{
    HighReaderLeaves, HighWriterLeaves, IrqReaderLeaves, LongWait, Nothing, ThreadReaderLeaves,
    TimePasses, WriterLeaves,
};
use siftlock::context::{Context, Irq, SoftIrq, Thread};
use siftlock_core::platform::{Class, Raised};
use siftlock_core::psrw::Refused;

on_each_base! {
    psrw_reader_that_waits_is_interrupted_at_every_instruction
    psrw_writer_that_waits_is_interrupted_at_every_instruction
    psrw_reader_that_gives_up_is_interrupted_at_every_instruction
    psrw_writer_that_gives_up_is_interrupted_at_every_instruction
    psrw_writer_above_thread_is_interrupted_at_every_instruction
}

/// Walks the path past parties that are found there, and that leave as the script says.
fn past<B: Base>(name: &'static str, found: &[Other], script: &[Event], path: &dyn Fn()) {
    Path { name, found, script, path, ..Path::NONE }.walk::<B>(&[IRQ, SOFT_QUEUED]);
}

/// Walks the path in vain: the party that is found stays to the end.
fn in_vain<B: Base, T>(
    name: &'static str,
    found: Other,
    script: &[Event],
    attempt: &dyn Fn() -> Option<T>,
) {
    let path = || assert!(attempt().is_none());
    let (found, left) = (&[found], &[found]);
    Path { name, found, script, left, path: &path, ..Path::NONE }.walk::<B>(&[IRQ]);
}

fn read_through<B: Base, C: Context>(at: C) {
    let raised = B::lock().read(at);
    inside(C::CLASS, || ());
    // SAFETY: taken above.
    unsafe { B::lock().read_unlock(at, raised) };
}

fn write_through<B: Base>(taken: Result<Raised, Refused>) {
    let raised = taken.unwrap();
    inside(Class::Irq, || ());
    // SAFETY: taken by the caller.
    unsafe { B::lock().write_unlock(Thread, raised) };
}

fn psrw_reader_that_waits_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let thread = || read_through::<B, _>(Thread);
    past::<B>("read behind a writer", &[Writer], &[Nothing, WriterLeaves], &thread);
    past::<B>("read, overdue", &[Writer], &[LongWait, WriterLeaves], &thread);
    past::<B>("read as SoftIrq behind a writer", &[Writer], &[Nothing, WriterLeaves], &|| {
        read_through::<B, _>(SoftIrq);
    });
    past::<B>("read as Irq behind a writer", &[Writer], &[WriterLeaves], &|| {
        read_through::<B, _>(Irq);
    });
}

fn psrw_writer_that_waits_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let write = || write_through::<B>(Ok(B::lock().write(Thread)));
    let leave = [ThreadReaderLeaves, IrqReaderLeaves];
    past::<B>("write behind a Thread", &[ThreadReader], &[Nothing, leave[0]], &write);
    past::<B>("write behind an Irq", &[IrqReader], &[Nothing, leave[1]], &write);
    past::<B>("write behind both", &[ThreadReader, IrqReader], &leave, &write);
    past::<B>("write behind a writer", &[Writer], &[Nothing, WriterLeaves], &write);
    past::<B>("write, overdue", &[Writer], &[LongWait, WriterLeaves], &write);
    past::<B>("write behind both, timed", &[ThreadReader, IrqReader], &leave, &|| {
        write_through::<B>(B::lock().write_until(Thread, Some(deadline())));
    });
}

fn psrw_reader_that_gives_up_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let lock = B::lock();
    in_vain::<B, _>("read until", Writer, &[TimePasses], &|| {
        lock.read_until(Thread, Some(deadline())).ok()
    });
    in_vain::<B, _>("read until, as SoftIrq", Writer, &[Nothing, TimePasses], &|| {
        lock.read_until(SoftIrq, Some(deadline())).ok()
    });
    in_vain::<B, _>("try to read", Writer, &[], &|| lock.try_read(Thread));
    in_vain::<B, _>("try to read as Irq", Writer, &[], &|| lock.try_read(Irq));
}

fn psrw_writer_that_gives_up_is_interrupted_at_every_instruction<B: Base>(_: B) {
    for (found, name) in [
        (ThreadReader, "behind a Thread"),
        (IrqReader, "behind an Irq"),
        (Writer, "behind a writer"),
    ] {
        in_vain::<B, _>(name, found, &[Nothing, TimePasses], &|| {
            B::lock().write_until(Thread, Some(deadline())).ok()
        });
        in_vain::<B, _>(name, found, &[], &|| B::lock().try_write(Thread));
    }
}

fn psrw_writer_above_thread_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let high = B::high();
    let write = || {
        let raised = high.write(SoftIrq);
        inside(Class::Irq, || ());
        // SAFETY: taken above.
        unsafe { high.write_unlock(SoftIrq, raised) };
    };
    past::<B>("behind a reader", &[HighReader], &[Nothing, HighReaderLeaves], &write);
    past::<B>("behind a writer", &[HighWriter], &[Nothing, HighWriterLeaves], &write);
    for found in [HighReader, HighWriter] {
        in_vain::<B, _>("write until, as SoftIrq", found, &[TimePasses], &|| {
            high.write_until(SoftIrq, Some(deadline())).ok()
        });
        in_vain::<B, _>("try to write as SoftIrq", found, &[], &|| high.try_write(SoftIrq));
    }
}
