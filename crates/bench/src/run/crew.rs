//! The threads of one sample.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Fault, Signal};
use crate::machine::{Pinning, Usage};
use crate::stats::{Longest, Pressure, Reading};

/// Bytes: enough for every lock's slow path, and little enough for thousands of threads.
const STACK: usize = 256 * 1024;
/// The longest time that the threads run before their work counts.
const LONGEST_WARM_UP: Duration = Duration::from_millis(20);
/// How long after the end the threads may take to come back, and how much longer for each of them.
/// Waiters leave one by one. Before its turn a spinner may have to wait for a time slice of every
/// other thread (20 s were seen for 240 threads on 2 CPUs).
const PATIENCE: Duration = Duration::from_secs(60);
const PATIENCE_PER_THREAD: Duration = Duration::from_millis(500);

/// The work of each thread, by its seat.
type Work<T> = Arc<dyn Fn(usize, &Signal) -> T + Send + Sync>;

/// How threads are made for a sample.
#[derive(Clone, Debug)]
pub(crate) struct Crew {
    pub(crate) threads: usize,
    /// How long the measured phase lasts.
    pub(crate) window: Duration,
    pub(crate) pinning: Pinning,
}

/// The results of a sample's threads.
pub(crate) struct Shift<T> {
    /// The result of each thread, by seat.
    pub(crate) members: Vec<T>,
    /// How long the measured phase lasted in fact.
    pub(crate) elapsed: Duration,
    /// The process's usage in the measured phase, if the system counts that.
    pub(crate) usage: Option<Usage>,
}

impl<T> Shift<T> {
    /// The readings that every experiment has: of each thread's `sections`, and of the long waits
    /// where they were taken.
    pub(crate) fn pressure(
        &self,
        sections: impl Fn(&T) -> u64,
        waits: Option<Longest>,
    ) -> Vec<Reading> {
        let each: Vec<u64> = self.members.iter().map(sections).collect();
        let (seconds, usage) = (self.elapsed.as_secs_f64(), self.usage);
        Pressure { each: &each, waits, seconds, usage }.readings()
    }
}

impl Crew {
    /// Starts the threads together, lets them work for the window, and waits for them.
    ///
    /// `work` gets the seat of its thread, from 0, and returns when the signal says that it is
    /// over. Threads that do not come back are left behind, which is why `work` owns all it uses.
    pub(crate) fn run<T, W>(&self, work: W) -> Result<Shift<T>, Fault>
    where
        T: Send + 'static,
        W: Fn(usize, &Signal) -> T + Send + Sync + 'static,
    {
        self.run_together(Arc::new(work))
    }

    /// Runs the threads. The code that starts threads is large, and there are many locks: all use
    /// this.
    fn run_together<T: Send + 'static>(&self, work: Work<T>) -> Result<Shift<T>, Fault> {
        let start = Arc::new(Barrier::new(self.threads + 1));
        let signal = Arc::new(Signal::new());
        let (home, arrivals) = mpsc::channel();
        let mut handles = Vec::with_capacity(self.threads);
        for seat in 0..self.threads {
            let (start, signal, work) =
                (Arc::clone(&start), Arc::clone(&signal), Arc::clone(&work));
            let (home, pinning) = (home.clone(), self.pinning.clone());
            let body = move || {
                let settled = pinning.settle(seat);
                start.wait();
                settled.begin();
                let out = work(seat, &signal);
                drop(work);
                // The receiver is gone only if the sample was given up.
                let _ = home.send((seat, out));
            };
            let handle = thread::Builder::new().stack_size(STACK).spawn(body);
            handles.push(handle.map_err(|source| Fault::NoThread { seat, source })?);
        }
        drop((home, work));
        start.wait();
        let (elapsed, usage) = self.conduct(&signal);
        let each = u32::try_from(self.threads).unwrap_or(u32::MAX);
        let patience = PATIENCE + PATIENCE_PER_THREAD.saturating_mul(each);
        let members = gather(&arrivals, handles, patience)?;
        Ok(Shift { members, elapsed, usage })
    }

    /// Takes the threads through the phases.
    fn conduct(&self, signal: &Signal) -> (Duration, Option<Usage>) {
        thread::sleep(LONGEST_WARM_UP.min(self.window / 5));
        let (before, start) = (Usage::so_far(), Instant::now());
        signal.begin();
        thread::sleep(self.window);
        signal.end();
        let (elapsed, after) = (start.elapsed(), Usage::so_far());
        let usage = after.zip(before).map(|(after, before)| after.since(before));
        (elapsed, usage)
    }
}

/// Waits for each thread's result.
fn gather<T>(
    arrivals: &Receiver<(usize, T)>,
    handles: Vec<JoinHandle<()>>,
    patience: Duration,
) -> Result<Vec<T>, Fault> {
    let end = Instant::now() + patience;
    let mut members: Vec<Option<T>> = handles.iter().map(|_| None).collect();
    for arrived in 0..handles.len() {
        match arrivals.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok((seat, out)) => members[seat] = Some(out),
            Err(RecvTimeoutError::Disconnected) => return Err(Fault::Panicked),
            Err(RecvTimeoutError::Timeout) => {
                let missing = handles.len() - arrived;
                return Err(Fault::Stuck { missing, after: patience.as_secs() });
            }
        }
    }
    for handle in handles {
        handle.join().map_err(|_| Fault::Panicked)?;
    }
    Ok(members.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Phase;

    fn crew(threads: usize) -> Crew {
        Crew { threads, window: Duration::from_millis(5), pinning: Pinning::Off }
    }

    #[test]
    fn crew_returns_what_each_seat_gave() {
        let shift = crew(9).run(|seat, _| seat).expect("a shift");
        assert_eq!(shift.members, (0..9).collect::<Vec<_>>());
        assert!(shift.elapsed >= Duration::from_millis(5));
    }

    #[test]
    fn crew_runs_until_it_is_over() {
        let work = |_: usize, signal: &Signal| {
            while signal.phase() != Phase::Over {
                thread::yield_now();
            }
        };
        assert_eq!(crew(3).run(work).expect("a shift").members.len(), 3);
    }

    #[test]
    fn crew_leaves_threads_behind_that_do_not_come_back() {
        let (home, arrivals) = mpsc::channel();
        let stuck = home.clone();
        let handles = vec![
            thread::spawn(move || home.send((0, ())).expect("a listener")),
            thread::spawn(move || {
                thread::park();
                drop(stuck);
            }),
        ];
        let sleeper = handles[1].thread().clone();
        let gathered = gather(&arrivals, handles, Duration::from_millis(50));
        assert!(matches!(gathered, Err(Fault::Stuck { missing: 1, .. })));
        sleeper.unpark();
    }

    #[test]
    fn crew_tells_that_a_thread_panicked() {
        let work = |seat: usize, _: &Signal| assert_ne!(seat, 1, "on purpose");
        assert!(matches!(crew(3).run(work), Err(Fault::Panicked)));
    }
}
