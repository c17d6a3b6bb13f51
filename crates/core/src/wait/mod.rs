//! Waiting: thread records with their wake-up tokens, and the intrusive list of waiters.

mod free_ids;
mod list;
mod listed;
mod note;
mod notes;
mod passes;
mod record;
mod slot;
mod slots;
mod waiter;

pub use self::free_ids::FreeIds;
pub use self::record::{Record, RecordId};
pub(crate) use self::{
    list::{Locked, WaitList},
    listed::Listed,
    passes::MOST_PASSES,
    record::{Waiting, unpark},
    slot::{DrainLimit, Key, Slot},
    slots::Slots,
    waiter::{Grant, Kind, MOST_WAKES, Waiter, WakeList},
};
