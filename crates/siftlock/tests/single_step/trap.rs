//! Visits a thread just after a chosen instruction of a path.
//!
//! A path is walked once under the processor's trap flag, which makes a signal of every
//! instruction: that gives the list of them. From then on a breakpoint is put at one instruction,
//! and all the others run at full speed. Otherwise a path of n instructions would take n² signals.
//! When the thread comes to the breakpoint, the breakpoint moves to the instruction behind, which
//! the list tells too. The trap flag is avoided there, since in a virtual machine it takes twenty
//! times as long (3 µs and 60 µs, Intel Xeon, Sapphire Rapids family).
//!
//! The breakpoint may be in functions that the trap's own handler calls, or the program between the
//! walks. So it is there only while the path goes on, and the handler takes it away before it calls
//! anything.

mod breakpoint;

use self::breakpoint::{LONGEST, Listed, Phase, STATE, clear_flag, install, lift, put, set_flag};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, Once};
use std::{env, io};

/// An instruction, and which of its passes is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    address: usize,
    pass: usize,
    /// The address behind it in each pass; 0 where only the processor knows.
    behind: &'static [usize],
}

/// The moment of a visit.
#[derive(Clone, Copy)]
pub(crate) enum Visit<'a> {
    /// In front of its instruction. The mask is that of the interrupted code; here all are blocked.
    Chosen(&'a libc::sigset_t),
    /// Behind it.
    Next,
}

pub(crate) type Visitor = fn(Visit<'_>);

/// An instruction that comes more often than this is visited in its first pass only, unless
/// `SIFTLOCK_SINGLE_STEP` asks for all. Such an instruction is in some small function, or in a loop
/// over a set. The place right behind the function, in its caller, is a point of its own.
const FEW: usize = 3;

/// The points of `path`.
pub(crate) fn points(path: &dyn Fn()) -> Vec<Point> {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(install);
    let mut list = Vec::<Listed>::with_capacity(LONGEST);
    let state = &raw mut STATE;
    // SAFETY: only this thread uses it; nothing traps at the moment. What is listed has been
    // written.
    unsafe {
        ((*state).list, (*state).listed) = (list.as_mut_ptr(), 0);
        (*state).phase = Phase::Listing;
        set_flag();
        follow(path);
        clear_flag();
        (*state).phase = Phase::Idle;
        list.set_len((*state).listed);
    }
    let mut behind: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut passes = Vec::new();
    for pair in list.windows(2).filter(|pair| pair[0].counts) {
        let [this, next] = [pair[0], pair[1]];
        // Not where a handler begins or ends, or the same instruction goes on.
        let known = next.depth == this.depth && next.address != this.address;
        let behind = behind.entry(this.address).or_default();
        passes.push((this.address, behind.len()));
        behind.push(if known { next.address } else { 0 });
    }
    // As long as the process, which ends with its test.
    let behind: HashMap<_, &'static [usize]> =
        behind.into_iter().map(|(address, behind)| (address, &*behind.leak())).collect();
    let all = env::var_os("SIFTLOCK_SINGLE_STEP").is_some();
    let points = passes.into_iter().map(|(address, pass)| {
        let behind = behind[&address];
        Point { address, pass, behind }
    });
    points.filter(|point| all || point.pass == 0 || point.behind.len() <= FEW).collect()
}

/// Walks `path`, and visits it at `point`. Returns whether the path comes there.
pub(crate) fn walk(point: Point, visitor: Visitor, path: &dyn Fn()) -> bool {
    open(point.address);
    point.behind[..=point.pass].iter().filter(|address| **address != 0).copied().for_each(open);
    let state = &raw mut STATE;
    // SAFETY: as above; `open` has made the bytes writable.
    unsafe {
        ((*state).chosen, (*state).behind) = (point.address as *mut u8, point.behind.as_ptr());
        ((*state).passes, (*state).visitor) = (point.pass, Some(visitor));
        ((*state).phase, (*state).reached) = (Phase::Waiting, false);
        ((*state).hidden, (*state).hidden_in) = (false, 0);
        put((*state).chosen);
        follow(path);
        lift();
        (*state).phase = Phase::Idle;
        (*state).reached
    }
}

/// Both walks have the same instructions. Only the instructions in here count as the path's.
#[inline(never)]
fn follow(path: &dyn Fn()) {
    let state = &raw mut STATE;
    // SAFETY: as in `step_aside`.
    unsafe {
        (*state).aside -= 1;
        path();
        (*state).aside += 1;
    }
}

/// Makes the page of `address` writable.
fn open(address: usize) {
    const PAGE: usize = 4096;
    static OPEN: Mutex<Option<HashSet<usize>>> = Mutex::new(None);
    let page = address & !(PAGE - 1);
    if OPEN.lock().expect("one thread").get_or_insert_default().insert(page) {
        let mode = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // SAFETY: code of this process, which stays what it is.
        let done = unsafe { libc::mprotect(page as *mut _, PAGE, mode) };
        assert_eq!(done, 0, "{}", io::Error::last_os_error());
    }
}

/// From here on the test acts, until [`go_on`]. Nothing is called in here.
#[inline(always)]
pub(crate) fn step_aside() {
    let state = &raw mut STATE;
    // SAFETY: as above. Trapping in between does not change it.
    unsafe {
        (*state).aside += 1;
        if (*state).aside == 1 {
            (*state).hidden = lift();
        }
        if (*state).phase as u8 == Phase::Listing as u8 {
            clear_flag();
        }
    }
}

/// From here on the path acts, in a handler too.
#[inline(always)]
pub(crate) fn go_on() {
    let state = &raw mut STATE;
    // SAFETY: as above.
    unsafe {
        if (*state).phase as u8 == Phase::Listing as u8 {
            set_flag();
        }
    }
    back();
}

/// The test's part ends.
#[inline(always)]
fn back() {
    let state = &raw mut STATE;
    // SAFETY: as above; the breakpoint has been there before.
    unsafe {
        (*state).aside -= 1;
        if (*state).aside == 0 && (*state).hidden {
            (*state).hidden = false;
            put((*state).address);
        }
    }
}

/// A handler begins: its instructions belong to the path. Behind the chosen instruction, though,
/// the handler is the visitor's, and may come to the breakpoint before the thread itself does.
#[inline(always)]
pub(crate) fn enter_handler() {
    let state = &raw mut STATE;
    // SAFETY: as above.
    unsafe {
        (*state).depth += 1;
        if (*state).phase as u8 == Phase::Visited as u8 && lift() {
            (*state).hidden_in = (*state).depth;
        }
        (*state).aside += 1;
        if (*state).phase as u8 == Phase::Listing as u8 {
            set_flag();
        }
        (*state).aside -= 1;
    }
}

/// The handler ends. The system goes on where the thread was interrupted.
#[inline(always)]
pub(crate) fn leave_handler() {
    step_aside();
    let state = &raw mut STATE;
    // SAFETY: as above; the breakpoint has been there before.
    unsafe {
        if (*state).hidden_in == (*state).depth {
            (*state).hidden_in = 0;
            put((*state).address);
        }
        (*state).depth -= 1;
    }
    back();
}

/// The chosen instruction.
pub(crate) fn place() -> usize {
    let state = &raw const STATE;
    // SAFETY: as above.
    unsafe { (*state).chosen.addr() }
}

/// Whether traps do what they should here. Some emulators do without.
pub(crate) fn works() -> bool {
    use std::sync::atomic::{AtomicU32, Ordering};
    static VISITED: AtomicU32 = AtomicU32::new(0);
    let visitor = |visit: Visit<'_>| {
        VISITED.fetch_add(if matches!(visit, Visit::Next) { 100 } else { 1 }, Ordering::SeqCst);
    };
    let path = || assert_eq!(std::hint::black_box([1, 2, 3]).iter().sum::<i32>(), 6);
    let points = points(&path);
    points.get(3).is_some_and(|point| walk(*point, visitor, &path))
        && VISITED.load(Ordering::SeqCst) == 101
}
