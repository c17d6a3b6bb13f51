//! Waiting: thread records with their wake-up tokens, and the intrusive list of waiters.

mod list;
mod note;
mod notes;
mod record;
mod slot;
mod slots;
mod waiter;

pub use self::record::{Record, RecordId};
pub(crate) use self::{
    list::{Locked, WaitList},
    note::{Note, Noted, Rest},
    notes::Notes,
    record::unpark,
    slot::{Key, Patience, Slot},
    slots::{Listed, Slots},
    waiter::{Errands, Grant, Kind, MAX_ERRANDS, Waiter},
};
