//! Experiments on a simulated machine: the same protocols, with machines that nobody here has.
//!
//! * [`platform`]: the system of the simulated locks
//! * [`subjects`], [`peers`]: the locks, by name
//! * [`scene`], [`stage`], [`ward`]: the threads' work, its place, and the data that the lock
//!   protects
//! * [`study`]: one run, and several with different seeds
//! * [`delay`], [`masked`]: lengths of time
//! * [`counts`]: exact counts, for the snapshot in the tests
//! * [`published`], [`plane`]: the sources' tables; holds, pauses, threads and writes
//! * [`sifting`]: the priority-sifting lock, with interrupts
//! * [`request`]: carries out the command line; [`mod@refuse`]: refuses options without effect
//! * [`setting`], [`plan`]: the machine, and the runs on it
//! * [`runs`], [`table`], [`rows`]: a lock's runs, shown and written

mod counts;
mod delay;
#[cfg(test)]
mod habits;
mod masked;
mod peers;
mod plan;
mod plane;
mod platform;
mod published;
mod refuse;
mod request;
mod rows;
mod runs;
mod scene;
mod setting;
mod sifting;
#[cfg(test)]
mod slots;
mod stage;
mod study;
mod subjects;
mod table;
#[cfg(test)]
mod turns;
mod ward;

pub(crate) use self::request::execute;
pub(crate) use self::study::Placement;
pub(crate) use self::subjects::Subject;
