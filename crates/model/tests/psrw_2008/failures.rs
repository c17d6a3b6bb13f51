//! What this form does not keep and cannot be made to: the invariants S8 and S9 of the other lock.
//! Each row shows the failure; that it holds otherwise is shown elsewhere.

use crate::model::Model;
use crate::subject::Two;
use crate::world::{Demands, Setup};

/// The unlock of a handler that interrupts the writer finds UC_WQ_ACTIVE, and WQ_MUTEX held by
/// another thread that has lost its processor while it lay down to sleep, got up or woke somebody.
#[test]
fn psrw_2008_handler_waits_for_preempted_holder_of_the_queue_s8() {
    let unlocks = |setup: &mut Setup| {
        setup.demands = Demands::S8;
        setup.deeper = 1;
    };
    Model::<Two>::row("R,R W!I").with(unlocks).breaks("S8");
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
