//! This form does not keep the invariants S8 and S9 of the other lock, and cannot be made to. Each
//! row shows the failure. Other files show that the row holds otherwise.

use crate::model::Model;
use crate::subject::Two;
use crate::world::{Demands, Setup};

/// A handler interrupts the writer. The handler's unlock finds UC_WQ_ACTIVE, and finds WQ_MUTEX
/// held by another thread, which lost its processor while it lay down to sleep, got up or woke a
/// thread.
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
