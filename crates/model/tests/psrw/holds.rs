//! Rows of threads alone.

use crate::model::Model;
use crate::subject::{Four, HighWriter, IrqAlone, Threads, Two, TwoStrict};

#[test]
fn x() {
    let Ok(rows) = std::env::var("ROWS") else { return };
    for row in rows.split(';') {
        let t = std::time::Instant::now();
        let lazy = std::env::var("LAZY").is_ok();
        let patience = std::env::var("OVERDUE").is_ok();
        let spins = std::env::var("SPINS").is_ok();
        macro_rules! go { ($t:ty) => {{
            let m = Model::<$t>::row(row).with(|s| { s.lazy = lazy; s.spins = spins; if patience { s.patience = 0 } });
            let m = match std::env::var("BOUND") { Ok(b) => m.within(if b == "0" {None} else {Some(b.parse().unwrap())}), _ => m };
            match std::env::var("MUTANT") {
                Ok(n) if n == "ALL" => {
                    let mut caught = vec![];
                    for mutant in siftlock_core::sync::mutant::Mutant::ALL.iter().filter(|m| format!("{m:?}").starts_with("Psrw")) {
                        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| m.falls_to(*mutant))).is_ok() { caught.push(format!("{mutant:?}")) }
                    }
                    println!("CAUGHT {row}: {}", caught.join(" "));
                }
                Ok(n) => { let mutant = siftlock_core::sync::mutant::Mutant::ALL.iter().find(|m| format!("{m:?}") == n).unwrap(); m.falls_to(*mutant) }
                _ => match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| m.holds())) { Ok(()) => println!("OK {row} {:?}", t.elapsed()), Err(e) => println!("BAD {row} {:?}", e.downcast_ref::<String>()) },
            }
        }} }
        match std::env::var("LOCK").as_deref() { Ok("Threads") => go!(Threads), Ok("Four") => go!(Four), Ok("IrqAlone") => go!(IrqAlone), Ok("HighWriter") => go!(HighWriter), Ok("TwoStrict") => go!(TwoStrict), Ok("Handlers") => go!(crate::subject::Handlers), _ => go!(Two) }
    }
}
