//! Rows with handlers, which interrupt their own thread at every step: S3, S8 and S9.

use crate::model::{Model, alone, falls, holds};
use crate::sim::Sim;
use crate::subject::{Four, Handlers, HighWriter, IrqAlone, Two, TwoStrict};
use crate::world::{Setup, lazy, overdue, spins};
use siftlock_core::platform::{Class, Platform};
use siftlock_core::psrw::{Irq, NonPreemptible, Thread};

holds! {
    /// S8: the handler's reader gets in, and out, at every step of its thread's read, its wait in
    /// the queue included, whatever the writer does meanwhile.
    psrw_irq_reader_enters_past_sifting_writer: Two, "R!I W";
    psrw_softirq_reader_enters_past_sifting_writer: Four, "R!B W";
    psrw_irq_reader_enters_past_writer_that_waits_for_nonpreemptible_one: Four, "N!I W";
    psrw_softirq_reader_enters_past_writer_that_waits_for_nonpreemptible_one: Four, "N!B W";
    psrw_irq_reader_enters_past_writer_that_waits_for_softirq_one: Four, "B!I W";
    psrw_irq_reader_interrupts_irq_read: Two, "I!I W";
    /// S3: at every step of the writer that does not mask the handler, the handler gets in.
    psrw_irq_reader_interrupts_writer: Two, "R W!I";
    psrw_irq_reader_interrupts_writer_beside_irq_reader: Two, "I W!I";
    psrw_irq_reader_interrupts_writer_beside_writer: Two, "W W!I";
    psrw_irq_reader_interrupts_lone_writer_of_one_stage: IrqAlone, "I W!I";
    psrw_softirq_reader_interrupts_writer: Handlers, "I W!B";
    psrw_nonpreemptible_reader_interrupts_writer: Four, "R W!N";
    psrw_handlers_of_two_classes_interrupt_writer: Four, "R W!I!B";
    psrw_handlers_of_two_classes_interrupt_reader: Four, "R!I!B W";
    psrw_irq_readers_interrupt_both: Two, "R!I W!I";
    psrw_irq_reader_interrupts_one_of_two_writers: Two, "R W W!I";
    psrw_irq_reader_interrupts_reader_beside_two_writers: Two, "R!I W W";
    psrw_irq_reader_interrupts_writer_beside_readers: Two, "R R W!I";
    psrw_irq_reader_interrupts_writer_without_stealing: TwoStrict, "R W W!I";
    psrw_irq_reader_interrupts_overdue_writers: Two, "R W W!I", overdue;
    psrw_irq_reader_interrupts_try_write: Two, "R W?!I", spins;
    psrw_irq_reader_interrupts_timed_write: Two, "R Wt!I", lazy;
    /// While the writer prepares, no handler waits for it.
    psrw_irq_reader_interrupts_update: Two, "R Wu!I";
    psrw_irq_reader_interrupts_update_beside_irq_reader: Two, "I Wu!I";
    psrw_softirq_reader_interrupts_update_beside_nonpreemptible_reader: Four, "N Wu!B";
    psrw_irq_reader_interrupts_downgrade: Two, "W Wd!I";
    psrw_irq_reader_interrupts_downgrade_beside_irq_reader: Two, "I Wd!I";
    psrw_irq_reader_interrupts_timed_read: Two, "Rt!I W", lazy;
    psrw_handler_tries_at_every_step: Two, "R W!I?";
    /// Handlers that write.
    psrw_high_writer_interrupts_thread: HighWriter, "B I!W";
    psrw_high_writer_interrupts_softirq_reader: HighWriter, "B!W W";
    psrw_irq_reader_interrupts_high_writer: HighWriter, "W W!I";
    psrw_irq_reader_interrupts_high_writer_beside_reader: HighWriter, "B W!I";
}

falls! {
    psrw_irq_reader_interrupts_writer_stuck_if_closed_before_raising: Two, "R W!I", PsrwClosesBeforeRaising;
    psrw_irq_reader_interrupts_writer_stuck_if_lowered_before_release: Two, "R W!I", PsrwLowersBeforeRelease;
    psrw_irq_reader_interrupts_reader_stuck_if_added_and_taken_back: Two, "R!I W", PsrwAddsThenTakesBack;
    psrw_irq_reader_interrupts_irq_read_stuck_if_not_raised: Two, "I!I W", PsrwReadsWithoutRaising;
    psrw_irq_reader_waits_for_own_thread_if_unlock_takes_list_lock: Two, "R W!I", PsrwHighUnlockTakesListLock;
    psrw_irq_reader_shut_out_if_all_classes_are_closed_at_once: Two, "R W!I", PsrwClosesAllAtOnce;
}

/// Raises that end in another order than they began in.
#[test]
fn psrw_raises_of_two_reads_end_in_any_order() {
    alone::<Four>(Setup::default(), |lock| {
        let irq = lock.try_read(Irq).expect("nobody writes");
        let low = lock.try_read(NonPreemptible).expect("nobody writes");
        // SAFETY: taken just now.
        unsafe { lock.read_unlock(Irq, irq) };
        assert_eq!(Sim::level(), Class::NonPreemptible);
        // SAFETY: as above.
        unsafe { lock.read_unlock(NonPreemptible, low) };
        assert_eq!(Sim::level(), Class::Thread);
    });
}

/// A writer stands at the highest reading class, and at Thread once it is out.
#[test]
fn psrw_writer_is_raised_to_the_highest_reading_class() {
    alone::<Two>(Setup::default(), |lock| {
        let raised = lock.write(Thread);
        assert_eq!(Sim::level(), Class::Irq);
        assert!(lock.try_read(Irq).is_none() && lock.try_read(Thread).is_none());
        assert!(lock.try_write(Thread).is_none());
        assert_eq!(Sim::level(), Class::Irq);
        // SAFETY: taken above.
        unsafe { lock.write_unlock(Thread, raised) };
        assert_eq!(Sim::level(), Class::Thread);
    });
}

/// A raised thread could wait for a holder that it has interrupted.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "use try")]
fn psrw_thread_form_at_a_higher_level_is_reported() {
    alone::<Two>(Setup::default(), |lock| {
        let _raised = lock.read(Irq);
        let _nested = lock.read(Thread);
    });
}

/// Three threads and two handlers, with few preemptions.
#[test]
fn psrw_irq_readers_interrupt_writers_and_reader() {
    Model::<Two>::row("R!I W W!I").within(Some(1)).holds();
}
