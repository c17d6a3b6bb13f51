//! What a signal brings along, as it is noted; and kicks.

use siftlock_core::defer::{Arrival, QueueFull, Signal, Signals};
use std::ptr;

/// As much of a `siginfo_t` as the system fills: 48 of its 128 bytes on 64-bit machines, less on
/// others.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub(super) struct Info([u64; 6]);

impl Info {
    /// # Safety
    /// `info` is what the system gave to a wrapper.
    unsafe fn of(info: *const libc::siginfo_t) -> Self {
        // SAFETY: by the caller's promise there are 128 bytes, all written by the system.
        Self(unsafe { ptr::read_unaligned(info.cast()) })
    }

    /// In full; the rest is zero, as the system leaves it.
    pub(super) fn siginfo(&self) -> libc::siginfo_t {
        // SAFETY: a `siginfo_t` is plain numbers and larger than this. Bytes: on 32-bit machines it is
        // aligned less.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let (from, to) = (ptr::from_ref(self).cast::<u8>(), (&raw mut info).cast::<u8>());
            ptr::copy_nonoverlapping(from, to, size_of::<Self>());
            info
        }
    }

    /// Whether it came to this thread alone, not to the process.
    pub(super) fn is_for_one_thread(&self) -> bool {
        self.siginfo().si_code == libc::SI_TKILL
    }
}

const _: () = assert!(size_of::<Info>() <= size_of::<libc::siginfo_t>());

/// Marks a kick. Positive, as of the system's own signals: for those it always finds room, if they
/// are standard ones. No signal of the system has this code.
const KICK: libc::c_int = 0x5349_4654;

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

/// An address as the system passes it to 32-bit programs: for a code that it does not know, it leaves
/// the value out if it runs 64 bits itself.
fn short(mine: *const ()) -> u32 {
    mine.addr() as u32
}

/// Sends `signal` to the calling thread, marked; `mine` is an address of the thread's own.
pub(super) fn kick(signal: Signal, mine: *const ()) -> Result<(), QueueFull> {
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

/// Sends `signal` to the calling thread with what it brought along.
pub(super) fn send(signal: Signal, info: &Info) -> Result<(), QueueFull> {
    to_this_thread(signal, &info.siginfo())
}

fn to_this_thread(signal: Signal, info: &libc::siginfo_t) -> Result<(), QueueFull> {
    // Where this fails, for whatever reason, the handler is called as a function.
    // SAFETY: `info` is valid. A thread may send itself whatever it likes.
    let sent = super::errno::kept(|| unsafe {
        libc::syscall(
            libc::SYS_rt_tgsigqueueinfo,
            libc::getpid(),
            libc::syscall(libc::SYS_gettid),
            signal.number(),
            ptr::from_ref(info),
        )
    });
    if sent == 0 { Ok(()) } else { Err(QueueFull) }
}

/// Sends `signal` to the process once more: the thread that had it ends.
pub(super) fn send_to_process(signal: Signal, info: &Info) {
    // SAFETY: `info` is valid.
    unsafe {
        let pid = libc::getpid();
        let info = info.siginfo();
        let sent = libc::syscall(libc::SYS_rt_sigqueueinfo, pid, signal.number(), &raw const info);
        if sent != 0 {
            // What the system itself has sent, only the first thread may send once more.
            libc::kill(pid, signal.number());
        }
    }
}

/// Takes `signal`, which is blocked, out of the system's queue; `None` if it is not there. `mine` as for
/// [`kick`].
pub(super) fn take_pending(signal: Signal, mine: *const ()) -> Option<Arrival<Info>> {
    /// Bytes of a set, as the system counts them.
    const SET: usize = Signal::MAX as usize / 8;
    let set = super::set::of(Signals::of(signal));
    // Zero, whichever `timespec` the call takes.
    let at_once = [0_u64; 2];
    // SAFETY: plain numbers.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    // Not the C library's `sigtimedwait`, where a thread may be cancelled.
    // SAFETY: a set, which begins as the system's does, a place for what came along, and a time.
    let taken = super::errno::kept(|| unsafe {
        libc::syscall(libc::SYS_rt_sigtimedwait, &raw const set, &raw mut info, &at_once, SET)
    });
    // SAFETY: filled by the system as for a wrapper.
    (taken > 0).then(|| unsafe { arrival(signal, &raw const info, mine) })
}

/// What a wrapper was called for; `mine` as for [`kick`].
///
/// # Safety
/// `info` is what the system gave to a wrapper.
pub(super) unsafe fn arrival(
    signal: Signal,
    info: *const libc::siginfo_t,
    mine: *const (),
) -> Arrival<Info> {
    // SAFETY: by the caller's promise; every `siginfo_t` has bytes for a value, if perhaps others'.
    let valued = unsafe { ptr::read_unaligned(info.cast::<Valued>()) };
    let whole = cfg!(target_pointer_width = "32") || valued.sender.value == mine;
    if valued.code == KICK && valued.sender.uid == short(mine) && whole {
        return Arrival::Kick;
    }
    // SAFETY: by the caller's promise.
    let info = unsafe { Info::of(info) };
    let faults = valued.code > 0 && super::set::FAULTS.has(signal);
    // SAFETY: touches no memory.
    let own = || valued.sender.pid == unsafe { libc::getpid() };
    let aborts = signal.number() == libc::SIGABRT && valued.code == libc::SI_TKILL && own();
    if faults || aborts { Arrival::Fault(info) } else { Arrival::Sent(info) }
}
