//! The present call of each thread, for the watchdog and for the report of a violation.

use std::fmt;
use std::io::Write as _;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// More than all threads that are alive at once.
const POSTS: usize = 256;

/// The calls of one thread. Every access is Relaxed: no decision depends on a report.
pub(crate) struct Post {
    taken: AtomicBool,
    /// The call that is under way. Null: the thread waits for something that is no lock.
    call: AtomicPtr<&'static str>,
    /// The number of the place where it is, plus one.
    place: AtomicUsize,
    /// How many calls it has finished.
    done: AtomicU64,
}

static POST: [Post; POSTS] = [const { Post::new() }; POSTS];
/// The seed, for reports.
static SEED: AtomicU64 = AtomicU64::new(0);

impl Post {
    const fn new() -> Self {
        Self {
            taken: AtomicBool::new(false),
            call: AtomicPtr::new(ptr::null_mut()),
            place: AtomicUsize::new(0),
            done: AtomicU64::new(0),
        }
    }

    /// A post for a thread that begins.
    pub(crate) fn take() -> &'static Self {
        let free = POST.iter().find(|post| !post.taken.swap(true, Ordering::Relaxed));
        free.expect("fewer threads than posts")
    }

    /// The thread has ended.
    pub(crate) fn give_back(&self) {
        self.idle();
        self.taken.store(false, Ordering::Relaxed);
    }

    /// The last call has returned, and `call` begins.
    pub(crate) fn begin(&self, call: &'static &'static str) {
        // A plain addition: the post has one thread.
        self.done.store(self.done.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.call.store(ptr::from_ref(call).cast_mut(), Ordering::Relaxed);
    }

    /// The last call has returned. The next event may take as long as it likes.
    pub(crate) fn idle(&self) {
        self.begin(&"");
        self.call.store(ptr::null_mut(), Ordering::Relaxed);
    }

    /// The thread is at this place, and returns where it was.
    pub(crate) fn goes_to(&self, place: usize) -> usize {
        let was = self.place.load(Ordering::Relaxed);
        self.place.store(place + 1, Ordering::Relaxed);
        was
    }

    /// The thread is back at the place that [`goes_to`](Self::goes_to) returned.
    pub(crate) fn goes_back(&self, was: usize) {
        self.place.store(was, Ordering::Relaxed);
    }

    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The call that is under way.
    pub(crate) fn call(&self) -> Option<&'static str> {
        // SAFETY: only references with a static lifetime are stored.
        unsafe { self.call.load(Ordering::Relaxed).as_ref() }.copied()
    }
}

impl fmt::Display for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = self.call().unwrap_or("nothing");
        write!(f, "{:8} calls, now {call}", self.done())?;
        match self.place.load(Ordering::Relaxed) {
            0 => Ok(()),
            place => write!(f, " at lock {}", place - 1),
        }
    }
}

/// The posts of all threads that there are, with their numbers.
pub(crate) fn posts() -> impl Iterator<Item = (usize, &'static Post)> {
    POST.iter().enumerate().filter(|(_, post)| post.taken.load(Ordering::Relaxed))
}

pub(crate) fn set_seed(seed: u64) {
    SEED.store(seed, Ordering::Relaxed);
}

/// Reports the finding and its seed, and ends the process at once, also a child of the process.
pub(crate) fn end_with(what: &dyn fmt::Display) -> ! {
    let mut report = format!("\nchaos: {what}\nchaos: --seed {}", SEED.load(Ordering::Relaxed));
    for (number, post) in posts() {
        report += &format!("\n  thread {number}: {post}");
    }
    report += "\n";
    // Not `eprintln`: in a child its lock may be held by a thread that the child does not have.
    // SAFETY: the bytes are the report's.
    unsafe { libc::write(2, report.as_ptr().cast(), report.len()) };
    let _ = std::io::stdout().flush();
    // SAFETY: ends the process.
    unsafe { libc::_exit(1) }
}

/// [`end_with`], with the arguments of a format.
macro_rules! found {
    ($($what:tt)*) => { $crate::linux::post::end_with(&format_args!($($what)*)) };
}
pub(crate) use found;
