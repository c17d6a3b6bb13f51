//! Signing: a writer that has got in leaves its name in the owner word, if it is not there already.

use crate::platform::Platform;
use crate::rwsem::word::count::Count;
use crate::rwsem::{Policy, RwSem};

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// Whether the owner word is the mere name of the calling thread, a writer, from its last
    /// write. Then nobody is in a slot, and nothing is to be stored. A store between two atomics
    /// waits for both, a load for neither: a lock used by one thread costs what bare atomics cost.
    #[inline]
    pub(in crate::rwsem) fn is_signed(&self) -> bool {
        self.owner.hint().is_writer(P::current_number())
    }

    /// A writer that is inside at `v`, perhaps past waiters, leaves its name.
    #[inline]
    pub(in crate::rwsem) fn sign(&self, v: Count) {
        let passed = v.has_head();
        let (hint, me) = (self.owner.hint(), P::current_number());
        let stands = match passed {
            true => hint.is_passing_writer(me),
            false => hint.is_writer(me),
        };
        if !stands {
            self.sign_as(passed);
        }
    }

    #[cold]
    #[inline(never)]
    fn sign_as(&self, passed: bool) {
        self.owner.sign(P::current().id(), passed);
    }
}
