#![cfg(siftlock_model = "loom")]
//! t
use siftlock_model::model::Model;
use siftlock_model::policies::*;
use siftlock_core::sync::mutant::Mutant;
#[test]
fn a() { 
  let var = |n: &str| std::env::var(n).ok();
  let row = var("ROW").unwrap_or("R W".into());
  let num = |n: &str| var(n).map(|b| b.parse::<u64>().unwrap());
  let t = std::time::Instant::now();
  if let Some(f) = var("ROWS") { for row in std::fs::read_to_string(f).unwrap().lines() {
    let t = std::time::Instant::now();
    let m = match var("POL").as_deref() { Some("Turns") => Model::row_by::<Turns>(row), Some("Bal") => Model::row_by::<Standard>(row), Some("NoDirect") => Model::row_by::<NoDirectGrant>(row), Some("One") => Model::row_by::<OneAtOnce>(row), Some("NoSteal") => Model::row_by::<NoStealing>(row), Some("Before") => Model::row_by::<BeforePatch10>(row), _ => Model::row_by::<Classic>(row) }; let m = m.within(|l| { if let Some(b) = num("BOUND") { l.preemptions = if b == 0 { None } else { Some(b as usize) } } l.steps = 2000})
   .with(|s| { s.lazy = var("LAZY").is_some(); if let Some(o)=num("PATIENCE") {s.patience = Some(o)}; if var("USUAL").is_some() { s.patience = None } if let Some(t) = num("TICK") { s.tick = t } if let Some(f) = num("FOUND") { s.found = f } });
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| m.holds())) { Ok(_) => println!("OK {row} {:?}", t.elapsed()), Err(e) => println!("BAD {row}: {:?}", e.downcast_ref::<String>()) }
  } return; }
  let m = match var("POL").as_deref() { None => Model::row_by::<Classic>(&row), Some("Std") => Model::row_by::<Standard>(&row), Some("Two") => Model::row_by::<TwoAtOnce>(&row), Some("One") => Model::row_by::<OneAtOnce>(&row), Some("NoDirect") => Model::row_by::<NoDirectGrant>(&row), Some("NoSteal") => Model::row_by::<NoStealing>(&row), Some("Sign") => Model::row_by::<ReadersSign>(&row), Some("Turns") => Model::row_by::<Turns>(&row), Some("Bal") => Model::row_by::<Standard>(&row), Some("Before") => Model::row_by::<BeforePatch10>(&row), _ => panic!() };
  let m = m.within(|l| { if let Some(b) = num("BOUND") { l.preemptions = if b == 0 { None } else { Some(b as usize) } } l.steps = 2000})
   .with(|s| { s.lazy = var("LAZY").is_some(); if let Some(o)=num("PATIENCE") {s.patience = Some(o)}; if var("USUAL").is_some() { s.patience = None } if let Some(t) = num("TICK") { s.tick = t } if let Some(f) = num("FOUND") { s.found = f } });
  if var("ALL").is_some() {
    let mut caught = vec![]; let mut missed = vec![];
    for mutant in Mutant::ALL {
      if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| m.falls_to(*mutant))).is_ok() { caught.push(format!("{mutant:?}")) } else { missed.push(format!("{mutant:?}")) }
    }
    println!("CAUGHT {row}: {}", caught.join(" "));
    return;
  }
  match var("MUTANT") { None => m.holds(), Some(n) => { let mutant = Mutant::ALL.iter().find(|m| format!("{m:?}") == n).unwrap(); m.falls_to(*mutant) } }
  println!("{row} {:?}", t.elapsed());
}
