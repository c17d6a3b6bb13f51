//! Whether a lock excludes, checked while it is measured.
//!
//! Three checks, the same for every subject:
//! * each section passes a [`Ward`], which sees a reader that meets a writer, or a writer that
//!   meets another thread;
//! * when the threads have gone, the ward's own count of writes has to be the sum of their counts;
//! * then two threads shake hands ([`handshake()`]): while one holds the lock the other's attempts
//!   must fail. That needs neither luck nor two processors.
//!
//! A run that saw a violation ends the program: figures of a broken lock mean nothing.

mod handshake;
mod ward;

use thiserror::Error;

pub(crate) use self::handshake::handshake;
pub(crate) use self::ward::{Ward, Witness};

/// How a lock failed to exclude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Violation {
    /// A reader found a writer inside, or a writer came in beside it.
    #[error("a reader was inside together with a writer")]
    ReaderMetWriter,
    /// A writer found a reader inside.
    #[error("a writer was inside together with a reader")]
    WriterMetReader,
    /// A writer found a writer inside, or another one came in beside it.
    #[error("two writers were inside together")]
    WriterMetWriter,
    /// The words that a writer sets all alike were not alike.
    #[error("a section saw data that was half written")]
    TornData,
    /// The writes counted inside do not add up to the writes that the threads made.
    #[error("the threads' writes do not add up to those that the lock protected")]
    LostUpdate,
    /// A try succeeded against a holder that excludes it.
    #[error("a try-{0} succeeded while another thread held the lock for {1}")]
    GotPast(&'static str, &'static str),
}
