//! The lines of memory, and the line of each address.
//!
//! Lines are numbered in the order in which they are first touched, so a run is the same wherever
//! its objects lie. For that, each shared object has to begin a line of its own ([`Aligned`]). A
//! node on a thread's stack lies differently in each build. So each thread has one line for its
//! nodes, and [`announce`](crate::calls::announce) says which words those are now.

use crate::line::Line;
use crate::machine::Cycles;
use crate::queue::ThreadId;
use rustc_hash::FxHashMap;

/// Bytes in a line.
pub const LINE: usize = 64;

/// The number of a line.
pub(crate) type LineId = usize;

/// A value that begins a line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

impl<T> std::ops::Deref for Aligned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A thread that looks at a line until it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watcher {
    pub(crate) thread: ThreadId,
    /// The number of this wait among the thread's waits.
    pub(crate) epoch: u64,
    /// When the wait began: the thread cannot look again earlier.
    pub(crate) since: Cycles,
}

/// A line and the spinners that watch it.
#[derive(Debug, Default)]
pub(crate) struct Place {
    pub(crate) line: Line,
    /// The end of the last read-modify-write, which keeps the core's other processors out.
    pub(crate) busy_until: Cycles,
    pub(crate) watchers: Vec<Watcher>,
}

/// All lines that were ever touched.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    places: Vec<Place>,
    /// Lines by their addresses, in units of [`LINE`].
    lines: FxHashMap<usize, LineId>,
    /// Lines of announced nodes, by the addresses of their words in units of [`WORD`].
    nodes: FxHashMap<usize, LineId>,
}

/// Bytes in a word of a node.
const WORD: usize = 4;

impl Memory {
    /// A line that no address is in yet.
    pub(crate) fn new_line(&mut self) -> LineId {
        self.places.push(Place::default());
        self.places.len() - 1
    }

    /// Puts a node of so many bytes into this line, which the core has just written.
    pub(crate) fn announce(&mut self, node: usize, bytes: usize, id: LineId, core: usize) {
        for word in (node..node + bytes).step_by(WORD) {
            self.nodes.insert(word / WORD, id);
        }
        self.places[id].line = Line::owned_by(core);
    }

    pub(crate) fn line_of(&mut self, address: usize) -> LineId {
        if let Some(&id) = self.nodes.get(&(address / WORD)) {
            return id;
        }
        *self.lines.entry(address / LINE).or_insert_with(|| {
            self.places.push(Place::default());
            self.places.len() - 1
        })
    }

    pub(crate) fn place(&mut self, id: LineId) -> &mut Place {
        &mut self.places[id]
    }
}
