//! The words: their bits, and the conditions for which calls wait. Each condition is a function of
//! one value of one word.
//!
//! See the bit tables in the [crate's documentation](crate).

use siftlock_core::platform::Class;

pub(crate) const UC_WRITER: u32 = 1;
pub(crate) const UC_SLOW_WRITER: u32 = 1 << 1;
pub(crate) const UC_WQ_ACTIVE: u32 = 1 << 2;
/// One reader inside.
pub(crate) const UC_READER: u32 = 1 << 3;

pub(crate) const WS_WQ_MUTEX: u32 = 1;
pub(crate) const WS_COUNT_MUTEX: u32 = 1 << 1;
pub(crate) const WS_LOCK_MUTEX: u32 = 1 << 2;
/// One writer on the slow path.
pub(crate) const WS_WRITER: u32 = 1 << 3;

/// One writer that has shut the class out.
pub(crate) const SUBSCRIBED: u64 = 1;
/// One reader of the class on the slow path.
pub(crate) const SLOW_READER: u64 = 1 << 32;

/// All classes, lowest first.
pub(crate) const CLASSES: [Class; 4] =
    [Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq];

/// A reader of this class enters only while fewer readers than this are inside, of all classes. A
/// lower class leaves more room, so no class fills the field against a higher one.
pub(crate) const fn cap(class: Class) -> u32 {
    match class {
        Class::Thread => (1 << 26) - 1,
        Class::NonPreemptible => (1 << 27) - 1,
        Class::SoftIrq => (1 << 28) - 1,
        Class::Irq => (1 << 29) - 1,
    }
}

/// How many readers are inside, of all classes.
pub(crate) const fn readers(uc: u32) -> u32 {
    uc / UC_READER
}

/// W: how many writers have shut the class out.
pub(crate) const fn subscribed(class: u64) -> u64 {
    class % SLOW_READER
}

/// R: how many readers of the class are on the slow path.
pub(crate) const fn slow_readers(class: u64) -> u64 {
    class / SLOW_READER
}

/// Whether the fast path is open to a reader of this class.
pub(crate) const fn is_open(uc: u32, class: Class) -> bool {
    uc & UC_SLOW_WRITER == 0 && is_enterable(uc, class)
}

/// Whether a reader of this class may enter from the slow path, which ignores UC_SLOW_WRITER.
pub(crate) const fn is_enterable(uc: u32, class: Class) -> bool {
    uc & UC_WRITER == 0 && readers(uc) < cap(class)
}

/// Whether neither a writer of the fast path nor a reader of any class is inside.
pub(crate) const fn is_left(uc: u32) -> bool {
    uc & UC_WRITER == 0 && readers(uc) == 0
}

/// One of the lock's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Uc,
    Ws,
    Class(Class),
}

/// The condition for which a call waits. A sleeper's node stores it, for the threads that wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// WS_WQ_MUTEX is free. No thread sleeps on this condition.
    QueueFree,
    /// w1: WS_COUNT_MUTEX is free.
    CountFree,
    /// After the last stage: WS_LOCK_MUTEX is free.
    LockFree,
    /// r1: no writer has shut the class out.
    Open(Class),
    /// r2: no writer of the fast path is inside, and there is room.
    Enterable(Class),
    /// A stage: no reader of the class is on the slow path.
    SlowReadersGone(Class),
    /// A stage: neither a writer of the fast path nor a reader is inside.
    Left,
}

impl Condition {
    /// The word that decides the condition.
    pub(crate) const fn word(self) -> Which {
        match self {
            Self::QueueFree | Self::CountFree | Self::LockFree => Which::Ws,
            Self::Open(class) | Self::SlowReadersGone(class) => Which::Class(class),
            Self::Enterable(_) | Self::Left => Which::Uc,
        }
    }

    /// Whether this value of that word fulfils the condition.
    pub(crate) const fn holds(self, value: u64) -> bool {
        let low = value as u32;
        match self {
            Self::QueueFree => low & WS_WQ_MUTEX == 0,
            Self::CountFree => low & WS_COUNT_MUTEX == 0,
            Self::LockFree => low & WS_LOCK_MUTEX == 0,
            Self::Open(_) => subscribed(value) == 0,
            Self::Enterable(class) => is_enterable(low, class),
            Self::SlowReadersGone(_) => slow_readers(value) == 0,
            Self::Left => is_left(low),
        }
    }

    /// Whether it is a condition of readers.
    pub(crate) const fn reads(self) -> bool {
        matches!(self, Self::Open(_) | Self::Enterable(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_caps_leave_room_for_higher_classes() {
        for pair in CLASSES.windows(2) {
            assert!(cap(pair[0]) < cap(pair[1]), "{pair:?}");
        }
        // The highest fills the field and does not carry over.
        assert_eq!(cap(Class::Irq) * UC_READER, !(UC_READER - 1));
    }

    #[test]
    fn word_conditions_look_at_their_own_bits_only() {
        let full = cap(Class::Thread) * UC_READER;
        assert!(!Condition::Enterable(Class::Thread).holds(full.into()));
        assert!(Condition::Enterable(Class::NonPreemptible).holds(full.into()));
        let marks = UC_SLOW_WRITER | UC_WQ_ACTIVE;
        assert!(Condition::Left.holds(marks.into()));
        assert!(Condition::Enterable(Class::Irq).holds((marks | UC_READER).into()));
        assert!(!Condition::Enterable(Class::Irq).holds(UC_WRITER.into()));
        assert!(Condition::LockFree.holds((WS_WQ_MUTEX | WS_COUNT_MUTEX | WS_WRITER).into()));
        let crowded = 3 * SLOW_READER + 2 * SUBSCRIBED;
        assert_eq!((slow_readers(crowded), subscribed(crowded)), (3, 2));
        assert!(!Condition::Open(Class::Thread).holds(crowded));
        assert!(Condition::Open(Class::Thread).holds(SLOW_READER));
        assert!(Condition::SlowReadersGone(Class::Thread).holds(SUBSCRIBED));
    }
}
