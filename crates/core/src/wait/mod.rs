//! Waiting: a thread's wake-up token, the intrusive list of waiters, and a writer's wait for a
//! reader in a slot.

mod bell;
mod list;
mod token;
mod waiter;

pub(crate) use self::{
    bell::DrainLimit,
    list::{Locked, WaitList},
    token::{Waiting, unpark},
    waiter::{Grant, Kind, MOST_WAKES, Name, Waiter, WakeList},
};
