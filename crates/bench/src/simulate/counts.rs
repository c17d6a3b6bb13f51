//! Exact counts of each operation's cost, without disorder: every run gives the same counts, to the
//! bit.
//!
//! The tests compare them with a stored snapshot. Only a commit that says why may change the
//! snapshot.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use siftlock_core_sim::rwsem::RwSem;
use siftlock_core_sim::rwsem::policy::{Counted, Policy, Standard};
use siftlock_sim::machine::Topology;
use siftlock_sim::{Aligned, Counts, Machine, Run, calls, presets};

use super::platform::{Simulated, set_stage};
use super::scene::{Pace, Scene};
use super::sifting;
use super::study::{Placement, Study};
use super::subjects::{Asymmetric, Lock as _, Subject};

/// All counts, a line each.
pub(super) fn all() -> Result<String, String> {
    let mut out = String::new();
    for (what, lock, scene, threads) in scenes() {
        let name = format!("{what}, {}", lock.name());
        let figures = study(scene, threads).of(lock).map_err(|why| format!("{name}: {why}"))?;
        let _ =
            writeln!(out, "{}", line(&name, &figures.counts, figures.begun, Some(figures.hash)));
    }
    for readers in [1, 8, 32, 256] {
        let (counts, hash) = batch(readers)?;
        let name = format!(
            "a writer leaves, {readers} readers asleep behind it: its unlock, and their way in"
        );
        let _ = writeln!(out, "{}", line(&name, &counts, readers as u64, Some(hash)));
    }
    for readers in [1, 8, 64, 512] {
        let (counts, hash) = revocation(readers)?;
        let name = format!("a write after {readers} threads have read by slot");
        let _ = writeln!(out, "{}", line(&name, &counts, 1, Some(hash)));
    }
    for writers in [1, 2, 4, 8] {
        let (counts, hash) = spinners(writers)?;
        let name = format!("{writers} writers spin while another is inside, all of them");
        let _ = writeln!(out, "{}", line(&name, &counts, writers as u64, Some(hash)));
    }
    for it in sifting::counts()? {
        let name = format!("sifting, {}, masked {} times", it.what, it.masked);
        let _ = writeln!(out, "{}", line(&name, &it.counts, it.operations, None));
    }
    Ok(out)
}

/// The scenes that run for a while: name, lock, scene, threads.
fn scenes() -> Vec<(String, Subject, Scene, usize)> {
    use Subject::{
        Mutex, Patch10After, Patch10Before, Psrw, Rwsem, RwsemAsymmetric, RwsemCasFirst,
        RwsemCounted, RwsemLoadFirst, RwsemNoLook, RwsemSymmetric,
    };
    let (reads, writes) =
        (Scene::Uncontended { writes: 0.0 }, Scene::Uncontended { writes: 100.0 });
    let mut all = Vec::new();
    for lock in [RwsemCounted, RwsemAsymmetric, RwsemSymmetric, Psrw] {
        all.push(("one reader".to_owned(), lock, reads, 1));
    }
    for lock in [Rwsem, Psrw] {
        all.push(("one writer".to_owned(), lock, writes, 1));
    }
    let mut many = |what: &str, lock, scene, threads: usize| {
        all.push((format!("{threads} {what}"), lock, scene, threads));
    };
    for threads in [2, 8] {
        for lock in [RwsemCounted, RwsemAsymmetric, RwsemSymmetric, Psrw] {
            many("readers of one lock", lock, Scene::Readers { writes: 0.0 }, threads);
        }
    }
    for lock in [RwsemLoadFirst, RwsemCasFirst] {
        many("try-readers", lock, Scene::TryLock, 8);
    }
    for lock in [Rwsem, RwsemNoLook, Psrw, Mutex] {
        many("writers", lock, Scene::Readers { writes: 100.0 }, 8);
    }
    for lock in [Rwsem, RwsemCounted, Patch10Before, Patch10After, Psrw] {
        many("threads, half of them write", lock, Scene::Dedicated, 8);
    }
    all
}

/// A machine of one socket with this many cores. It has no idle states: all wake-ups cost the same.
pub(super) fn machine(cores: usize) -> Machine {
    let topology = Topology { sockets: 1, clusters: 1, cores, threads: 1 };
    presets::ivb_ex().with_topology(topology).without_idle_states()
}

fn study(scene: Scene, threads: usize) -> Study {
    Study {
        machine: machine(8),
        scene,
        pace: Pace { load: 10, hold: 0, gap: 20 },
        threads,
        placement: Placement::Compact,
        nanos: 1_000_000,
        seed: None,
    }
}

/// A lock, and the sum of the threads' counts of the part that matters.
struct Shared<L: Policy> {
    lock: Aligned<RwSem<Simulated, L>>,
    counted: RefCell<Counts>,
}

impl<L: Policy> Shared<L> {
    fn new() -> Rc<Self> {
        Rc::new(Self { lock: Aligned(RwSem::new()), counted: RefCell::default() })
    }

    /// Adds the counts of `act`, done by the calling thread.
    fn count(&self, act: impl FnOnce()) {
        let before = calls::counts();
        act();
        *self.counted.borrow_mut() += calls::counts() - before;
    }
}

/// Nanoseconds until all readers have come. Then the writer leaves, or writes.
const ALL_HERE: u64 = 2_000_000;

/// Runs the threads, each on its processor. Returns the sum of their counts, and the run's hash.
fn run<L: Policy>(
    threads: usize,
    act: impl Fn(&Shared<L>, usize) + Copy + 'static,
) -> Result<(Counts, u64), String> {
    let shared = Shared::<L>::new();
    set_stage(threads);
    let mut run = Run::new(machine(threads), 1, None);
    for seat in 0..threads {
        let shared = Rc::clone(&shared);
        run.thread(seat, move || act(&shared, seat));
    }
    let outcome = run.go().map_err(|stuck| stuck.to_string())?;
    let counts = *shared.counted.borrow();
    Ok((counts, outcome.hash))
}

/// A writer is inside until all readers sleep. Counted: the writer's unlock, and the readers' way
/// from their call until they are inside, without the sleep itself.
fn batch(readers: usize) -> Result<(Counts, u64), String> {
    run::<Counted>(readers + 1, move |shared, seat| {
        let lock = &*shared.lock;
        if seat == 0 {
            lock.write();
            calls::work(calls::cycles(ALL_HERE));
            // SAFETY: the write above.
            shared.count(|| unsafe { lock.write_unlock() });
        } else {
            calls::work(calls::cycles(100_000 + 1_000 * seat as u64));
            let before = calls::counts();
            lock.reading(|| {
                let mut woken = calls::counts() - before;
                // A park belongs to the way to sleep, not to the wake-up.
                woken.parks = 0;
                *shared.counted.borrow_mut() += woken;
            });
        }
    })
}

/// Each reader has noted the lock in a slot once. Counted: the write after that.
fn revocation(readers: usize) -> Result<(Counts, u64), String> {
    run::<Asymmetric>(readers + 1, move |shared, seat| {
        let lock = &*shared.lock;
        if seat == 0 {
            calls::work(calls::cycles(ALL_HERE));
            shared.count(|| lock.writing(|| ()));
        } else {
            calls::work(calls::cycles(1_000 * seat as u64));
            lock.reading(|| ());
            lock.reading(|| ());
        }
    })
}

/// A writer is inside for a while. Counted: the writes of the writers that spin meanwhile.
fn spinners(writers: usize) -> Result<(Counts, u64), String> {
    run::<Standard>(writers + 1, move |shared, seat| {
        let lock = &*shared.lock;
        if seat == 0 {
            lock.writing(|| calls::work(calls::cycles(5_000)));
        } else {
            calls::work(calls::cycles(100 * seat as u64));
            shared.count(|| lock.writing(|| ()));
        }
    })
}

/// A line with each count that is not 0, per operation, but without the polls.
fn line(name: &str, counts: &Counts, operations: u64, hash: Option<u64>) -> String {
    let mut out = format!("{name}:");
    for (what, count) in counts.all().filter(|&(what, count)| count > 0 && what != "polls") {
        let _ = write!(out, " {what} {:.3}", count as f64 / operations.max(1) as f64);
    }
    let _ = write!(out, " ({operations} operations");
    if let Some(hash) = hash {
        let _ = write!(out, ", {hash:016x}");
    }
    out.push(')');
    out
}
