//! The sixteen signals.

use crate::support::real_time;
use siftlock_core::platform::Class;

/// How a signal comes to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// From another thread, with a running number.
    Numbered,
    /// From another thread, without a number.
    Bare,
    Timer,
    /// From itself, with a running number.
    Itself,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The place of this kind in all tables.
    pub(crate) place: usize,
    pub(crate) class: Class,
    /// A real-time signal: each one that is sent arrives.
    pub(crate) is_queued: bool,
    pub(crate) from: From,
}

pub(crate) const KINDS: usize = 16;

/// All kinds.
pub(crate) fn all() -> impl Iterator<Item = Kind> {
    const FROM: [From; 4] = [From::Numbered, From::Bare, From::Timer, From::Itself];
    (0..KINDS).map(|place| Kind {
        place,
        class: [Class::Irq, Class::SoftIrq][place % 2],
        is_queued: place / 2 % 2 == 1,
        from: FROM[place / 4],
    })
}

/// The kinds that come this way.
pub(crate) fn of(from: From) -> impl Iterator<Item = Kind> {
    all().filter(move |kind| kind.from == from)
}

impl Kind {
    pub(crate) fn signal(self) -> i32 {
        const STANDARD: [i32; KINDS / 2] = [
            libc::SIGUSR1,
            libc::SIGUSR2,
            libc::SIGHUP,
            libc::SIGWINCH,
            libc::SIGALRM,
            libc::SIGVTALRM,
            libc::SIGURG,
            libc::SIGIO,
        ];
        let nth = self.place / 4 * 2 + self.place % 2;
        if self.is_queued { real_time(nth as i32) } else { STANDARD[nth] }
    }

    /// The kind of a signal.
    pub(crate) fn of_signal(signal: i32) -> Self {
        all().find(|kind| kind.signal() == signal).expect("one of these")
    }

    /// Whether its signals carry running numbers.
    pub(crate) fn is_numbered(self) -> bool {
        matches!(self.from, From::Numbered | From::Itself)
    }
}
