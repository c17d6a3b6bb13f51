//! The lock's invariants, held against every step of every model.
//!
//! Each step of the count is one atomic step of the execution, and the monitor makes no step of its
//! own. So the shadow is the count at every moment. The bits are spelled out again, from the
//! protocol's text and not from its code.

use crate::world::{Fences, NEVER, Seat, World};
use siftlock_core::sync::watch::{self, Watch};
use std::cell::RefCell;

/// A writer has the lock.
pub const WRITER: u64 = 1;
const HEAD_HEEDED: u64 = 1 << 1;
const HANDOFF: u64 = 1 << 2;
const HEAD_READER: u64 = 1 << 4;
const HEAD_BEATEN: u64 = 1 << 5;
/// A share may be upgraded.
pub const UPGRADER: u64 = 1 << 6;
const HEAD_DOZES: u64 = 1 << 7;
const GIVERS: u64 = 3 << 56;
/// One reader's share.
pub const SHARE: u64 = 1 << 8;

const fn readers(v: u64) -> u32 {
    (v >> 8 & 0xff_ffff) as u32
}

const fn head(v: u64) -> u32 {
    (v >> 32 & 0xff_ffff) as u32
}

std::thread_local! {
    /// The steps of this execution: the thread that made each, the value before and after.
    static STEPS: RefCell<Vec<(u32, u64, u64)>> = const { RefCell::new(Vec::new()) };
}

/// Watches the execution that this OS thread is about to run.
pub(crate) fn begin() {
    watch::set(Watch { stepped, list_released });
    watch::set_biased(biased);
    STEPS.with_borrow_mut(Vec::clear);
}

/// Stops watching for the rest of the execution: the shadow is of one lock, and several are at
/// work.
pub fn look_away() {
    watch::set(Watch { stepped: |_, _| (), list_released: |_| () });
    watch::set_biased(|_| ());
}

/// Prints the steps of the execution so far, to show why it failed.
pub(crate) fn tell_steps() {
    STEPS.with_borrow(|steps| {
        for (who, old, new) in steps {
            println!("thread {who}: {old:#014x} -> {new:#014x}");
        }
    });
}

fn stepped(old: u64, new: u64) {
    let world = World::now();
    let me = world.me();
    assert_eq!(world.count.get(), old, "the shadow follows the count");
    world.count.set(new);
    me.last_step.set((old, new));
    world.steps.set(world.steps.get() + 1);
    STEPS.with_borrow_mut(|steps| steps.push((me.id(), old, new)));
    check_value(world, new);
    if readers(new) > readers(old) {
        me.shared.set(true);
        let most = world.setup.batch.unwrap_or(u32::MAX);
        assert!(readers(new) - readers(old) <= most, "a batch of more than {most} readers");
    }
    if head(new) != head(old) {
        check_new_head(world, me, new);
    }
    if new & WRITER > old & WRITER {
        check_new_writer(world, me, old, new);
    }
    for seat in &world.seats {
        excuse(seat, old, new);
    }
    if new & HANDOFF != 0 {
        world.let_go();
    }
}

/// R1 to R4, as far as one value shows them.
fn check_value(world: &World, v: u64) {
    let has = |bits| v & bits != 0;
    let of_head = HEAD_HEEDED | HEAD_READER | HEAD_BEATEN | GIVERS;
    assert!(head(v) != 0 || !has(of_head), "R1: something is said of nobody: {v:#x}");
    assert!(v & GIVERS != GIVERS && v >> 58 == 0, "more givers than two: {v:#x}");
    assert!(has(HEAD_BEATEN) || !has(HEAD_DOZES), "R1: HEAD_DOZES without HEAD_BEATEN: {v:#x}");
    assert!(has(HEAD_HEEDED) || !has(HANDOFF), "R2: HANDOFF for nobody who is heeded: {v:#x}");
    assert!(!has(HANDOFF) || !has(HEAD_DOZES), "R2: HANDOFF for one that dozes: {v:#x}");
    let inside = world.readers.get();
    assert!(readers(v) >= inside, "R3: {inside} readers inside at {v:#x}");
    assert!(!has(WRITER) || inside == 0, "R4: {inside} readers beside WRITER at {v:#x}");
}

/// A step that puts another thread into HEAD, while readers keep that waiter out, says that it is
/// beaten: the waiter may sleep on, and readers go on.
fn check_new_head(world: &World, me: &Seat, new: u64) {
    if head(new) == me.id() {
        me.queued.set(true);
        return;
    }
    let Some(seat) = world.seats.iter().find(|seat| seat.id() == head(new)) else { return };
    let reads = new & HEAD_READER != 0 || seat.upgradable.get();
    let kept_out = readers(new) != 0 && new & WRITER == 0 && !reads;
    assert!(
        !kept_out || new & (HEAD_BEATEN | HANDOFF) != 0,
        "an heir that readers keep out is not beaten: {new:#x}"
    );
}

/// R4 and R9 for the step that takes WRITER.
fn check_new_writer(world: &World, me: &Seat, old: u64, new: u64) {
    let upgrades = old & UPGRADER > new & UPGRADER;
    assert!(new & UPGRADER == 0, "a writer comes in past one that upgrades: {old:#x}");
    assert!(readers(old) <= u32::from(upgrades), "R4: a writer comes in beside readers: {old:#x}");
    assert_eq!(world.writers.get(), 0, "R4: a second writer comes in: {old:#x}");
    let reserved = old & HANDOFF != 0 && head(old) != me.id();
    assert!(!reserved || upgrades, "R9: a writer takes a lock that is reserved: {old:#x}");
    if !upgrades {
        count_pass(world, me, old);
    }
}

/// The calling thread takes the lock by a step from the value `old`. That counts as a pass if the
/// first waiter is another, and was beaten. Where nobody may pass, passing any first waiter counts.
fn count_pass(world: &World, me: &Seat, old: u64) {
    let most = world.setup.passes.unwrap_or(u32::MAX);
    let counts = old & HEAD_BEATEN != 0 || head(old) != 0 && most == 0;
    if counts && head(old) != me.id() {
        me.passes.set(me.passes.get() + 1);
        assert!(me.passes.get() <= most, "thread {} passes others by, again and again", me.id());
    }
}

/// The calling thread stays where it is until the lock is reserved, or no section is still to come.
pub(crate) fn await_reservation(world: &World) {
    world.stay_while(|| world.count.get() & HANDOFF == 0 && world.to_come.get() > 0);
}

/// Whether a thread waits.
pub(crate) fn is_awaited(world: &World) -> bool {
    head(world.count.get()) != 0
}

/// A waiter may have the lock if it was unreserved, or reserved for that waiter, once during its
/// call. When HEAD changes no waiter has had its turn as the first, and passes are counted from 0.
fn excuse(seat: &Seat, old: u64, new: u64) {
    if head(old) != head(new) {
        seat.woke_first.set(false);
        seat.passes.set(0);
    }
    if new & HANDOFF == 0 || head(new) == seat.id() || head(old) == seat.id() {
        seat.shut_out.set(false);
    }
}

/// R1, as far as only the list shows it.
fn list_released(first: Option<(u32, bool)>) {
    let v = World::now().count.get();
    let (id, reads) = first.unwrap_or((0, false));
    assert_eq!(head(v), id, "R1: HEAD is not the first of the list: {v:#x}");
    assert_eq!(v & HEAD_READER != 0, reads, "R1: HEAD_READER is not its kind: {v:#x}");
}

/// R8: while a reader is inside by a slot the word shows a bias.
fn biased(is_on: bool) {
    let world = World::now();
    assert!(world.setup.fences != Fences::NoSlots || !is_on, "a bias without slots");
    let inside = world.seats.iter().find(|seat| seat.by_slot.get() != 0);
    if let Some(seat) = inside {
        assert!(is_on, "R8: the bias goes, with thread {} inside by a slot", seat.id());
    }
}

/// A thread begins to wait for the lock.
pub(crate) fn wants(world: &World, me: &Seat, upgradable: bool) {
    let v = world.count.get();
    me.upgradable.set(upgradable);
    me.shut_out.set(v & HANDOFF != 0 && head(v) != me.id());
    me.woke_first.set(false);
}

/// The thread has the lock, by a slot or by a step on the count.
pub(crate) fn has(world: &World, me: &Seat, by_slot: bool) {
    assert!(!me.shut_out.get(), "R9: somebody else gets in while the lock is reserved");
    let (old, new) = me.last_step.get();
    if new == old + SHARE && !by_slot {
        count_pass(world, me, old);
    }
}

/// A reader with a time limit is refused. Had it shown a share meanwhile, many such readers that
/// come back at once would keep a first waiter out for ever.
pub(crate) fn refused(me: &Seat) {
    assert!(!me.shared.get(), "a reader that is refused in time has added a share");
}

/// A call that must not wait is refused. Had it queued, it would have been first for nothing.
pub(crate) fn refused_at_once(me: &Seat) {
    assert!(!me.queued.get(), "a call that must not wait has queued");
}

/// The calling thread, which was noted, has read once more by a share. If the lock was reserved for
/// another, the thread came in beside the share that its note stands for.
///
/// # Panics
/// If it passed the waiter, and nobody had a share.
pub fn has_again() {
    let me = World::now().me();
    let (old, new) = me.last_step.get();
    let passed = new == old + SHARE && old & HANDOFF != 0 && head(old) != me.id();
    assert!(
        !passed || readers(old) > 0,
        "R9: a note without a share lets its thread pass: {old:#x}"
    );
}

/// Whether the lock is reserved for this waiter.
pub(crate) fn is_reserved(world: &World, me: &Seat) -> bool {
    let v = world.count.get();
    v & HANDOFF != 0 && head(v) == me.id()
}

/// A thread is about to spin on the lock's owner. Where memory is weak, an old value may mislead
/// it. So only shuttle checks this.
pub(crate) fn spins(me: &Seat) {
    let wrongly = cfg!(siftlock_model = "shuttle") && me.shut_out.get();
    assert!(!wrongly, "R9: somebody spins on a lock that is reserved");
}

/// A waiter that has had its turn as the first, in vain, goes to sleep. It has to sleep really, and
/// without a limit only if the lock is reserved for it. An upgradable read behind another, which
/// nobody can pass, may sleep without a limit.
pub(crate) fn falls_asleep(world: &World, me: &Seat, until: u64) {
    let v = world.count.get();
    if !me.woke_first.get() || head(v) != me.id() || v & HANDOFF != 0 {
        return;
    }
    assert!(v & HEAD_BEATEN != 0, "a head that has looked in vain does not say so: {v:#x}");
    if me.upgradable.get() {
        let shut_out = v & UPGRADER != 0 && v & WRITER == 0;
        assert!(!shut_out || until > me.clock.get(), "a head that has to wait does not: {v:#x}");
        return;
    }
    assert!(until > me.clock.get(), "an overdue head sleeps without reserving the lock: {v:#x}");
    let due = me.first_since.get().zip(world.setup.patience);
    let overdue =
        due.is_some_and(|(since, patience)| me.clock.get() >= since.saturating_add(patience));
    assert!(
        !overdue || v & WRITER != 0 || readers(v) > 0,
        "an overdue head lets readers go on: {v:#x}"
    );
    let patient = world.setup.patience == Some(NEVER) && !me.overdue.get();
    assert!(until != NEVER || patient, "a head would sleep past its time: {v:#x}");
}

/// A sleep is over.
pub(crate) fn wakes(world: &World, me: &Seat) {
    let first = head(world.count.get()) == me.id();
    me.woke_first.set(first);
    me.first_since.set(first.then(|| me.first_since.get().unwrap_or(me.clock.get())));
}

/// A fair unlock by the calling thread is over: it has reserved the lock if a thread waited, and
/// not if an upgradable reader stays, which may be all that keeps that waiter out.
pub(crate) fn check_reserved(me: &Seat) {
    let (old, new) = me.last_step.get();
    let (reserved, helps) = (new & HANDOFF != 0, head(new) != 0 && new & UPGRADER == 0);
    let kept = reserved == helps || reserved && old & HANDOFF != 0;
    assert!(kept, "a fair unlock reserves the lock for the first waiter: {old:#x} -> {new:#x}");
}
