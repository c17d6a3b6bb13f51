//! The choices of a lock with reads by slot, and the forms that have a row.

use siftlock_core::platform::Class;

/// What turns a reader that has noted itself back, when it looks at the word again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnedBackBy {
    /// WRITER, whatever its class: it is counted instead, and let in if its class is open. Slots are
    /// in use only while nobody sifts.
    Writer,
    /// CLOSED of its own class: slots are sifted like counted readers, class by class.
    OwnClosed,
}

/// When the writer makes all threads pass a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// Once, in w2: after WRITER and CLOSED(P), before it raises itself.
    BeforeRaising,
    /// For each class that it closes, after that.
    AfterClosing,
    /// The same, and it raises itself after the fence.
    AfterClosingUnraised,
    /// Never: its own steps are fences for itself alone.
    Never,
}

/// When the writer waits for slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drain {
    /// For all in w2, before it raises itself.
    BeforeRaising,
    /// For those of each class when it has closed it.
    AtStages,
    /// Both: the second time looks again at what was empty.
    Twice,
}

/// Which slot a reader notes itself in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slots {
    /// A thread has one for each class.
    OnePerClass,
    /// A thread has one. Who finds it in use is counted.
    OnePerThread,
}

/// The choices of one form.
pub(crate) trait Form: 'static {
    /// The class that writes.
    const WRITES: Class = Class::Thread;
    /// Those that read.
    const READS: &'static [Class] = &[Class::Thread, Class::Irq];
    /// Those of them that read by slot.
    const BY_SLOT: &'static [Class] = Self::READS;
    const TURNED_BACK_BY: TurnedBackBy = TurnedBackBy::Writer;
    const FENCE: Fence = Fence::BeforeRaising;
    const DRAIN: Drain = Drain::BeforeRaising;
    const SLOTS: Slots = Slots::OnePerClass;
    /// The writer sleeps while it waits for slots of classes above Thread, and is called by them.
    const SLEEPS_FOR_HIGH: bool = false;
    /// BIAS stays on after the write that has drained the lock. Otherwise it goes with WRITER.
    const STAYS_ON: bool = false;
    /// A counted Thread reader switches BIAS on.
    const SWITCHES_ON: bool = false;
    /// A try write of a raised Thread gives up when it finds BIAS.
    const RAISED_TRY_GIVES_UP: bool = true;

    /// Whether the writer's fence comes between what turns this reader back and its look at the slots.
    fn is_fenced(class: Class) -> bool {
        let before_raising = Self::TURNED_BACK_BY == TurnedBackBy::Writer || class == Class::Thread;
        match Self::FENCE {
            Fence::BeforeRaising => before_raising,
            Fence::AfterClosing | Fence::AfterClosingUnraised => true,
            Fence::Never => false,
        }
    }
}

macro_rules! forms {
    ($($(#[$meta:meta])* $name:ident { $($choice:ident: $ty:ty = $value:expr),* })*) => {$(
        $(#[$meta])*
        pub(crate) struct $name;

        impl Form for $name {
            $(const $choice: $ty = $value;)*
        }
    )*};
}

const ALL: &[Class] = &[Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq];
const HANDLERS: &[Class] = &[Class::SoftIrq, Class::Irq];
const THREADS: &[Class] = &[Class::Thread];

forms! {
    /// Thread readers by slot, handlers counted.
    ThreadsOnly { BY_SLOT: &'static [Class] = THREADS }
    /// The same; BIAS comes on by itself and stays.
    ThreadsStay { BY_SLOT: &'static [Class] = THREADS, STAYS_ON: bool = true, SWITCHES_ON: bool = true }
    /// The same; BIAS comes on and goes.
    ThreadsSwitch { BY_SLOT: &'static [Class] = THREADS, SWITCHES_ON: bool = true }
    /// Readers of both classes by slot, all turned back by WRITER and waited for before w3.
    Both {}
    /// The same; BIAS stays on.
    BothStay { STAYS_ON: bool = true }
    /// All four classes.
    AllFour { READS: &'static [Class] = ALL, STAYS_ON: bool = true }
    /// `BothStay`, but slots are waited for at the stages of their classes, raised.
    AtStages { DRAIN: Drain = Drain::AtStages, STAYS_ON: bool = true }
    /// The same, all four classes.
    AllFourAtStages { READS: &'static [Class] = ALL, DRAIN: Drain = Drain::AtStages, STAYS_ON: bool = true }
    /// `BothStay` with one slot a thread.
    OneSlot { SLOTS: Slots = Slots::OnePerThread, STAYS_ON: bool = true }

    /// `ThreadsOnly` without a fence.
    Unfenced { BY_SLOT: &'static [Class] = THREADS, FENCE: Fence = Fence::Never }
    /// Slots are sifted, each class with its own fence, which then is made raised.
    Sifted {
        TURNED_BACK_BY: TurnedBackBy = TurnedBackBy::OwnClosed,
        FENCE: Fence = Fence::AfterClosing,
        DRAIN: Drain = Drain::AtStages
    }
    /// Repair: one fence, before raising.
    SiftedFencedBefore {
        TURNED_BACK_BY: TurnedBackBy = TurnedBackBy::OwnClosed,
        DRAIN: Drain = Drain::AtStages
    }
    /// Repair: fence and drain before raising, and a second look after closing.
    SiftedDrainedBefore {
        TURNED_BACK_BY: TurnedBackBy = TurnedBackBy::OwnClosed,
        DRAIN: Drain = Drain::Twice
    }
    /// Repair: close, fence, and then raise.
    SiftedClosedBefore {
        TURNED_BACK_BY: TurnedBackBy = TurnedBackBy::OwnClosed,
        FENCE: Fence = Fence::AfterClosingUnraised,
        DRAIN: Drain = Drain::AtStages
    }
    /// `AtStages` with one slot a thread.
    OneSlotAtStages { DRAIN: Drain = Drain::AtStages, SLOTS: Slots = Slots::OnePerThread, STAYS_ON: bool = true }
    /// The writer sleeps for slots of handlers too.
    Asleep { SLEEPS_FOR_HIGH: bool = true }
    /// Handlers write.
    HighWriter { WRITES: Class = Class::SoftIrq, READS: &'static [Class] = HANDLERS }
    /// `ThreadsOnly`, where a raised try write makes its fence where it stands.
    RaisedTryFences { BY_SLOT: &'static [Class] = THREADS, RAISED_TRY_GIVES_UP: bool = false }
}
