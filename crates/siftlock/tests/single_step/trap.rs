//! Visits a thread behind a chosen instruction of what it does.
//!
//! A path is walked once under the processor's trap flag, which makes a signal of every instruction:
//! that gives the list of them. From then on a breakpoint is put at one of them, and all the others
//! run at full speed: else a path of n instructions took n² signals.
//!
//! The breakpoint may be in functions that the trap's own handler calls, or the program between the
//! walks. So it is there only during the walk, and the handler takes it away before it calls anything.

mod breakpoint;

use self::breakpoint::{BREAKPOINT, LONGEST, Phase, STATE, clear_flag, install, poke, set_flag};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, Once};
use std::{env, io};

/// An instruction, and the how-manieth time it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    address: usize,
    pass: usize,
}

/// What happens at the point.
#[derive(Clone, Copy)]
pub(crate) enum Visit<'a> {
    /// In front of its instruction. The mask is that of the interrupted code; here all are blocked.
    Chosen(&'a libc::sigset_t),
    /// Behind it.
    Next,
}

pub(crate) type Visitor = fn(Visit<'_>);

/// An instruction that comes more often than this is visited in its first pass only, unless
/// `SIFTLOCK_SINGLE_STEP` asks for all. It is in some small function, or in a loop over a set; right
/// behind the function, in whoever calls it, is a point of its own.
const FEW: usize = 3;

/// The points of `path`.
pub(crate) fn points(path: &dyn Fn()) -> Vec<Point> {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(install);
    let mut list = vec![0_usize; LONGEST];
    let state = &raw mut STATE;
    // SAFETY: only this thread uses it; nothing traps at the moment.
    unsafe {
        ((*state).list, (*state).listed) = (list.as_mut_ptr(), 0);
        (*state).phase = Phase::Listing;
        set_flag();
        follow(path);
        clear_flag();
        (*state).phase = Phase::Idle;
        list.truncate((*state).listed);
    }
    let mut total = HashMap::new();
    list.iter().for_each(|address| *total.entry(*address).or_insert(0) += 1);
    let mut passed = HashMap::new();
    let passes = list.into_iter().map(|address| {
        let pass = passed.entry(address).and_modify(|pass| *pass += 1).or_insert(0);
        Point { address, pass: *pass }
    });
    let all = env::var_os("SIFTLOCK_SINGLE_STEP").is_some();
    let counts = |point: &Point| all || point.pass == 0 || total[&point.address] <= FEW;
    passes.filter(counts).collect()
}

/// Walks `path`, and visits it at `point`. Whether it comes there.
pub(crate) fn walk(point: Point, visitor: Visitor, path: &dyn Fn()) -> bool {
    let address = point.address as *mut u8;
    open(address);
    let state = &raw mut STATE;
    // SAFETY: as above; `open` has made the byte writable.
    unsafe {
        ((*state).address, (*state).byte) = (address, *address);
        ((*state).passes, (*state).visitor) = (point.pass, Some(visitor));
        ((*state).phase, (*state).is_set) = (Phase::Waiting, true);
        poke(address, BREAKPOINT);
        follow(path);
        poke(address, (*state).byte);
        (*state).is_set = false;
        let waits = (*state).phase == Phase::Waiting;
        (*state).phase = Phase::Idle;
        !waits
    }
}

/// The same instructions for both. Only in here those of the path count.
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
fn open(address: *mut u8) {
    const PAGE: usize = 4096;
    static OPEN: Mutex<Option<HashSet<usize>>> = Mutex::new(None);
    let page = address.addr() & !(PAGE - 1);
    if OPEN.lock().expect("one thread").get_or_insert_default().insert(page) {
        let mode = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // SAFETY: code of this process, which stays what it is.
        let done = unsafe { libc::mprotect(page as *mut _, PAGE, mode) };
        assert_eq!(done, 0, "{}", io::Error::last_os_error());
    }
}

/// From here on it is the test that acts, until [`go_on`]. Nothing is called in here.
#[inline(always)]
pub(crate) fn step_aside() {
    let state = &raw mut STATE;
    // SAFETY: as above. Trapping in between does not change it.
    unsafe {
        (*state).aside += 1;
        if (*state).phase as u8 == Phase::Listing as u8 {
            clear_flag();
        }
    }
}

/// From here on it is the path, in a handler too.
#[inline(always)]
pub(crate) fn go_on() {
    let state = &raw mut STATE;
    // SAFETY: as above.
    unsafe {
        if (*state).phase as u8 == Phase::Listing as u8 {
            set_flag();
        }
        (*state).aside -= 1;
    }
}

/// A handler begins: its instructions belong to the path.
#[inline(always)]
pub(crate) fn enter_handler() {
    let state = &raw mut STATE;
    // SAFETY: as above.
    unsafe {
        (*state).aside += 1;
        if (*state).phase as u8 == Phase::Listing as u8 {
            set_flag();
        }
        (*state).aside -= 1;
    }
}

/// It ends. The system goes on as it was interrupted.
#[inline(always)]
pub(crate) fn leave_handler() {
    step_aside();
    let state = &raw mut STATE;
    // SAFETY: as above.
    unsafe { (*state).aside -= 1 };
}

/// The chosen instruction.
pub(crate) fn place() -> usize {
    let state = &raw const STATE;
    // SAFETY: as above.
    unsafe { (*state).address.addr() }
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
