//! Passing waiters by, and how it ends.
//!
//! Whoever runs and takes the lock past sleepers keeps it busy at no cost: nobody has to be called,
//! no processor changes threads. A thread that does so again and again has to stop at some time.
//! The *turn* is over when the first waiter has been the first for a time that is long beside what
//! a change of threads takes ([`PassLimit::Sleeps`]). Its own clock says so (see
//! `queue::Turn::due`), and it reserves the lock.
//!
//! But it may wait for a processor long after it is due. So those who pass see to it as well: its
//! record tells when it became the first, and two sleeps after that time is over the next that
//! would pass reserves the lock for it. Readers do so after one sleep where each pass, with the
//! hold and the pause after it, takes longer than a sleep: there passing saves nothing, and the
//! readers behind the waiter could read beside them. Writers go on: each change of threads leaves
//! the lock idle while the next one wakes.
//!
//! A thread that passes counts its passes, and *looks about* at ever fewer of them: at the clock,
//! whether it has to give way or to queue, whether who waits would read beside it. So that costs
//! nothing where holds last nanoseconds, and is seen in time where they last long.
//!
//! # Short holds
//! Where passes take nanoseconds, even to call a waiter that was called already, and to count the
//! pass, costs as much as the lock itself. So after some such passes a writer that finds the lock
//! free, whose first waiter therefore was called, or is about to be, or dozes, takes HEAD_HEEDED
//! off. Until that waiter has looked a read by a share and its unlock do not notice it. Writers,
//! and readers by slot, count their passes all the same: once it is beaten, they see to its turn
//! where it has no processor. (Where nobody writes it stays heeded.) That it was not heeded tells
//! it that passes are short (see `queue::watch`).
//!
//! # Long holds
//! Where holds last longer than a sleep passing saves nothing. So a thread that has read for that
//! long past a writer, which waited all the time, queues behind such a writer for a while
//! ([`Policy::QUEUE_IF_LONG`]). Its turn is that one hold then, and readers that queue together
//! read together.
//!
//! # When it begins
//! All limits on passing begin when the first waiter was beaten. Until then that one has been
//! called, or will be when the lock is next left free, and waits only for a processor: if the lock
//! were reserved for it, all others would wait for that processor too.

use super::policy::PassLimit;
use super::word::count::{Count, HANDOFF, HEAD_BEATEN, HEAD_HEEDED, UPGRADER};
use super::{Policy, RwSem};
use crate::events::{Event, count};
use crate::platform::Platform;
use crate::record::MOST_PASSES;
use crate::sync::mutated;
use crate::wait::{Kind, unpark};

/// So many sleeps after its turn has come a first waiter has woken up, if it has a processor.
const WAKES: u32 = 2;

/// Nanoseconds: what moving the lock and some lines under it to another processor takes. Passes,
/// each with its hold and the pause after it, are short if they take less.
pub(super) const SHORT_ROUND: u64 = 500;

/// So many passes does one stand for that a writer makes past a waiter that is not heeded.
const UNHEEDED_PASSES: u32 = if cfg!(siftlock_model) { 1 } else { 8 };

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller passes waiters by, as it may do for some time. False: that is over; the lock is
    /// reserved now.
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

    /// The caller passes waiters by, so many times as it counts, if it may without looking about. A
    /// thread without a record has to look each time.
    #[inline]
    pub(super) fn passes_unlooked(times: u32) -> bool {
        L::PASS_LIMIT.sleeps().is_some() && P::current_or_nobody().passes().count_unlooked(times)
    }

    /// The same for a writer that sees `v`. Past a waiter that is not heeded a pass stands for
    /// several, since reads do not count there.
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

    /// Whether who gets in at `v` counts that as a pass: past any waiter, if passing ends by time.
    #[inline]
    pub(super) fn is_a_pass(v: Count) -> bool {
        v.has(HEAD_BEATEN) || v.has_head() && L::PASS_LIMIT.sleeps().is_some()
    }

    /// Whether a reader that sees `v` joins those inside past whoever waits, asked by no spinner to
    /// let it by, without looking about. Asked last, since that counts.
    #[inline]
    pub(super) fn joins_unlooked(v: Count) -> bool {
        let joins = L::JOIN_READERS && v.lets_reader_in::<L>() && !v.asks_readers();
        joins && Self::passes_unlooked(1)
    }

    /// Readers have the lock: one who dozes may have it as well.
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

    /// Whether readers queue where holds are long. Only where the time of passes is kept, and a
    /// first waiter has the lock reserved in the end: readers that queue wait for that, too.
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
    /// that was beaten, it sees how long it was.
    #[inline]
    pub(super) fn see_how_long_it_read(v: Count) {
        if Self::QUEUES && v.has(HEAD_BEATEN) && P::current_or_nobody().passes().has_just_begun() {
            Self::compare_with_sleep(v);
        }
    }

    /// The first pass began with that read, if the waiter has waited for as long; otherwise with an
    /// earlier one. (A read that is not counted as a pass may be taken for it, which is rare.)
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

    /// Whether the caller may go on after a pass with this number, one of those at which it looks
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
        // It also counts anew where it has been passing for longer than this waiter waits.
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
        let are_short = me.passes().are_many() && lasted < u64::from(number) * SHORT_ROUND;
        if L::JOIN_READERS && are_short && !kind.reads() {
            self.heed_no_more(v);
        }
        true
    }

    /// Nobody heeds the first waiter at `v`, if that may be, until it has looked. If the count has
    /// changed meanwhile a later look does it.
    fn heed_no_more(&self, v: Count) {
        if let Some(to) = v.unheeded() {
            let _ = self.count_cas(v, to);
        }
    }

    /// Whether it did so.
    #[cold]
    fn end_passing_at_limit(&self) -> bool {
        if mutated!(PassesForEver) {
            return false;
        }
        self.end_passing();
        true
    }

    /// HANDOFF on, if somebody still waits. The first waiter is called: it may be dozing, and is
    /// needed now. Not while somebody may upgrade: the first may be another who wants to, whom the
    /// readers that would be kept out do not keep out.
    #[cold]
    pub(super) fn end_passing(&self) {
        // A thread without a record has passed nobody, and is given none while it holds the lock
        // (R10).
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
