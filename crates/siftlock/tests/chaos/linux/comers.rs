//! Threads that come and go, and use locks in the destructors of their thread-local values.

use super::actor::Actor;
use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

pub(crate) static COMERS: AtomicU64 = AtomicU64::new(0);

/// Uses locks when it is dropped.
struct AtEnd(Option<Actor>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        if let Some(actor) = &mut self.0 {
            use_locks(actor);
        }
    }
}

thread_local! {
    /// Set before the thread's first lock, so dropped after `LATE`.
    static EARLY: RefCell<AtEnd> = const { RefCell::new(AtEnd(None)) };
    static LATE: RefCell<AtEnd> = const { RefCell::new(AtEnd(None)) };
}

/// Starts a thread, which uses locks until its very end, and waits for it.
pub(crate) fn come_and_go(actor: &mut Actor) {
    // Relaxed: a counter.
    COMERS.fetch_add(1, Ordering::Relaxed);
    let mut comer = actor.fork();
    let post = comer.post;
    actor.post.idle();
    let thread = thread::Builder::new().stack_size(1 << 18).spawn(move || {
        let mut another =
            |post| Actor { rng: comer.rng.fork(), post, world: comer.world, floor: 0 };
        let (early, late, last) = (another(post), another(post), another(post));
        EARLY.with_borrow_mut(|end| end.0 = Some(early));
        use_locks(&mut comer);
        LATE.with_borrow_mut(|end| end.0 = Some(late));
        last_of_all(last);
    });
    if let Ok(thread) = thread {
        drop(thread.join());
    }
    post.give_back();
}

fn use_locks(actor: &mut Actor) {
    for _ in 0..actor.rng.u32(1..4) {
        actor.roam();
    }
    actor.post.idle();
}

/// Uses locks in the second round of the destructors of thread-specific values. The first round has
/// given the thread's record back.
fn last_of_all(actor: Actor) {
    static KEY: OnceLock<libc::pthread_key_t> = OnceLock::new();

    unsafe extern "C" fn in_the_first_round(last: *mut std::ffi::c_void) {
        // SAFETY: the value is the box that `set` has stored.
        let mut last = unsafe { Box::from_raw(last.cast::<(bool, Actor)>()) };
        if last.0 {
            use_locks(&mut last.1);
            return;
        }
        last.0 = true;
        set(last);
    }

    fn set(last: Box<(bool, Actor)>) {
        let key = *KEY.get_or_init(|| {
            let mut key = 0;
            // SAFETY: a place for the key; the destructor fits its values.
            let error = unsafe { libc::pthread_key_create(&mut key, Some(in_the_first_round)) };
            assert_eq!(error, 0, "no key for thread-specific values");
            key
        });
        // SAFETY: the key is valid for ever, and its destructor frees the box.
        unsafe { libc::pthread_setspecific(key, Box::into_raw(last).cast_const().cast()) };
    }

    set(Box::new((false, actor)));
}
