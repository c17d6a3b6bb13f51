//! Experiments on a simulated machine: the same protocols, with machines that nobody here has.
//!
//! * [`platform`]: what the locks ask of their system
//! * [`subjects`], [`peers`]: the locks, by name
//! * [`scene`], [`stage`], [`ward`]: what threads do, how, and what the lock protects
//! * [`study`]: one run, and several with different seeds
//! * [`delay`], [`masked`]: lengths of time
//! * [`counts`]: exact counts, for the snapshot in the tests
//! * [`published`]: the sources' tables
//! * [`sifting`]: the priority-sifting lock, with interrupts
//! * [`table`], [`request`]: what was asked for, and how it is shown

mod counts;
mod delay;
mod masked;
mod peers;
mod platform;
mod published;
mod request;
mod scene;
mod sifting;
#[cfg(test)]
mod slots;
mod stage;
mod study;
mod subjects;
mod table;
mod ward;

pub(crate) use self::request::execute;
pub(crate) use self::study::Placement;
pub(crate) use self::subjects::Subject;
