//! The priority-sifting lock against its form of 2008, line by line.

use super::lines::CLASSES;
use crate::experiments::scenes::{Role, Scenes, Test};
use crate::report::numbers::times;
use crate::stats::{Figures, Takes, What, ratio};
use crate::subjects::Subject;

/// Figures that differ by at most this share are level.
const LEVEL_WITHIN: f64 = 0.05;
/// Cycles that differ by fewer than this are level: two runs of one lock differ by as much.
const LEVEL_CYCLES: f64 = 10.0;

/// A figure that is compared.
type Column = (&'static str, fn(&Figures) -> u64);

/// The figures of a time that has many samples.
const COLUMNS: [Column; 4] = [
    ("median", |f| f.p50),
    ("mean", |f| f.avg),
    ("99.9 %", |f| f.p999),
    ("longest in CPU time", |f| f.cpu_max),
];

/// One sentence: in how many figures ours is ahead, level and behind, and where it is behind. Where
/// neither lock exceeds the floor, which never waits, the figure shows the machine, and counts as
/// level.
pub(super) fn sentence(takes: &Takes, scenes: Scenes) -> Option<String> {
    let (mut ahead, mut level, mut behind) = (0, 0, Vec::new());
    for test in scenes.tests() {
        for (what, name) in lines(scenes, test) {
            let figures = |subject| takes.figures(test, subject, what);
            let Some((ours, theirs)) = figures(Subject::Psrw).zip(figures(Subject::Psrw2008))
            else {
                continue;
            };
            let floor = figures(Subject::Limit);
            for (column, figure) in COLUMNS {
                let floor = floor.as_ref().map_or(0.0, |floor| figure(floor) as f64);
                let (ours, theirs) = (figure(&ours) as f64, figure(&theirs) as f64);
                let over = ratio(Some(ours), Some(theirs)).unwrap_or(1.0);
                let alike = (ours - theirs).abs() < LEVEL_CYCLES
                    || (over - 1.0).abs() <= LEVEL_WITHIN
                    || ours.max(theirs) <= floor;
                if alike {
                    level += 1;
                } else if over < 1.0 {
                    ahead += 1;
                } else {
                    behind.push(format!("{}, {name}, {column} {} ×", test.name, times(over)));
                }
            }
        }
    }
    let all = ahead + level + behind.len();
    let experiment = if scenes == Scenes::Latency { "E4" } else { "E5" };
    let behind = if behind.is_empty() { "nowhere".to_owned() } else { behind.join("; ") };
    (all > 0).then(|| {
        format!(
            "{experiment}, psrw against psrw-2008, of {all} figures: ahead in {ahead}, level in \
             {level}, behind: {behind}"
        )
    })
}

/// The times of a test that are compared.
fn lines(scenes: Scenes, test: &Test) -> Vec<(What, String)> {
    match scenes {
        Scenes::Latency => {
            let class = |class| (What::Masked(class), CLASSES[class].to_owned());
            (0..CLASSES.len()).map(class).collect()
        }
        Scenes::Delays => {
            let roles = test.cast.iter().map(|&(role, _)| role);
            let of_role = |role: Role| {
                let name = |step| format!("{} {step}", role.label());
                [(What::Lock(role), name("lock")), (What::Unlock(role), name("unlock"))]
            };
            let mut out: Vec<_> = roles.flat_map(of_role).collect();
            if test.interrupts {
                out.push((What::InterruptLock, "interrupt readers lock".to_owned()));
                out.push((What::InterruptUnlock, "interrupt readers unlock".to_owned()));
            }
            out
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::scenes::LATENCY;
    use crate::machine::Spell;
    use crate::stats::{Part, Take, Times};

    fn take(subject: Subject, ticks: u64) -> Take {
        let mut times = [Times::new(), Times::new(), Times::new()];
        times[2].add(Spell { wall: ticks, cpu: ticks });
        let part = Part { masked: Some(times), ..Part::new(Role::Writer, 0) };
        Take { subject, test: &LATENCY[0], seconds: 1.0, parts: vec![part], pressure: Vec::new() }
    }

    #[test]
    fn rival_is_compared_figure_by_figure() {
        let told = |ours, theirs| {
            let takes = vec![take(Subject::Psrw, ours), take(Subject::Psrw2008, theirs)];
            sentence(&Takes { takes }, Scenes::Latency).expect("a sentence")
        };
        assert!(told(1000, 5000).ends_with("ahead in 4, level in 0, behind: nowhere"));
        assert!(told(105, 100).ends_with("ahead in 0, level in 4, behind: nowhere"));
        let behind = told(3000, 1000);
        assert!(behind.contains("single-writer, IRQ, median 3.0"), "{behind}");
    }

    #[test]
    fn rival_is_level_where_the_machine_alone_takes_longer() {
        let takes = [(Subject::Psrw, 3000), (Subject::Psrw2008, 1000), (Subject::Limit, 4000)];
        let takes = takes.map(|(subject, ticks)| take(subject, ticks)).into();
        let told = sentence(&Takes { takes }, Scenes::Latency).expect("a sentence");
        assert!(told.ends_with("ahead in 0, level in 4, behind: nowhere"), "{told}");
    }
}
