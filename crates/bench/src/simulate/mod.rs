//! Experiments on a simulated machine: the same protocols, with machines that nobody here has.

mod peers;
mod platform;
mod scene;
mod study;
mod subjects;
mod ward;

pub(crate) fn trial() {
    use scene::{Pace, Scene};

    use subjects::Subject;
    let e2 = Pace { load: 10, hold: 23, gap: 25 };
    let r0 = Pace { load: 0, hold: 0, gap: 1 };
    for (scene, name, pace) in [(Scene::Dedicated, "ded", e2), (Scene::Each, "each", e2), (Scene::Mail, "mail", Pace { load: 0, hold: 20, gap: 3000 }), (Scene::Readers { writes: 0.0 }, "0%", r0), (Scene::Readers { writes: 1.0 }, "1%", r0), (Scene::Readers { writes: 10.0 }, "10%", r0)] {
        for subject in [Subject::Rwsem, Subject::RwsemCounted, Subject::Mutex, Subject::Limit, Subject::Psrw] {
            let mut line = String::new();
            for threads in [2, 4, 8, 16] {
                let study = study::Study {
                    machine: siftlock_sim::presets::named("amd-2").unwrap(),
                    scene,
                    pace,
                    threads,
                    placement: study::Placement::Compact,
                    nanos: 100_000_000,
                    seed: Some(1),
                };
                match study.of(subject) {
                    Ok(f) => {
                        let per = |n: u64| n as f64 / f.done as f64;
                        line += &format!(" | {:6.0} st {:.1} tr {:.1} pk {:.3} idle {:.2} w {:.2} {:.1}ms", f.rate / 1e3, per(f.counts.steps), per(f.counts.transfers), per(f.counts.parks), f.idle, f.writes as f64/(f.reads+f.writes) as f64, f.longest as f64/1e6);
                    }
                    Err(why) => println!("{name:5} {threads:3} {:20} {why}", subject.name()),
                }
            }
            println!("{name:5} {:15} {line}", subject.name());
        }
    }
}
