//! Point by point, round by round, subject by subject.

use std::sync::Arc;
use std::time::Duration;

use super::{Arena, Crew, Fault};
use crate::error::Error;
use crate::experiments::Experiment;
use crate::machine::Pinning;
use crate::report::Progress;
use crate::stats::{Reading, Results};
use crate::subjects::{Lock, Subject, Visitor};

/// The plan of a session.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) subjects: Vec<Subject>,
    pub(crate) threads: Vec<usize>,
    pub(crate) rounds: usize,
    /// How long one sample is measured.
    pub(crate) window: Duration,
    pub(crate) pinning: Pinning,
}

impl Plan {
    /// How many samples the plan has.
    pub(crate) fn samples(&self) -> usize {
        self.subjects.len() * self.threads.len() * self.rounds
    }

    /// How long the plan takes at least.
    pub(crate) fn takes(&self) -> Duration {
        let samples = u32::try_from(self.samples()).unwrap_or(u32::MAX);
        self.window.saturating_mul(samples)
    }
}

/// Measures every subject at every number of threads.
///
/// The subjects take turns in every round, each round begins with another one, and each sample is
/// kept: a machine that changes its pace in between changes it for all.
pub(crate) fn session<E: Experiment>(
    experiment: &E,
    plan: &Plan,
    progress: &Progress,
) -> Result<Results, Error> {
    let mut each = sessions(std::slice::from_ref(experiment), plan, progress)?;
    Ok(each.pop().unwrap_or_default())
}

/// Measures several experiments at once: a subject's turn is a sample of each. The results are in
/// the order of the experiments.
pub(crate) fn sessions<E: Experiment>(
    experiments: &[E],
    plan: &Plan,
    progress: &Progress,
) -> Result<Vec<Results>, Error> {
    let mut each = vec![Results::default(); experiments.len()];
    for &threads in &plan.threads {
        for round in 0..plan.rounds {
            for subject in turns(&plan.subjects, round) {
                for (experiment, results) in experiments.iter().zip(&mut each) {
                    progress.begin(E::NAME, experiment.place(threads), subject, round, plan.rounds);
                    let window = experiment.window(plan.window);
                    let crew = Crew { threads, window, pinning: plan.pinning.clone() };
                    let sample = subject.visit(Sampling { experiment, crew: &crew });
                    let readings = sample.map_err(|fault| {
                        let experiment = E::NAME;
                        Error::Sample { subject, experiment, threads, fault }
                    })?;
                    results.add(subject, threads, &readings);
                    progress.end(window);
                }
            }
        }
    }
    Ok(each)
}

/// The subjects in the order of this round.
pub(super) fn turns(subjects: &[Subject], round: usize) -> impl Iterator<Item = Subject> {
    let first = round % subjects.len().max(1);
    subjects[first..].iter().chain(&subjects[..first]).copied()
}

/// One sample of a subject: measured, then judged.
struct Sampling<'a, E> {
    experiment: &'a E,
    crew: &'a Crew,
}

impl<E: Experiment> Visitor for Sampling<'_, E> {
    type Output = Result<Vec<Reading>, Fault>;

    fn visit<L: Lock>(self) -> Self::Output {
        let arena = Arc::new(Arena::<L>::new(E::INSTANCES, self.crew.threads));
        let readings = self.experiment.sample(&arena, self.crew)?;
        arena.judge()?;
        Ok(readings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_rotates_the_turns() {
        let subjects = [Subject::Rwsem, Subject::Std, Subject::Spin];
        let names = |round| turns(&subjects, round).map(Subject::name).collect::<Vec<_>>();
        assert_eq!(names(0), ["rwsem", "std", "spin"]);
        assert_eq!(names(1), ["std", "spin", "rwsem"]);
        assert_eq!(names(5), ["spin", "rwsem", "std"]);
    }

    #[test]
    fn session_of_no_subject_has_no_turn() {
        assert_eq!(turns(&[], 3).count(), 0);
    }
}
