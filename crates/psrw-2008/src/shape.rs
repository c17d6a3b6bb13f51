//! Constants that follow from a lock's contexts.

use crate::word::CLASSES;
use core::marker::PhantomData;
use siftlock_core::platform::{Class, Platform, Raised};
use siftlock_core::psrw::{Context, Readers};

/// Constants of a lock's two types.
pub(crate) struct Shape<W, R>(PhantomData<(W, R)>);

impl<W: Context, R: Readers> Shape<W, R> {
    /// Fails to compile where a handler of a reading class could wait for its own thread's write.
    pub(crate) const SOUND: () = assert!(
        Self::all_reach_the_writing_class(),
        "a class that reads is below the class that writes: let a lower class write"
    );

    pub(crate) const THREADS_WRITE: bool = matches!(W::CLASS, Class::Thread);

    /// The highest class that reads. A writer inside is raised to it.
    pub(crate) const TOP: Class = Self::top();

    const fn all_reach_the_writing_class() -> bool {
        let mut place = 0;
        while place < W::CLASS as usize {
            if R::SET.has(CLASSES[place]) {
                return false;
            }
            place += 1;
        }
        true
    }

    const fn top() -> Class {
        let mut place = CLASSES.len() - 1;
        while place > 0 && !R::SET.has(CLASSES[place]) {
            place -= 1;
        }
        CLASSES[place]
    }

    /// The stages of a slow writer: the classes that read, lowest first.
    pub(crate) fn stages() -> impl DoubleEndedIterator<Item = Class> {
        CLASSES.into_iter().filter(|class| R::SET.has(*class))
    }
}

/// The raises of a slow writer: to its own class, then class by class, and it lowers in the
/// opposite order. No thread is raised to Thread, so its place holds the raise to the writing
/// class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stages([u64; 4]);

impl Stages {
    pub(crate) const NONE: Self = Self([Raised::NOTHING.state(); 4]);

    /// Raises the calling thread, a writer of class `W`, to that class.
    pub(crate) fn begin<P: Platform, W: Context>() -> Self {
        let mut stages = Self::NONE;
        if W::CLASS > Class::Thread {
            stages.put(Class::Thread, P::raise(W::CLASS, Raised::NOTHING));
        }
        stages
    }

    /// Takes back the raise of [`begin`](Self::begin).
    pub(crate) fn end<P: Platform, W: Context>(&mut self) {
        if W::CLASS > Class::Thread {
            P::restore(self.take(Class::Thread));
        }
    }

    /// Raises the calling thread to `class`.
    pub(crate) fn raise<P: Platform>(&mut self, class: Class) {
        if class > Class::Thread {
            self.put(class, P::raise(class, Raised::NOTHING));
        }
    }

    /// Takes back the raise to `class`.
    pub(crate) fn lower<P: Platform>(&mut self, class: Class) {
        if class > Class::Thread {
            P::restore(self.take(class));
        }
    }

    /// Hands out the raise to the highest class, which the caller keeps.
    pub(crate) fn give_top(&mut self, top: Class) -> Raised {
        if top > Class::Thread { self.take(top) } else { Raised::NOTHING }
    }

    /// Takes in the raise to the highest class, which the caller has kept.
    pub(crate) fn take_top(&mut self, top: Class, raised: Raised) {
        if top > Class::Thread {
            self.put(top, raised);
        }
    }

    fn put(&mut self, class: Class, raised: Raised) {
        self.0[class as usize] = raised.state();
    }

    fn take(&mut self, class: Class) -> Raised {
        let nothing = Raised::NOTHING.state();
        Raised::new(core::mem::replace(&mut self.0[class as usize], nothing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use siftlock_core::psrw::{Irq, NonPreemptible, SoftIrq, Thread};

    #[test]
    fn shape_of_thread_and_irq_readers() {
        type Both = Shape<Thread, (Thread, Irq)>;
        let () = Both::SOUND;
        assert_eq!(Both::TOP, Class::Irq);
        assert!(Both::stages().eq([Class::Thread, Class::Irq]));
    }

    #[test]
    fn shape_of_high_readers_has_no_stage_of_threads() {
        type High = Shape<NonPreemptible, (NonPreemptible, SoftIrq)>;
        let () = High::SOUND;
        assert_eq!(High::TOP, Class::SoftIrq);
        assert!(High::stages().eq([Class::NonPreemptible, Class::SoftIrq]));
    }

    #[test]
    fn shape_of_thread_readers_raises_nothing() {
        assert_eq!(Shape::<Thread, Thread>::TOP, Class::Thread);
        assert!(Shape::<Thread, Thread>::stages().eq([Class::Thread]));
    }
}
