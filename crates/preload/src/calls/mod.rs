//! The calls, on locks of this process alone. Each answers 0 or an error number of `errno.h`.
//!
//! [`overdue`](crate::overdue) says which readers pass a waiting writer. [`nested`](crate::nested)
//! says what a call does in a handler that has interrupted another call.

mod read;
mod unlock;
mod write;

pub(crate) use self::read::{read, read_until, try_read};
pub(crate) use self::unlock::unlock;
pub(crate) use self::write::{try_write, write, write_until};

use crate::deadline::Deadline;
use crate::system;
use libc::{EAGAIN, ETIMEDOUT, c_int};
use siftlock_core::Refused;
use siftlock_core::platform::Instant;

/// Calls `wait` once, to end at the deadline or after a turn of so many nanoseconds. `None`: the
/// wait ended before the deadline without the lock, and the caller may wait again.
fn wait_once(
    deadline: Option<&Deadline>,
    turn: Option<u64>,
    wait: &impl Fn(Option<Instant>) -> Result<(), Refused>,
) -> Option<c_int> {
    // A wait without an end does not ask the clock.
    let turn_ends = turn.map(|turn| system::now().after(turn));
    let ends = deadline.and_then(|deadline| deadline.on_own_clock(system::now()));
    let taken = match (deadline, ends) {
        (Some(deadline), Some(ends)) if turn_ends.is_none_or(|turn| ends <= turn) => {
            deadline.wait(ends, |end| wait(Some(end)))
        }
        _ => wait(turn_ends),
    };
    match taken {
        Ok(()) => Some(0),
        Err(Refused::TimedOut) => deadline.is_some_and(Deadline::is_over).then_some(ETIMEDOUT),
        // Too many readers: later there may be fewer.
        Err(_) => Some(EAGAIN),
    }
}
