//! Visits a thread behind a chosen instruction of what it does.
//!
//! A path is walked once under the processor's trap flag, which makes a signal of every instruction:
//! that gives the list of them. From then on a breakpoint is put at one of them, and all the others
//! run at full speed: else a path of n instructions took n² signals.
//!
//! The breakpoint may be in functions that the trap's own handler calls, or the program between the
//! walks. So it is there only during the walk, and the handler takes it away before it calls anything.

use std::arch::asm;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, Once};
use std::{env, io, mem, ptr};

const TRAP_FLAG: i64 = 1 << 8;
const BREAKPOINT: u8 = 0xcc;

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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    /// Each instruction traps, and is listed.
    Listing,
    /// The breakpoint is there.
    Waiting,
    /// Behind a pass that is not the chosen one: the breakpoint is to be put back.
    Passing,
    /// Behind the chosen one.
    Visited,
}

/// All of one thread, the one that walks, and its handlers.
struct State {
    phase: Phase,
    /// The breakpoint's place, and the byte that belongs there.
    address: *mut u8,
    byte: u8,
    /// It is there.
    is_set: bool,
    /// Passes still to come before the chosen one.
    passes: usize,
    /// What is done now belongs to the test, not to the path.
    aside: u32,
    list: *mut usize,
    listed: usize,
    visitor: Option<Visitor>,
}

/// The longest path: a million instructions.
const LONGEST: usize = 1 << 20;

static mut STATE: State = State {
    phase: Phase::Idle,
    address: ptr::null_mut(),
    byte: 0,
    is_set: false,
    passes: 0,
    aside: 1,
    list: ptr::null_mut(),
    listed: 0,
    visitor: None,
};

/// Writes into code, or anything; ordered behind and before all else.
#[inline(always)]
unsafe fn poke(address: *mut u8, byte: u8) {
    // SAFETY: by the caller: writable.
    unsafe { asm!("mov byte ptr [{}], {}", in(reg) address, in(reg_byte) byte) };
}

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

#[inline(always)]
fn set_flag() {
    // SAFETY: the flag makes signals that `on_trap` handles.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
}

#[inline(always)]
fn clear_flag() {
    // SAFETY: without the flag all is as usual.
    unsafe { asm!("pushfq", "and qword ptr [rsp], ~0x100", "popfq") };
}

fn install() {
    // SAFETY: a valid action, with all signals in its mask; the handler fits SA_SIGINFO.
    let done = unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        action.sa_sigaction = on_trap as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigfillset(&mut action.sa_mask);
        libc::sigaction(libc::SIGTRAP, &action, ptr::null_mut())
    };
    assert_eq!(done, 0, "{}", io::Error::last_os_error());
}

/// Plain accesses alone, where a breakpoint may be near; so no function, however small.
extern "C" fn on_trap(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::ucontext_t) {
    const FLAGS: usize = libc::REG_EFL as usize;
    const NEXT: usize = libc::REG_RIP as usize;
    let state = &raw mut STATE;
    // SAFETY: the state is this thread's; the context the system's own, for as long as this runs.
    unsafe {
        if (*state).is_set {
            poke((*state).address, (*state).byte);
            (*state).is_set = false;
        }
        let registers = &raw mut (*context).uc_mcontext.gregs;
        match (*state).phase {
            Phase::Listing => {
                if (*state).aside == 0 && (*state).listed < LONGEST {
                    *(*state).list.wrapping_add((*state).listed) = (*registers)[NEXT] as usize;
                    (*state).listed += 1;
                }
            }
            Phase::Waiting => {
                // Back to the beginning of the instruction that was there.
                (*registers)[NEXT] -= 1;
                (*registers)[FLAGS] |= TRAP_FLAG;
                if (*state).aside == 0 && (*state).passes == 0 {
                    (*state).phase = Phase::Visited;
                    if let Some(visitor) = (*state).visitor {
                        visitor(Visit::Chosen(&(*context).uc_sigmask));
                    }
                } else {
                    (*state).phase = Phase::Passing;
                    if (*state).aside == 0 {
                        (*state).passes -= 1;
                    }
                }
            }
            Phase::Passing => {
                (*registers)[FLAGS] &= !TRAP_FLAG;
                (*state).phase = Phase::Waiting;
                (*state).is_set = true;
                poke((*state).address, BREAKPOINT);
            }
            Phase::Visited => {
                (*registers)[FLAGS] &= !TRAP_FLAG;
                if let Some(visitor) = (*state).visitor {
                    visitor(Visit::Next);
                }
            }
            Phase::Idle => (*registers)[FLAGS] &= !TRAP_FLAG,
        }
    }
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
