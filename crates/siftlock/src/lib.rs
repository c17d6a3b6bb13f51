//! Siftlock: reader-writer locks for programs that care about latency.

pub mod platform;
