//! Forms that do not keep the rules. Each row names the rule, and is the smallest found.
//!
//! **Why slots cannot be sifted.** A class c that keeps reading by slot until it is closed needs three
//! things of the writer, in a circle:
//! * *close, then fence*: of a reader's slot and CLOSED(c) one must be seen by the other (S1);
//! * *raise, then close*: a handler on the writer's own thread would wait for it (S3);
//! * *fence, then raise*: the fence waits for every processor, which is nobody's to wait for who keeps
//!   class c away (S9).

use crate::form::{
    Asleep, HighWriter, OneSlotAtStages, RaisedTryFences, Sifted, SiftedClosedBefore,
    SiftedDrainedBefore, SiftedFencedBefore, ThreadsOnly, Unfenced,
};
use crate::lock::{Limit, Slotted};
use crate::model::{Model, alone};
use crate::monitor::BIAS;
use crate::sim::Sim;
use crate::subject::Subject;
use crate::world::{Demands, Setup};
use siftlock_core::platform::{Class, Platform, Raised};

/// S1 in loom's words: nothing orders what the reader sees and what the writer changes.
const S1: &str = "Concurrent";

/// Rows that break a rule.
macro_rules! breaks {
    ($($(#[$meta:meta])* $name:ident: $form:ty, $row:literal, $rule:expr, $with:expr;)*) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            Model::<Slotted<$form>>::row($row).with($with).breaks($rule);
        }
    )*};
}

breaks! {
    /// Without any fence, as everywhere.
    psrw_slots_thread_reader_is_missed_without_fence_s1: Unfenced, "R W", S1, biased;
    /// Close and then fence, raised.
    psrw_slots_sifting_writer_fences_raised_s9: Sifted, "I W", "S9", biased;
    /// Repair: fence before raising. It comes too early for the closing.
    psrw_slots_irq_reader_is_missed_if_fenced_before_closing_s1: SiftedFencedBefore, "I W", S1, biased;
    /// Repair: besides, wait for slots before raising, and look again after closing.
    psrw_slots_irq_reader_is_missed_by_second_look_without_fence_s1: SiftedDrainedBefore, "I W", S1, biased;
    /// Repair: close and fence, and raise after that.
    psrw_slots_irq_class_is_closed_below_it_s3: SiftedClosedBefore, "I W", "S3", biased;
    /// What that leads to.
    psrw_slots_irq_reader_waits_for_own_thread_closed_below_it: SiftedClosedBefore, "R W!I", "deadlock", for_outcome;
    /// All slots of one class are its thread's one slot: the raised writer cannot tell whom it awaits.
    psrw_slots_raised_writer_waits_for_threads_slot_s9: OneSlotAtStages, "R!I W", "S9", biased;
    /// What that leads to: the handler waits for the writer, and the writer for what lies under it.
    psrw_slots_irq_reader_keeps_slot_under_it_in_use: OneSlotAtStages, "R!I W", "deadlock", for_outcome;
    /// A writer that sleeps for the slots of handlers wants to be called by one.
    psrw_slots_irq_reader_calls_writer_s8: Asleep, "I W", "S8", biased;
    /// A writer above Thread has raised itself before its first step.
    psrw_slots_softirq_writer_fences_raised_s9: HighWriter, "B W", "S9", biased;
}

/// The raised fence is all that is wrong with sifting slots.
#[test]
fn psrw_slots_sifting_keeps_all_but_s9() {
    Model::<Slotted<Sifted>>::row("I W").with(for_outcome).holds();
    Model::<Slotted<HighWriter>>::row("B W").with(for_outcome).holds();
}

/// A Thread that keeps handlers away may try to write; the fence would be made while they wait.
#[test]
#[should_panic(expected = "S9")]
fn psrw_slots_raised_try_write_fences_s9() {
    alone::<Slotted<RaisedTryFences>>(found_biased(), |lock| {
        let held = Sim::raise(Class::Irq, Raised::NOTHING);
        let _ = lock.write(Limit::Try);
        Sim::restore(held);
    });
}

/// Repair: it gives up. Then it does so though nobody has the lock, until a Thread writes.
#[test]
fn psrw_slots_raised_try_write_fails_on_free_lock() {
    alone::<Slotted<ThreadsOnly>>(found_biased(), |lock| {
        let held = Sim::raise(Class::Irq, Raised::NOTHING);
        assert!(lock.write(Limit::Try).is_none() && lock.write(Limit::Try).is_none());
        Sim::restore(held);
        let raised = lock.write(Limit::Try).expect("nobody has it");
        lock.write_unlock(raised);
        lock.assert_rests_at(0);
    });
}

fn biased(setup: &mut Setup) {
    setup.found = BIAS;
}

/// Exclusion and an end for everybody are all that is asked.
fn for_outcome(setup: &mut Setup) {
    biased(setup);
    setup.demands = Demands::Outcome;
}

fn found_biased() -> Setup {
    Setup { found: BIAS, ..Setup::default() }
}
