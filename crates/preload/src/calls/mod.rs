//! The calls, on locks of this process alone. Each answers 0 or a number of `errno.h`.
//!
//! Which readers pass a waiting writer is told in [`overdue`](crate::overdue), and what a handler
//! does that has interrupted a call in [`nested`](crate::nested).

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

/// Waits until the deadline, and for a turn of so many nanoseconds at most. `None`: the turn is
/// over.
fn wait_once(
    deadline: Option<&Deadline>,
    turn: Option<u64>,
    wait: &impl Fn(Option<Instant>) -> Result<(), Refused>,
) -> Option<c_int> {
    // The clock is not asked where the wait has no end.
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
        // Too many of something, which may be fewer later.
        Err(_) => Some(EAGAIN),
    }
}
