//! The ways into a lock that is free, and raising.

use crate::handler::inside;
use crate::script::{Base, Scripted, deadline};
use crate::walk::{IRQ, Path, SOFT_QUEUED, on_each_base};
use siftlock::context::{Context, Irq, NonPreemptible, SoftIrq, Thread};
use siftlock_core::platform::{Class, Platform, Raised};
use siftlock_core::psrw::Refused;

on_each_base! {
    psrw_reader_of_a_free_lock_is_interrupted_at_every_instruction
    psrw_writer_of_a_free_lock_is_interrupted_at_every_instruction
    context_raised_thread_is_interrupted_at_every_instruction
}

fn walk<B: Base>(name: &'static str, path: &dyn Fn()) {
    Path { name, path, ..Path::NONE }.walk::<B>(&[IRQ, SOFT_QUEUED]);
}

fn psrw_reader_of_a_free_lock_is_interrupted_at_every_instruction<B: Base>(_: B) {
    fn leave<B: Base, C: Context>(at: C, raised: Raised) {
        inside(C::CLASS, || ());
        // SAFETY: taken by the caller.
        unsafe { B::lock().read_unlock(at, raised) };
    }
    walk::<B>("read as Thread", &|| leave::<B, _>(Thread, B::lock().read(Thread)));
    walk::<B>("try to read as Thread", &|| {
        leave::<B, _>(Thread, B::lock().try_read(Thread).unwrap());
    });
    walk::<B>("read as NonPreemptible", &|| {
        leave::<B, _>(NonPreemptible, B::lock().read(NonPreemptible));
    });
    walk::<B>("read as SoftIrq, timed", &|| {
        leave::<B, _>(SoftIrq, B::lock().read_until(SoftIrq, Some(deadline())).unwrap());
    });
    walk::<B>("try to read as Irq", &|| leave::<B, _>(Irq, B::lock().try_read(Irq).unwrap()));
}

fn psrw_writer_of_a_free_lock_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let leave = |raised: Result<Raised, Refused>| {
        let raised = raised.unwrap();
        inside(Class::Irq, || ());
        // SAFETY: taken by the caller.
        unsafe { B::lock().write_unlock(Thread, raised) };
    };
    walk::<B>("write", &|| leave(Ok(B::lock().write(Thread))));
    walk::<B>("try to write", &|| leave(B::lock().try_write(Thread).ok_or(Refused::TimedOut)));
    walk::<B>("write, timed", &|| leave(B::lock().write_until(Thread, Some(deadline()))));
    walk::<B>("write as SoftIrq", &|| {
        let raised = B::high().write(SoftIrq);
        inside(Class::Irq, || ());
        // SAFETY: taken above.
        unsafe { B::high().write_unlock(SoftIrq, raised) };
    });
}

fn context_raised_thread_is_interrupted_at_every_instruction<B: Base>(_: B) {
    let raise = |class| Scripted::<B>::raise(class, Raised::NOTHING);
    for class in Class::HIGH {
        walk::<B>("raise and lower", &|| {
            let raised = raise(class);
            inside(class, || ());
            Scripted::<B>::restore(raised);
        });
    }
    walk::<B>("raise twice, lower the first first", &|| {
        let (low, high) = (raise(Class::SoftIrq), raise(Class::Irq));
        inside(Class::Irq, || ());
        Scripted::<B>::restore(low);
        inside(Class::Irq, || ());
        Scripted::<B>::restore(high);
    });
    walk::<B>("raise and raise once more", &|| {
        let raised = Scripted::<B>::raise(Class::Irq, raise(Class::SoftIrq));
        inside(Class::Irq, || ());
        Scripted::<B>::restore(raised);
    });
}
