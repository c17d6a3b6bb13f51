//! A signal's information, as it is noted; and kicks.

use siftlock_core::defer::{Arrival, Refused, Signal, Signals};
use std::ptr;

/// A signal's information, and where it found the thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    words: Words,
    /// 0: not known.
    came_at: usize,
}

/// The part of a `siginfo_t` that the system fills: 48 of its 128 bytes on 64-bit machines, less on
/// others.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
struct Words([u64; 6]);

/// A `siginfo_t` of a timer.
#[derive(Clone, Copy)]
#[repr(C)]
struct Timed {
    signo: libc::c_int,
    errno: libc::c_int,
    code: libc::c_int,
    timer: Timer,
}

/// A struct of its own, so that it is aligned like its value, as in C.
#[derive(Clone, Copy)]
#[repr(C)]
struct Timer {
    id: libc::c_int,
    overrun: libc::c_int,
    value: *const (),
}

impl Info {
    /// # Safety
    /// `info` is what the system gave to a wrapper.
    unsafe fn of(info: *const libc::siginfo_t, came_at: usize) -> Self {
        // SAFETY: by the caller's promise there are 128 bytes, all written by the system.
        Self { words: unsafe { ptr::read_unaligned(info.cast()) }, came_at }
    }

    /// Where the thread was when it came; 0: not known.
    pub(super) fn came_at(&self) -> usize {
        self.came_at
    }

    /// How often the timer that sent it ran out beyond the first time, if a timer sent it.
    fn timed(&mut self) -> Option<&mut Timer> {
        // SAFETY: plain numbers, inside the words, and aligned like these.
        let timed = unsafe { &mut *(&raw mut self.words).cast::<Timed>() };
        (timed.code == libc::SI_TIMER).then_some(&mut timed.timer)
    }

    /// Counts another signal of the same timer, which has come while this one is noted, as the
    /// system does.
    pub(super) fn add_overrun_of(&mut self, later: &Self) {
        let mut later = *later;
        if let (Some(noted), Some(later)) = (self.timed(), later.timed())
            && noted.id == later.id
        {
            noted.overrun = noted.overrun.saturating_add(later.overrun).saturating_add(1);
        }
    }

    /// The whole `siginfo_t`. The rest is zero, as the system leaves it.
    pub(super) fn siginfo(&self) -> libc::siginfo_t {
        // SAFETY: a `siginfo_t` is plain numbers and larger than this. It is copied by bytes, since
        // on 32-bit machines it is aligned less.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let (from, to) = ((&raw const self.words).cast::<u8>(), (&raw mut info).cast::<u8>());
            ptr::copy_nonoverlapping(from, to, size_of::<Words>());
            info
        }
    }

    /// Whether it surely came to this thread alone, not to the process.
    pub(super) fn is_for_one_thread(&self) -> bool {
        self.siginfo().si_code == libc::SI_TKILL
    }

    /// Whether it surely came to the process: by `kill`, from a terminal or an interval timer, or
    /// from a child. Of `sigqueue` and `timer_create` it is not known.
    fn is_for_the_process(&self) -> bool {
        let libc::siginfo_t { si_signo, si_code, .. } = self.siginfo();
        match si_code {
            // The system sends these two to the thread whose call failed.
            libc::SI_USER => !matches!(si_signo, libc::SIGPIPE | libc::SIGXFSZ),
            // The system may send these two, of a file, to the thread that `F_SETOWN_EX` names.
            libc::SI_KERNEL => !matches!(si_signo, libc::SIGIO | libc::SIGURG),
            code => code > 0 && si_signo == libc::SIGCHLD,
        }
    }
}

const _: () = assert!(size_of::<Words>() <= size_of::<libc::siginfo_t>());
const _: () = assert!(size_of::<Timed>() <= size_of::<Words>());

/// The number of times that a timer has run out for this signal: 1, and its overruns. If no timer
/// sent it, 1.
pub(crate) fn expirations(info: &libc::siginfo_t) -> u32 {
    // SAFETY: a `siginfo_t`, all of whose bytes the system has written.
    let mut info = unsafe { Info::of(info, 0) };
    1 + info.timed().map_or(0, |timer| timer.overrun.max(0).unsigned_abs())
}

/// Marks a kick. It is positive, like the codes of the system's own signals: the system always
/// finds room for these, if they are standard signals. No signal of the system has this code. It
/// has 16 bits, since an emulator passes no more.
const KICK: libc::c_int = 0x5349;

/// A `siginfo_t` with a value, as `sigqueue` makes it.
#[derive(Clone, Copy)]
#[repr(C)]
struct Valued {
    signo: libc::c_int,
    errno: libc::c_int,
    code: libc::c_int,
    sender: Sender,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Sender {
    pid: libc::pid_t,
    uid: libc::uid_t,
    value: *const (),
}

/// The low half of an address. A 64-bit system leaves the value out if a 32-bit program sends a
/// code that the system does not know.
fn short(mine: *const ()) -> u32 {
    mine.addr() as u32
}

/// Sends `signal` to the calling thread, marked; `mine` is an address of the thread's own.
pub(super) fn kick(signal: Signal, mine: *const ()) -> Result<(), Refused> {
    // SAFETY: touches no memory.
    let pid = unsafe { libc::getpid() };
    let sender = Sender { pid, uid: short(mine), value: mine };
    let valued = Valued { signo: signal.number(), errno: 0, code: KICK, sender };
    // SAFETY: a `siginfo_t` is plain numbers; the other type is the beginning of one.
    let info = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        ptr::write((&raw mut info).cast(), valued);
        info
    };
    to_this_thread(signal, &info)
}

/// Sends `signal` once more, with what it brought along: to the process, if it surely came there
/// and the system lets this thread say so; else to the calling thread.
///
/// A real-time signal of `kill` is refused: without room for it, the system reports nothing, and
/// makes one signal of several.
pub(super) fn send(signal: Signal, info: &Info) -> Result<(), Refused> {
    if signal.is_real_time() && info.siginfo().si_code == libc::SI_USER {
        return Err(Refused);
    }
    // All real-time signals go one way, or their order is lost.
    if !signal.is_real_time() && info.is_for_the_process() && to_process(signal, info) {
        return Ok(());
    }
    to_this_thread(signal, &info.siginfo())
}

fn to_this_thread(signal: Signal, info: &libc::siginfo_t) -> Result<(), Refused> {
    // If this fails, the handler is called as a function.
    // SAFETY: `info` is valid. A thread may send any signal to itself.
    let sent = super::errno::kept(|| unsafe {
        libc::syscall(
            libc::SYS_rt_tgsigqueueinfo,
            libc::getpid(),
            libc::syscall(libc::SYS_gettid),
            signal.number(),
            ptr::from_ref(info),
        )
    });
    if sent == 0 { Ok(()) } else { Err(Refused) }
}

/// Sends `signal` to the process once more: the thread that had it ends.
pub(super) fn send_to_process(signal: Signal, info: &Info) {
    if !to_process(signal, info) {
        // SAFETY: touches no memory.
        unsafe { libc::kill(libc::getpid(), signal.number()) };
    }
}

/// False if the system refuses. Only the process's first thread may send once more what `kill` or
/// the system itself has sent.
fn to_process(signal: Signal, info: &Info) -> bool {
    let info = info.siginfo();
    // SAFETY: `info` is valid.
    let sent = super::errno::kept(|| unsafe {
        let (call, pid) = (libc::SYS_rt_sigqueueinfo, libc::getpid());
        libc::syscall(call, pid, signal.number(), &raw const info)
    });
    sent == 0
}

/// Takes `signal`, which is blocked, out of the system's queue; `None` if it is not there. `mine`
/// as for [`kick`].
pub(super) fn take_pending(signal: Signal, mine: *const ()) -> Option<Arrival<Info>> {
    /// Bytes of a set, as the system counts them.
    const SET: usize = Signal::MAX as usize / 8;
    let set = super::set::of(Signals::of(signal));
    // Zero, whichever `timespec` the call takes.
    let at_once = [0_u64; 2];
    // SAFETY: plain numbers.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    // Not the C library's `sigtimedwait`, which is a cancellation point.
    // SAFETY: a set, which begins as the system's does, a place for what came along, and a time.
    let taken = super::errno::kept(|| unsafe {
        libc::syscall(libc::SYS_rt_sigtimedwait, &raw const set, &raw mut info, &at_once, SET)
    });
    // SAFETY: filled by the system as for a wrapper.
    (taken > 0).then(|| unsafe { arrival(signal, &raw const info, 0, mine) })
}

/// The arrival that a wrapper was called for, on a thread that was at `came_at`; `mine` as for
/// [`kick`].
///
/// # Safety
/// `info` is what the system gave to a wrapper.
pub(super) unsafe fn arrival(
    signal: Signal,
    info: *const libc::siginfo_t,
    came_at: usize,
    mine: *const (),
) -> Arrival<Info> {
    // SAFETY: by the caller's promise; every `siginfo_t` has bytes in the value's place, perhaps of
    // another field.
    let valued = unsafe { ptr::read_unaligned(info.cast::<Valued>()) };
    let whole = cfg!(target_pointer_width = "32") || valued.sender.value == mine;
    if valued.code == KICK && valued.sender.uid == short(mine) && whole {
        return Arrival::Kick;
    }
    // SAFETY: by the caller's promise.
    let info = unsafe { Info::of(info, came_at) };
    let faults = valued.code > 0 && super::set::FAULTS.has(signal);
    // SAFETY: touches no memory.
    let own = || valued.sender.pid == unsafe { libc::getpid() };
    let aborts = signal.number() == libc::SIGABRT && valued.code == libc::SI_TKILL && own();
    if faults || aborts { Arrival::Fault(info) } else { Arrival::Sent(info) }
}
