//! What this form does not keep and cannot be made to: the invariants S8 and S9 of the other lock.
//! Each row shows the failure; that it holds otherwise is shown elsewhere.

use crate::model::Model;
use crate::subject::Two;
use crate::world::{Demands, Setup};

/// An Irq reader's unlock finds UC_WQ_ACTIVE, and WQ_MUTEX held by a thread that has lost its
/// processor: one that lies down to sleep, gets up, or wakes.
#[test]
fn psrw_2008_unlock_of_irq_reader_waits_for_preempted_holder_of_the_queue_s8() {
    Model::<Two>::row("R W I").with(|setup| setup.demands = Demands::S8).breaks("S8");
}

/// A writer that has shut all classes out, and is raised to the top, waits through the section of
/// another writer.
#[test]
fn psrw_2008_raised_writer_waits_for_writer_inside_s9() {
    let raised = |setup: &mut Setup| {
        setup.demands = Demands::S9;
        setup.deeper = 1;
    };
    Model::<Two>::row("I W W").with(raised).breaks("S9");
}
