//! Forms that keep the rules: readers of every class of a lock that Threads write, if the writer turns
//! all of them back by WRITER, and fences before it raises itself.

use crate::form::{
    AllFour, AllFourAtStages, AtStages, Both, BothStay, OneSlot, ThreadsOnly, ThreadsStay,
    ThreadsSwitch,
};
use crate::lock::Slotted;
use crate::model::holds;
use crate::monitor::BIAS;
use crate::world::{Setup, lazy};

holds! {
    /// S1, R8: of the slot and the bit one is seen by the other.
    psrw_slots_thread_reader_and_writer_exclude_each_other: Slotted<ThreadsOnly>, "R W", biased;
    psrw_slots_thread_reader_and_writers_exclude_each_other: Slotted<ThreadsStay>, "R W W", biased;
    psrw_slots_thread_reader_comes_again_beside_writer: Slotted<ThreadsStay>, "R,R W", biased;
    psrw_slots_bias_is_switched_on_beside_writer: Slotted<ThreadsSwitch>, "R,R W";
    psrw_slots_bias_is_switched_on_beside_writer_that_comes_again: Slotted<ThreadsStay>, "R,R W,W";
    psrw_slots_counted_irq_reader_beside_thread_by_slot: Slotted<ThreadsOnly>, "R I W", biased;
    psrw_slots_irq_reader_and_writer_exclude_each_other: Slotted<Both>, "I W", biased;
    psrw_slots_irq_reader_and_writers_exclude_each_other: Slotted<BothStay>, "I W W", biased;
    psrw_slots_readers_of_two_classes_and_writer: Slotted<Both>, "R I W", biased;
    psrw_slots_nonpreemptible_reader_and_writer: Slotted<AllFour>, "N W", biased;
    psrw_slots_softirq_reader_and_writer: Slotted<AllFour>, "B W", biased;
    psrw_slots_irq_reader_and_writer_that_waits_raised: Slotted<AtStages>, "I W", biased;
    /// S8: the handler gets in and out at every step of its thread's read by slot, between the slot
    /// and the second look too, whatever the writer does.
    psrw_slots_irq_reader_interrupts_thread_read_by_slot: Slotted<ThreadsOnly>, "R!I W", biased;
    psrw_slots_irq_read_by_slot_interrupts_thread_read_by_slot: Slotted<BothStay>, "R!I W", biased;
    psrw_slots_irq_read_by_slot_interrupts_nonpreemptible_one: Slotted<AllFour>, "N!I W", biased;
    psrw_slots_irq_read_by_slot_interrupts_softirq_one: Slotted<AllFour>, "B!I W", biased;
    psrw_slots_irq_reader_interrupts_read_that_writer_awaits_raised: Slotted<AtStages>, "R!I W", biased;
    psrw_slots_irq_reader_interrupts_nonpreemptible_read_that_writer_awaits_raised: Slotted<AllFourAtStages>, "N!I W", biased;
    psrw_slots_irq_reader_finds_its_threads_one_slot_in_use: Slotted<OneSlot>, "R!I W", biased;
    /// S3, S9: and at every step of the writer.
    psrw_slots_irq_reader_interrupts_writer: Slotted<ThreadsOnly>, "R W!I", biased;
    psrw_slots_irq_read_by_slot_interrupts_writer: Slotted<BothStay>, "R W!I", biased;
    psrw_slots_irq_read_by_slot_interrupts_writer_beside_another: Slotted<BothStay>, "I W!I", biased;
    psrw_slots_softirq_read_by_slot_interrupts_writer: Slotted<AllFour>, "B W!B", biased;
    psrw_slots_irq_read_by_slot_interrupts_one_of_two_writers: Slotted<BothStay>, "W W!I", biased;
    /// A writer that gives up leaves the bias on, so the next one looks as well.
    psrw_slots_timed_writer_gives_up_behind_slot: Slotted<ThreadsOnly>, "Rh Wt", biased_and_lazy;
    psrw_slots_timed_writer_and_next_one: Slotted<Both>, "R Wt,W", biased_and_lazy;
    psrw_slots_try_write_beside_reader_by_slot: Slotted<Both>, "I W?,W", biased;
}

/// The lock is found with its bias on.
fn biased(setup: &mut Setup) {
    setup.found = BIAS;
}

fn biased_and_lazy(setup: &mut Setup) {
    biased(setup);
    lazy(setup);
}
