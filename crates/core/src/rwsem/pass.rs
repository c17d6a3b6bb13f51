//! Passing waiters by, and how it ends.
//!
//! A running thread that takes the lock past sleepers keeps it busy at no cost: no thread has to be
//! called, no processor changes threads. A thread that does so again and again has to stop at some
//! time. The *turn* is over when the first waiter has been the first for a time that is long beside
//! what a change of threads takes ([`PassLimit::Sleeps`]). The first waiter learns this from its
//! own clock (see `queue::Turn::due`), and reserves the lock.
//!
//! But the first waiter may wait for a processor long after it is due. So the threads that pass see
//! to it as well: the waiter's record tells when it became the first. Two sleeps after the turn is
//! over, the next thread that would pass reserves the lock for the waiter. A reader does so once
//! the waiter has been the first for one sleep, if each of its passes, with the hold and the pause
//! after it, takes longer than a sleep. There passing saves nothing, and the readers behind the
//! waiter could read beside this reader. Writers go on: each change of threads leaves the lock idle
//! while the next thread wakes.
//!
//! A thread that passes counts its passes, and *looks about* at ever fewer of them: it reads the
//! clock, and checks whether it has to give way or to queue, and whether the first waiter would
//! read beside it. So these looks cost nothing where holds last nanoseconds, and come in time where
//! holds last long.
//!
//! # Short holds
//! Where passes take nanoseconds, a call of a waiter that was called already, and the count of the
//! pass, cost as much as the lock itself. So after some such passes a writer that finds the lock
//! free takes HEAD_HEEDED off: since the lock is free, the first waiter was called, or is about to
//! be, or dozes. Until that waiter has looked, a read by a share and its unlock do not notice it.
//! Writers, and readers by slot, count their passes all the same: once the waiter is beaten, they
//! end the turn if it has no processor. (Where nobody writes, the waiter stays heeded.) A waiter
//! that was not heeded knows that passes are short (see `queue::watch`).
//!
//! # Long holds
//! Where holds last longer than a sleep, passing saves nothing. So a thread that has read for
//! longer than a sleep past a writer, which waited all that time, queues behind such a writer for a
//! while ([`Policy::QUEUE_IF_LONG`]). Its turn is one hold then, and readers that queue together
//! read together.
//!
//! # When it begins
//! All limits on passing begin when the first waiter was beaten. Until then it has been called, or
//! will be when the lock is next left free, and waits only for a processor. If the lock were
//! reserved for it, all others would wait for that processor too.

use super::policy::PassLimit;
use super::word::count::{Count, HANDOFF, HEAD_BEATEN, HEAD_HEEDED, UPGRADER};
use super::{Policy, RwSem};
use crate::events::{Event, count};
use crate::platform::Platform;
use crate::record::{MAY_BE_LONGER, MOST_PASSES};
use crate::sync::mutated;
use crate::wait::{Kind, unpark};

/// The number of sleeps within which a first waiter wakes up after its turn has come, if it has a
/// processor.
const WAKES: u32 = 2;

/// Passes, each with its hold and the pause after it, are short if they take less than so many
/// nanoseconds: about what it takes to move the lock and some lines under it to another processor.
/// A mail server's rounds (E3) take 130 ns on Zen 5 and 280 on Intel, where turns are right, and
/// 550 to 750 on Milan, where turns left 43 % of the processors idle.
pub(super) const SHORT_ROUND: u64 = 400;

/// For how many passes a writer's pass stands, past a waiter that is not heeded.
const UNHEEDED_PASSES: u32 = if cfg!(siftlock_model) { 1 } else { 8 };

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Counts a pass of the caller, which may pass waiters for some time. False: that time is over,
    /// and the lock is reserved now.
    #[inline]
    pub(super) fn pass(&self, kind: Kind) -> bool {
        const { assert!(L::PASS_LIMIT.is_in_range(), "Policy::PASS_LIMIT: see `PassLimit`") }
        match L::PASS_LIMIT {
            PassLimit::Never => true,
            PassLimit::Passes(most) => {
                P::current().passes().count() < most || !self.end_passing_at_limit()
            }
            PassLimit::Sleeps(sleeps) => {
                let passes = P::current().passes();
                passes.count_unlooked(1) || self.goes_on(passes.count(), sleeps, kind)
            }
        }
    }

    /// Counts so many passes of the caller, if it need not look about. A thread without a record
    /// has to look about each time.
    #[inline]
    pub(super) fn passes_unlooked(times: u32) -> bool {
        L::PASS_LIMIT.sleeps().is_some() && P::current_or_nobody().passes().count_unlooked(times)
    }

    /// Counts a pass of a writer that sees `v`, if it need not look about. Past a waiter that is
    /// not heeded the pass stands for several, since reads by a share are not counted there.
    #[inline]
    pub(super) fn writer_passes_unlooked(v: Count) -> bool {
        Self::passes_unlooked(if v.has(HEAD_HEEDED) { 1 } else { UNHEEDED_PASSES })
    }

    /// A reader has got in, at this count, perhaps past waiters.
    #[inline]
    pub(super) fn pass_as_reader(&self, v: Count) {
        if v.has_dozing_reader() {
            self.call_dozing_reader(v);
        }
        if Self::is_a_pass(v) {
            self.pass(Kind::Reader);
        }
    }

    /// Whether a thread that gets in at `v` counts a pass: past a beaten first waiter, or, if
    /// passing ends by time, past any.
    #[inline]
    pub(super) fn is_a_pass(v: Count) -> bool {
        v.has(HEAD_BEATEN) || v.has_head() && L::PASS_LIMIT.sleeps().is_some()
    }

    /// Whether a reader that sees `v` gets in, past waiters too, without looking about. Not if a
    /// spinner asks to be let by. The passes are looked at last, since that look counts one.
    #[inline]
    pub(super) fn joins_unlooked(v: Count) -> bool {
        let joins = L::JOIN_READERS && v.lets_reader_in::<L>() && !v.asks_readers();
        joins && Self::passes_unlooked(1)
    }

    /// Calls the first waiter if it dozes and reads: readers have the lock, so it may have it as
    /// well.
    #[cold]
    fn call_dozing_reader(&self, mut v: Count) {
        while v.has_dozing_reader()
            && let Some(head) = v.head()
        {
            match self.count_cas(v, v.with_dozing(false)) {
                Ok(()) => return unpark::<P>(head),
                Err(now) => v = now,
            }
        }
    }

    /// Whether readers queue where holds are long. This needs the time of passes to be kept, and
    /// the lock to be reserved for a first waiter in the end: readers that queue wait for that,
    /// too.
    const QUEUES: bool = L::QUEUE_IF_LONG
        && L::JOIN_READERS
        && L::PASS_LIMIT.sleeps().is_some()
        && L::SPIN_REST != 0
        && L::HANDOFF_AFTER != u64::MAX;

    /// Whether the caller, a reader that sees `v`, queues behind the writer that waits, since holds
    /// are long here.
    #[inline]
    pub(super) fn queues_behind_writer(&self, v: Count) -> bool {
        let queues = || P::current_or_nobody().spin_node().queues(P::now, L::SPIN_REST);
        Self::QUEUES && v.has_beaten_writer() && queues()
    }

    /// The caller has given a share back, which led to `v`. If its read has passed a first waiter
    /// that was beaten, the caller looks how long that read was.
    #[inline]
    pub(super) fn see_how_long_it_read(v: Count) {
        if Self::QUEUES && v.has(HEAD_BEATEN) && P::current_or_nobody().passes().has_just_begun() {
            Self::compare_with_sleep(v);
        }
    }

    /// The caller's first pass began with the read that has ended, if the waiter has waited for as
    /// long; otherwise with an earlier read. (Rarely a read that is not counted as a pass is taken
    /// for it.)
    #[cold]
    #[inline(never)]
    fn compare_with_sleep(v: Count) {
        let (me, now) = (P::current_or_nobody(), P::now());
        let lasted = me.passes().began_before(now);
        let waits = v.head().and_then(|head| P::record(head).passes().began_before(now));
        if lasted >= Some(me.sleeps(1)) && waits >= lasted {
            me.spin_node().get_used_to_queue(now, L::SPIN_REST);
        }
    }

    /// Whether the caller may go on passing after the pass with this number, at which it looks
    /// about.
    #[cold]
    fn goes_on(&self, number: u32, sleeps: u32, kind: Kind) -> bool {
        let (me, v) = (P::current(), self.look());
        if !v.has(HEAD_BEATEN) && !me.passes().are_many() {
            return true;
        }
        let now = P::now();
        let waits = v.head().and_then(|head| P::record(head).passes().began_before(now));
        let began = me.passes().began_before(now).filter(|_| number < MOST_PASSES);
        // The caller also counts anew if it has passed for more than twice as long as this waiter
        // waits.
        let is_older = |lasted| waits.is_some_and(|waits| lasted > 2 * waits);
        let Some(lasted) = began.filter(|&lasted| !is_older(lasted)) else {
            me.passes().begin(now);
            return true;
        };
        let are_long = kind.reads() && lasted >= me.sleeps(number - 1);
        let turn = me.sleeps(if are_long { sleeps.min(1) } else { sleeps.saturating_add(WAKES) });
        if v.has(HEAD_BEATEN) && waits >= Some(turn) && self.end_passing_at_limit() {
            return false;
        }
        let are_short = lasted + MAY_BE_LONGER < u64::from(number) * SHORT_ROUND;
        if L::JOIN_READERS && are_short && !kind.reads() {
            self.heed_no_more(v);
        }
        true
    }

    /// Takes HEAD_HEEDED off at `v`, if that may be: nobody heeds the first waiter until it has
    /// looked. If the count has changed meanwhile, a later look about does this.
    fn heed_no_more(&self, v: Count) {
        if let Some(to) = v.unheeded() {
            let _ = self.count_cas(v, to);
        }
    }

    /// Calls [`end_passing`](Self::end_passing). False only in a mutant.
    #[cold]
    fn end_passing_at_limit(&self) -> bool {
        if mutated!(PassesForEver) {
            return false;
        }
        self.end_passing();
        true
    }

    /// HANDOFF on, if somebody still waits. Calls the first waiter: it may doze, and is needed now.
    /// Not while UPGRADER is set: the first waiter may want an upgradable read. Then UPGRADER keeps
    /// it out, and not the readers that HANDOFF would keep out.
    #[cold]
    pub(super) fn end_passing(&self) {
        // A thread without a record has passed nobody, and is given no record while it holds the
        // lock (R10).
        if P::current_number() != 0 {
            P::current().passes().forget();
        }
        let mut v = self.look();
        while !v.has(HANDOFF | UPGRADER)
            && let Some(head) = v.head()
        {
            match self.count_cas(v, v.reserved()) {
                Ok(()) => {
                    count(Event::RwsemHandoff);
                    if !mutated!(DozerIsNotCalled) {
                        unpark::<P>(head);
                    }
                    return;
                }
                Err(now) => v = now,
            }
        }
    }
}
