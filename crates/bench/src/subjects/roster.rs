//! Every subject, by name.

use std::sync;

#[cfg(target_os = "linux")]
use siftlock::platform::{Native, Strict};
use siftlock::policy::{BeforePatch10, Classic, Counted, Noted, NotedCounted, Patch10, Standard};

use super::busted::Busted;
use super::counted::Counted as CountedCalls;
use super::floors::{Limit, LimitPrivate};
#[cfg(target_os = "linux")]
use super::placed::{AtThread, Psrw, Psrw2008, StandardRwLock};
#[cfg(unix)]
use super::pthread;
use super::rwsem::{
    AlwaysSpins, CasFirst, Eager, FirstWriter, LoadFirst, NoAlternation, NoAsking, NoBackOff,
    NoDoze, NoGivingWay, NoJoining, NoLook, NoPassLimit, NoQueueing, NoReaderSpin, NoSpin,
    NoStealing, NoTree, Ours, Symmetric, WholeBatches,
};
use super::{Role, Visitor};

/// Writes the table out as an enumeration. So a subject is a small `Copy` value, and its lock is a
/// type that [`Subject::visit`] hands to the compiler.
macro_rules! roster {
    ($($(#[$condition:meta])* $id:ident = $role:ident $name:literal, $lock:ty, $about:literal;)*) => {
        /// A lock that can be measured.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Subject {
            $($(#[$condition])* #[doc = $about] $id,)*
        }

        impl Subject {
            /// Every subject, hidden ones too, in the order of the tables.
            pub(crate) const ALL: &'static [Subject] = &[$($(#[$condition])* Self::$id,)*];

            /// Its name in commands, tables and files.
            pub(crate) const fn name(self) -> &'static str {
                match self { $($(#[$condition])* Self::$id => $name,)* }
            }

            /// Its description in a few words.
            pub(crate) const fn about(self) -> &'static str {
                match self { $($(#[$condition])* Self::$id => $about,)* }
            }

            /// Its part in a comparison.
            pub(crate) const fn role(self) -> Role {
                match self { $($(#[$condition])* Self::$id => Role::$role,)* }
            }

            /// Does the visitor's work with this subject's lock.
            pub(crate) fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self { $($(#[$condition])* Self::$id => visitor.visit::<$lock>(),)* }
            }
        }
    };
}

roster! {
    Rwsem = Ours "rwsem", Ours<Standard>, "our reader-writer semaphore";
    RwsemCasFirst = Variant "rwsem-cas-first", Ours<CasFirst>,
        "ours, whose try-read begins with a compare-and-swap (the try-read patch, after)";
    RwsemLoadFirst = Variant "rwsem-load-first", Ours<LoadFirst>,
        "ours, whose try-read begins with a load (the try-read patch, before)";
    RwsemFirstWriter = Variant "rwsem-first-writer", Ours<FirstWriter>,
        "ours, whose batches of readers end at the first writer (the whole-queue patch, before)";
    RwsemPatch10Before = Variant "rwsem-patch10-before", Ours<BeforePatch10>,
        "as it stood at the whole-queue patch, before: batches end at the first writer";
    RwsemPatch10After = Variant "rwsem-patch10-after", Ours<Patch10>,
        "as it stood at the whole-queue patch, after: batches from the whole queue";
    RwsemClassic = Variant "rwsem-classic", Ours<Classic>,
        "the protocol's first form, without turns: readers do not join readers, write unlocks grant";
    RwsemNoSpin = Variant "rwsem-no-spin", Ours<NoSpin>,
        "ours, whose writers do not spin on the owner (the anon-vma report, tweak 1 off)";
    RwsemAlwaysSpins = Variant "rwsem-always-spins", Ours<AlwaysSpins>,
        "ours, whose writers spin on the owner whether or not they have seen it pay";
    RwsemNoBackOff = Variant "rwsem-no-back-off", Ours<NoBackOff>,
        "ours, whose spinners take the lock as soon as it is free";
    RwsemNoAsking = Variant "rwsem-no-asking", Ours<NoAsking>,
        "ours, whose spinners do not ask readers to let them by";
    RwsemNoReaderSpin = Variant "rwsem-no-reader-spin", Ours<NoReaderSpin>,
        "ours, whose readers do not wait awake for a writer";
    RwsemNoLook = Variant "rwsem-no-look", Ours<NoLook>,
        "ours, whose writers do not look before they write (the anon-vma report, tweak 2 off)";
    RwsemNoStealing = Variant "rwsem-no-stealing", Ours<NoStealing>,
        "ours, where nobody passes waiters by";
    RwsemNoJoining = Variant "rwsem-no-joining", Ours<NoJoining>,
        "ours, where readers queue as soon as a writer waits";
    RwsemNoQueueing = Variant "rwsem-no-queueing", Ours<NoQueueing>,
        "ours, whose readers pass a writer that waits, also where holds are long";
    RwsemNoAlternation = Variant "rwsem-no-alternation", Ours<NoAlternation>,
        "ours, where a writer is followed by whoever came next";
    RwsemNoPassLimit = Variant "rwsem-no-pass-limit", Ours<NoPassLimit>,
        "ours, where only the first waiter's clock ends the passing of waiters";
    RwsemWholeBatches = Variant "rwsem-whole-batches", Ours<WholeBatches>,
        "ours, whose batches grant every reader of the queue, also where writers wait";
    RwsemNoTree = Variant "rwsem-no-tree", Ours<NoTree>,
        "ours, where whoever grants a batch of readers calls them all";
    RwsemNoDoze = Variant "rwsem-no-doze", Ours<NoDoze>,
        "ours, whose first waiter listens to every unlock";
    RwsemNoGivingWay = Variant "rwsem-no-giving-way", Ours<NoGivingWay>,
        "ours, where nobody gives way to a waiter that was called";
    RwsemCalls = Variant "rwsem-calls", CountedCalls,
        "ours, on a platform that counts the system calls which wake";
    RwsemUnbiased = Variant "rwsem-unbiased", Ours<Counted>,
        "ours, whose readers are all counted: no reads by slot";
    RwsemNoted = Variant "rwsem-noted", Ours<Noted>,
        "ours, where a thread that reads may read again past writers that wait";
    RwsemNotedUnbiased = Variant "rwsem-noted-unbiased", Ours<NotedCounted>,
        "the same with all readers counted, so that each read is noted";
    RwsemEager = Variant "rwsem-eager", Ours<Eager>,
        "ours, whose readers use slots at every chance, whatever it costs writers";
    RwsemSymmetric = Variant "rwsem-symmetric", Ours<Symmetric>,
        "the same by swaps, which cost writers less; off after every second write";
    #[cfg(target_os = "linux")]
    Psrw = Placed "psrw", AtThread<Psrw<Native>>, "our priority-sifting lock, masking lazily";
    #[cfg(target_os = "linux")]
    PsrwStrict = Placed "psrw-strict", AtThread<Psrw<Strict>>,
        "our priority-sifting lock, masking by pthread_sigmask";
    #[cfg(target_os = "linux")]
    Psrw2008 = Placed "psrw-2008", AtThread<Psrw2008<Native>>,
        "the priority-sifting lock in its form of 2008, repaired";
    #[cfg(target_os = "linux")]
    StandardRwLock = Placed "standard-rwlock", AtThread<StandardRwLock<Native>>,
        "a spinning rwlock that masks everything for the whole write, the wait included";
    Std = Peer "std", sync::RwLock<()>, "std::sync::RwLock";
    StdMutex = Peer "std-mutex", sync::Mutex<()>, "std::sync::Mutex";
    ParkingLot = Peer "parking_lot", parking_lot::RwLock<()>,
        "parking_lot 0.13 RwLock: unfair, waiters can starve";
    ParkingLot012 = Peer "parking_lot-0.12", parking_lot_012::RwLock<()>,
        "parking_lot 0.12 RwLock: a fair unlock about every 0.5 ms";
    ParkingLotMutex = Peer "parking_lot-mutex", parking_lot::Mutex<()>, "parking_lot 0.13 Mutex";
    #[cfg(unix)]
    Pthread = Peer "pthread", pthread::RwLock<pthread::Usual>,
        "pthread_rwlock of the system, default kind (glibc: readers first)";
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    PthreadWriter = Peer "pthread-writer", pthread::RwLock<pthread::WriterFirst>,
        "pthread_rwlock, PREFER_WRITER_NONRECURSIVE";
    #[cfg(unix)]
    PthreadMutex = Peer "pthread-mutex", pthread::Mutex, "pthread_mutex of the system";
    Rblock = Peer "rblock", rblock::RwLock<()>, "rblock: read-biased, readers pass writers that wait";
    Sharded = Peer "sharded", crossbeam_utils::sync::ShardedLock<()>,
        "crossbeam's ShardedLock: eight of std's, of which a reader takes one and a writer all";
    Spin = Peer "spin", spin::RwLock<()>, "spin::RwLock: never sleeps";
    Usync = Peer "usync", usync::RwLock<()>, "usync::RwLock";
    Limit = Floor "limit", Limit,
        "floor: a bare pair of atomics on one word, no waiting, no exclusion";
    LimitPrivate = Floor "limit-private", LimitPrivate,
        "floor: two plain stores on a line of each thread's own";
    Busted = Hidden "busted", Busted, "a lock that does not exclude and has to be caught";
}

impl Subject {
    /// The subjects of a comparison that names none: our lock, every peer, the floors.
    pub(crate) fn usual() -> Vec<Self> {
        let usual =
            |subject: &Self| matches!(subject.role(), Role::Ours | Role::Peer | Role::Floor);
        Self::ALL.iter().copied().filter(usual).collect()
    }

    /// The subjects that `--list` shows.
    pub(crate) fn listed() -> impl Iterator<Item = Self> {
        let listed = |subject: &Self| subject.role() != Role::Hidden;
        Self::ALL.iter().copied().filter(listed)
    }

    /// The subject of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|subject| subject.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::Lock;

    #[test]
    fn roster_has_every_name_that_results_are_looked_up_by() {
        let names = [
            "rwsem",
            "std",
            "std-mutex",
            "parking_lot",
            "parking_lot-0.12",
            "parking_lot-mutex",
            "rblock",
            "sharded",
            "spin",
            "usync",
            "limit",
            "limit-private",
            "busted",
        ];
        for name in names {
            assert!(Subject::named(name).is_some(), "{name}");
        }
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        for name in ["pthread", "pthread-writer", "pthread-mutex"] {
            assert!(Subject::named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn roster_names_each_subject_once() {
        for &subject in Subject::ALL {
            assert_eq!(Subject::named(subject.name()), Some(subject));
        }
    }

    #[test]
    fn roster_hides_the_busted_lock() {
        assert!(!Subject::usual().contains(&Subject::Busted));
        assert!(Subject::listed().all(|subject| subject != Subject::Busted));
    }

    struct Excludes;
    impl Visitor for Excludes {
        type Output = bool;
        fn visit<L: Lock>(self) -> bool {
            L::EXCLUDES
        }
    }

    #[test]
    fn roster_judges_everything_but_the_floors() {
        for &subject in Subject::ALL {
            let judged = subject.visit(Excludes);
            assert_eq!(judged, subject.role() != Role::Floor, "{}", subject.name());
        }
    }

    /// Takes a lock in each way that must succeed while nobody holds it.
    struct TakeAndLeave;
    impl Visitor for TakeAndLeave {
        type Output = (i32, i32, Option<i32>, Option<i32>);
        fn visit<L: Lock>(self) -> Self::Output {
            let lock = L::unlocked();
            (lock.reading(|| 1), lock.writing(|| 2), lock.try_reading(|| 3), lock.try_writing(|| 4))
        }
    }

    #[test]
    fn roster_locks_are_free_after_each_section() {
        for &subject in Subject::ALL {
            let got = subject.visit(TakeAndLeave);
            assert_eq!(got, (1, 2, Some(3), Some(4)), "{}", subject.name());
        }
    }
}
