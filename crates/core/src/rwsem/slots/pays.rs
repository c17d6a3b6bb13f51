//! When a bias pays, and in which form.
//!
//! A bias is worth it if the reads before the next write save more than that write loses by it. The
//! past has to do for the future: a bias comes on when the reads since the last write have lost,
//! without it, what it will cost. Then neither a lock that is often written nor a lock that is
//! never written pays more than twice what it would if the future were known.
//!
//! Reads are not counted one by one, which would take a line that all readers share. Each counted
//! reader *asks* once in so many of its reads ([`Policy::ASK_FOR_BIAS_EVERY`]). So each asking
//! stands for so many reads, of any thread. The owner word keeps their number since a writer
//! signed. The first asking tells nothing yet (a write may have come just before). Under the
//! symmetric form a reader is counted, and asks, once in 32 times as many reads: its share takes
//! the lock's line from all threads that read by slot.
//!
//! * **The symmetric form** costs a writer a look through the slots, whose lines go to the writer
//!   and come back, and saves a reader its share. What counted reads cost is not what a share
//!   takes. Where sections are short, threads take turns at them, and the thread whose turn it is
//!   makes a read in some nanoseconds. Where sections are long, or the line goes from one reader to
//!   the other, few reads are made in the time of a look. So the *price* of a look, in reads, is
//!   the time that looks take, times what that costs the others, over the time from one counted
//!   read of a thread to its next. Both times are measured now and then
//!   ([`Bias`](crate::platform::Bias)). A writer that finds the form on takes the price off the
//!   reads that the owner word tells of, and leaves the form on while they last. So the form stays
//!   on where reads outnumber writes by the price, on the whole, and not for the next write alone.
//! * **The asymmetric form** costs a writer a heavy fence, and saves a reader the swap. It comes on
//!   when the reads since the last write have lost what that fence costs, as measured, once for
//!   each thread that the fence keeps out. A pause of [`Policy::BIAS_PAUSE`] times that cost has to
//!   be over as well ([`Bias`](crate::platform::Bias)). The writer that takes the form back has
//!   seen that reads come, so it leaves the symmetric form on.
//!
//! Where there is no heavy fence, only the symmetric form comes on.
//!
//! Where there is a heavy fence, its cost is taken for nothing at first, and a thread's very first
//! counted read asks. So a lock that is only read has its bias at once.

use crate::events::{Event, count};
use crate::platform::Platform;
use crate::record::MOST_PRICE;
use crate::rwsem::policy::ReadBias;
use crate::rwsem::word::count::Count;
use crate::rwsem::word::owner::{Form, Hint};
use crate::rwsem::{Policy, RwSem};

/// A reader by swap is counted, and asks, so many times more rarely than a counted reader asks.
const SYMMETRIC_READS: u32 = 32;

/// At most so many reads pay for writes in advance: those of some askings. A model has few.
const READS_AHEAD: u32 = if cfg!(siftlock_model) { 1 } else { 2 * MOST_PRICE };

/// The symmetric form comes on for so many times a look's price, or it would come and go where it
/// just pays.
const COMES_ON: u32 = if cfg!(siftlock_model) { 1 } else { 2 };

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// A reader has got in by a share, with this count: perhaps the next reader need not take one.
    #[inline]
    pub(in crate::rwsem) fn consider_bias(&self, v: Count) {
        match L::READ_BIAS {
            ReadBias::Off => {}
            ReadBias::Asymmetric => self.switch_on(v, Form::Asymmetric),
            ReadBias::Symmetric => self.switch_on(v, Form::Symmetric(1)),
            ReadBias::Adaptive => {
                if self.is_to_consider_bias() {
                    self.ask_for_bias(v);
                }
            }
        }
    }

    /// Whether [`consider_bias`](Self::consider_bias) has something to do at this read.
    #[inline]
    pub(in crate::rwsem) fn is_to_consider_bias(&self) -> bool {
        match L::READ_BIAS {
            ReadBias::Off => false,
            ReadBias::Asymmetric | ReadBias::Symmetric => true,
            ReadBias::Adaptive => P::is_time_to_ask(SYMMETRIC_READS),
        }
    }

    /// Whether a reader that would get in by a swap is counted instead, so that it may ask.
    #[inline]
    pub(super) fn is_counted_by_turns(&self) -> bool {
        matches!(L::READ_BIAS, ReadBias::Adaptive) && P::is_time_to_ask(1)
    }

    #[cold]
    #[inline(never)]
    fn ask_for_bias(&self, v: Count) {
        let (by_share, by_swap) = const {
            let reads = if L::ASK_FOR_BIAS_EVERY == 0 { 1 } else { L::ASK_FOR_BIAS_EVERY };
            (reads, reads.saturating_mul(SYMMETRIC_READS))
        };
        P::ask_again_after(by_swap);
        let Some(bias) = P::bias() else { return };
        let is_symmetric = self.owner.hint().is_symmetric();
        if !is_symmetric && let Some(nanos) = P::current().samples().pass_took(by_share, P::now) {
            bias.time_pass(nanos);
        }
        let stands_for = if is_symmetric { by_swap } else { by_share };
        let Some(reads) = self.owner.count_asking(stands_for) else { return };
        // Reads before the last write do not count, nor does the first asking since.
        let before = if is_symmetric { READS_AHEAD.saturating_add(by_swap) } else { 0 };
        let since_write = u64::from(reads.saturating_sub(before));
        let lost = since_write.saturating_mul(L::SLOT_READ_SAVES);
        if bias.is_worth(lost, P::processors, P::now) {
            self.switch_on(v, Form::Asymmetric);
        } else if reads >= COMES_ON * bias.look_price() {
            self.switch_on(v, Form::Symmetric(reads));
        }
    }

    /// The caller is inside by a share, and saw `v` when it got in. The bias comes on if a reader
    /// by slot would get in.
    fn switch_on(&self, v: Count, form: Form) {
        let pays = v.lets_slot_reader_pass::<L>();
        let place = core::ptr::from_ref(self).cast();
        if pays && may_be_on::<P>(form) && P::is_private(place) && self.owner.switch_on(form) {
            count(Event::RwsemBiasOn);
        }
    }

    /// The caller, a writer, has looked through the slots, under this bias, at the price of so many
    /// reads: it leaves the symmetric form on, or signs.
    pub(super) fn stay_or_sign(&self, bias: Hint, price: u32) {
        let left = match L::READ_BIAS {
            ReadBias::Off | ReadBias::Asymmetric => None,
            ReadBias::Symmetric => bias.asked().checked_sub(1),
            ReadBias::Adaptive if bias.is_symmetric() => {
                bias.asked().min(READS_AHEAD).checked_sub(price)
            }
            ReadBias::Adaptive => READS_AHEAD.checked_sub(price),
        };
        match left {
            Some(left) => self.owner.stay(left),
            None => self.sign(self.look()),
        }
    }

    /// The caller, a writer, gives up under this bias. After its heavy fence it leaves the
    /// symmetric form: the next writer, which may give up as well, need not make a fence.
    pub(super) fn stay_for_the_next_writer(&self, bias: Hint) {
        if !bias.is_symmetric() && matches!(L::READ_BIAS, ReadBias::Adaptive) {
            self.owner.stay(0);
        }
    }
}

fn may_be_on<P: Platform>(form: Form) -> bool {
    P::bias().is_some_and(|bias| form != Form::Asymmetric || bias.has_heavy_fence())
}
