//! Stacks of calls: taken quickly, kept once each, and named when a report is made.

use rustc_hash::FxHashMap;

/// A stack keeps at most this many frames, the innermost: they tell what the thread does.
pub(crate) const DEEPEST: usize = 64;

/// The number of a stack that was kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StackId(u32);

/// Return addresses, the innermost first, without the library's own.
pub(crate) struct Taken {
    frames: [usize; DEEPEST],
    count: usize,
}

impl Taken {
    /// The calling thread's stack. The caller is inside and has no mutex, because the unwinder may
    /// take one. The stack is empty if a handler runs on an alternate stack: that may be too small
    /// for an unwinder.
    #[inline(never)]
    pub(crate) fn here() -> Self {
        let mut taken = Self { frames: [0; DEEPEST], count: 0 };
        if is_on_alternate_stack() {
            return taken;
        }
        let mut is_own = true;
        let own = own_text();
        // SAFETY: only a report looks names up, one at a time, and nothing is looked up here.
        unsafe {
            backtrace::trace_unsynchronized(|frame| {
                let address = frame.ip().addr();
                is_own = is_own && own.contains(&address);
                if !is_own && address != 0 {
                    taken.frames[taken.count] = address;
                    taken.count += 1;
                }
                taken.count < DEEPEST
            });
        }
        taken
    }

    fn frames(&self) -> &[usize] {
        &self.frames[..self.count]
    }
}

fn is_on_alternate_stack() -> bool {
    // SAFETY: zeroes are a value of `stack_t`. The call only asks for the current stack.
    unsafe {
        let mut stack: libc::stack_t = core::mem::zeroed();
        libc::sigaltstack(core::ptr::null(), &mut stack);
        stack.ss_flags & libc::SS_ONSTACK != 0
    }
}

/// The addresses of the library's own instructions.
fn own_text() -> std::ops::Range<usize> {
    unsafe extern "C" {
        safe static __ehdr_start: u8;
        safe static etext: u8;
    }
    (&raw const __ehdr_start).addr()..(&raw const etext).addr()
}

/// All stacks that were ever kept, each once.
#[derive(Default)]
pub(crate) struct Stacks {
    ids: FxHashMap<Box<[usize]>, StackId>,
    stacks: Vec<Box<[usize]>>,
}

impl Stacks {
    /// Keeps a stack. A stack that is kept already has its old number.
    pub(crate) fn keep(&mut self, taken: &Taken) -> StackId {
        if let Some(&known) = self.ids.get(taken.frames()) {
            return known;
        }
        let id = StackId(self.stacks.len() as u32);
        self.ids.insert(taken.frames().into(), id);
        self.stacks.push(taken.frames().into());
        id
    }

    /// The frames of a stack, the innermost first.
    pub(crate) fn frames(&self, id: StackId) -> &[usize] {
        &self.stacks[id.0 as usize]
    }
}
