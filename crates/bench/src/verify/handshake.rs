//! The check of a lock that needs no luck: one thread holds it, another one tries.

use std::thread;

use super::Violation;
use crate::subjects::Lock;

/// Takes `lock` in both ways. Meanwhile another thread makes the tries that must fail.
///
/// It also shows that the run before it left the lock usable. It does not show that a *waiting*
/// call excludes; the [`Ward`](super::Ward) does.
pub(crate) fn handshake<L: Lock>(lock: &L) -> Result<(), Violation> {
    let got_past = |tried, held| Err(Violation::GotPast(tried, held));
    lock.writing(|| {
        if elsewhere(&|| lock.try_reading(|| ()).is_some()) {
            return got_past("read", "writing");
        }
        if elsewhere(&|| lock.try_writing(|| ()).is_some()) {
            return got_past("write", "writing");
        }
        Ok(())
    })?;
    lock.reading(|| {
        if elsewhere(&|| lock.try_writing(|| ()).is_some()) {
            return got_past("write", "reading");
        }
        Ok(())
    })
}

/// The answer of `attempt` in a thread of its own; false if it panics. It is one body for all
/// locks, since the code that starts a thread is large.
fn elsewhere(attempt: &(dyn Fn() -> bool + Sync)) -> bool {
    thread::scope(|scope| scope.spawn(attempt).join()).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::{Role, Subject, Visitor};

    struct Shake;
    impl Visitor for Shake {
        type Output = Result<(), Violation>;
        fn visit<L: Lock>(self) -> Self::Output {
            handshake(&L::unlocked())
        }
    }

    #[test]
    fn handshake_passes_every_lock_and_no_other_subject() {
        for &subject in Subject::ALL {
            let locks = !matches!(subject.role(), Role::Hidden | Role::Floor);
            assert_eq!(subject.visit(Shake).is_ok(), locks, "{}", subject.name());
        }
    }
}
