//! The lines of the 2008 lock, in its words; figures that it lacks stand at the ends of the lines.

use crate::experiments::scenes::{FAIL_AFTER, Role, Scenes, Test};
use crate::stats::{Figures, Takes, Times, What};
use crate::subjects::Subject;

/// The classes of [`Class::HIGH`](siftlock_core::platform::Class::HIGH), as they were called
/// in 2008.
pub(super) const CLASSES: [&str; 3] = ["Preemption", "SoftIRQ", "IRQ"];

/// The place of interrupts among these classes.
pub(super) const IRQ: usize = 2;

/// The lines of one subject in one test, all rounds together.
pub(super) fn of(takes: &Takes, scenes: Scenes, test: &Test, subject: Subject) -> String {
    let lines = match scenes {
        Scenes::Latency => latency(takes, test, subject),
        Scenes::Delays => delays(takes, test, subject),
    };
    format!("\n* {}\n{}", subject.name(), lines.join("\n"))
}

fn latency(takes: &Takes, test: &Test, subject: Subject) -> Vec<String> {
    let mut out = Vec::new();
    for (class, name) in CLASSES.iter().enumerate().rev() {
        for seat in 0..test.threads() {
            let masked = takes.thread(test, subject, seat, What::Masked(class));
            let Some(f) = masked.as_ref().and_then(Times::figures) else { continue };
            let (times, who) = (f.count, who(test.role(seat)));
            let delay = extremes(&f);
            let cpu = format!("[99.9 %,max] of CPU time {},{}", f.cpu_p999, f.cpu_max);
            out.push(format!("{name} latency for {who} disabled {times} times, {delay}, {cpu}"));
        }
    }
    out
}

fn delays(takes: &Takes, test: &Test, subject: Subject) -> Vec<String> {
    let mut out = Vec::new();
    for seat in 0..test.threads() {
        let (role, number) = test.role(seat);
        let count = takes.counts(test, subject, seat);
        let (name, passed) = (who((role, number)), count.passed);
        if role.tries() {
            let (tries, gave_up) = (count.tries, count.gave_up);
            out.push(format!(
                "{name} iterations : [try,success,fail after {FAIL_AFTER} try], \
                 {tries},{passed},{gave_up}"
            ));
        }
        for (step, what) in [("lock", What::Lock(role)), ("unlock", What::Unlock(role))] {
            let times = takes.thread(test, subject, seat, what);
            let Some(f) = times.as_ref().and_then(Times::figures) else { continue };
            out.push(format!("{name} iterations : {passed}, {step} delay {}", told(&f)));
        }
    }
    for (cpu, lock, unlock) in takes.interruptions(test, subject) {
        for (step, times) in [("lock", lock), ("unlock", unlock)] {
            let Some(f) = times.figures() else { continue };
            out.push(format!("interrupt readers on CPU {cpu}, {step} delay {}", told(&f)));
        }
    }
    out
}

fn who((role, number): (Role, usize)) -> String {
    format!("{}/{number}", role.label())
}

fn extremes(f: &Figures) -> String {
    format!("[min,avg,max] {},{},{} cycles", f.min, f.avg, f.max)
}

fn told(f: &Figures) -> String {
    let Figures { p50, p999, cpu_max, .. } = f;
    format!("{}, [50 %,99.9 %,max of CPU time] {p50},{p999},{cpu_max}", extremes(f))
}
