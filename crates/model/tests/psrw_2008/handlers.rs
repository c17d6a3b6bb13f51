//! Rows with handlers, which interrupt their own thread at every step: T5 and T8.

use crate::model::holds;
use crate::subject::{Four, HighWriter, IrqAlone, Two};
use crate::world::lazy;

holds! {
    /// T8: the handler's reader gets in, and out, at every step of its thread.
    psrw_2008_irq_reader_interrupts_reader_beside_writer: Two, "R!I W";
    psrw_2008_irq_reader_interrupts_writer_beside_reader: Two, "R W!I";
    psrw_2008_irq_reader_interrupts_writer_beside_writer: Two, "W W!I";
    psrw_2008_irq_reader_interrupts_writer_beside_irq_reader: Two, "I W!I";
    psrw_2008_irq_reader_interrupts_lone_writer_of_one_stage: IrqAlone, "I W!I";
    psrw_2008_softirq_reader_interrupts_writer: Four, "R W!B";
    psrw_2008_nonpreemptible_reader_interrupts_writer: Four, "R W!N";
    psrw_2008_irq_reader_interrupts_nonpreemptible_reader: Four, "N!I W";
    psrw_2008_irq_reader_interrupts_timed_write: Two, "R Wt!I", lazy;
    psrw_2008_irq_reader_interrupts_timed_read: Two, "Rt!I W", lazy;
    psrw_2008_handler_tries_at_every_step: Two, "R W!I?";
    psrw_2008_irq_reader_interrupts_one_of_two_writers: IrqAlone, "I W W!I";
    /// Handlers that write.
    psrw_2008_high_writer_interrupts_thread: HighWriter, "B I!W";
    psrw_2008_high_writer_interrupts_softirq_reader: HighWriter, "B!W W";
    psrw_2008_irq_reader_interrupts_high_writer: HighWriter, "W W!I";
}
