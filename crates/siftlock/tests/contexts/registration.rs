//! Which handlers can be registered and how, and which mistakes are reported.

use crate::support::{
    VALUES, aborts, alone, change_mask, errno, handler, in_child, note_value, queue, real_time,
    register, send, value_of,
};
use siftlock::context::{Earlier, Interrupt, Irq, Masked, NonPreemptible};
use siftlock::context::{RegisterError, SoftIrq, Thread};
use siftlock::platform::Native;
use siftlock_core::psrw::{PsRwLock, policy::Standard};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

type Lock = PsRwLock<(Thread, NonPreemptible, Irq), Thread, Standard, Native>;

static LOCK: Lock = Lock::new();

extern "C" fn plain(_: libc::c_int) {
    VALUES.push(-1);
}

extern "C" fn full(_: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    assert!(!context.is_null());
    // SAFETY: the information that a handler gets.
    VALUES.push(-value_of(unsafe { &*info }));
}

fn install(signal: i32, handler: *const (), flags: libc::c_int) -> libc::sigaction {
    // SAFETY: plain numbers, and handlers that fit the flags.
    unsafe {
        let (mut action, mut before): (libc::sigaction, libc::sigaction) =
            (std::mem::zeroed(), std::mem::zeroed());
        action.sa_sigaction = handler as usize;
        action.sa_flags = flags;
        assert_eq!(libc::sigaction(signal, &action, &mut before), 0);
        before
    }
}

alone! {
    fn context_registration_says_what_is_wrong() {
        let register = |signal| crate::support::register::<Irq>(signal, note_value).map(drop);
        assert!(matches!(register(0), Err(RegisterError::NoSuchSignal(0))));
        assert!(matches!(register(65), Err(RegisterError::NoSuchSignal(65))));
        assert!(matches!(register(32), Err(RegisterError::NoSuchSignal(32))));
        assert!(matches!(register(libc::SIGKILL), Err(RegisterError::NotCatchable(9))));
        assert!(register(libc::SIGUSR1).is_ok());
        let error = register(libc::SIGUSR1).unwrap_err();
        assert!(matches!(error, RegisterError::Registered(libc::SIGUSR1)));
        assert!(error.to_string().contains("say beside_others()"));
        let error = handler(note_value).flags(libc::SA_NODEFER).register(libc::SIGUSR2);
        assert!(matches!(error.unwrap_err(), RegisterError::Flags(libc::SA_NODEFER)));
    }

    fn context_handler_installed_over_ours_is_found() {
        let registration = register(libc::SIGUSR1, note_value).unwrap();
        assert_eq!(registration.check(), Ok(()));
        let ours = install(libc::SIGUSR1, plain as *const (), 0);
        let replaced = registration.check().unwrap_err();
        assert!(replaced.to_string().contains("Register it instead"));
        // Another registration does not change it.
        register(libc::SIGUSR2, note_value).unwrap();
        assert!(registration.check().is_err());
        queue(libc::SIGUSR1, 1).unwrap();
        assert_eq!(VALUES.take(), [-1]);
        // SAFETY: the action that was installed before.
        unsafe { libc::sigaction(libc::SIGUSR1, &ours, ptr::null_mut()) };
        assert_eq!(registration.check(), Ok(()));
    }

    /// The handler calls ours, as it should if it is installed over another.
    fn context_handler_installed_over_ours_that_calls_it_is_put_off() {
        type Full = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void);
        static mut OURS: Option<Full> = None;
        extern "C" fn over(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
            // SAFETY: set before, and not changed.
            if let Some(ours) = unsafe { OURS } {
                ours(signal, info, context);
            }
        }
        register(libc::SIGUSR1, note_value).unwrap();
        let ours = install(libc::SIGUSR1, over as *const (), libc::SA_SIGINFO);
        // SAFETY: installed with SA_SIGINFO; only this thread runs.
        unsafe { OURS = Some(std::mem::transmute::<usize, Full>(ours.sa_sigaction)) };
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        assert_eq!(VALUES.take(), []);
        drop(masked);
        assert_eq!(VALUES.take(), [1]);
    }

    /// Our handler, called as a function, has its own signal blocked, even a signal that is never
    /// put off in a handler.
    fn context_handler_under_another_one_does_not_begin_in_itself() {
        static OURS: AtomicUsize = AtomicUsize::new(0);
        type Full = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void);
        extern "C" fn over(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
            // SAFETY: set before, to such a function.
            let ours = unsafe { std::mem::transmute::<usize, Full>(OURS.load(Relaxed)) };
            ours(signal, info, context);
        }
        register(libc::SIGSEGV, |interrupt: &Interrupt<'_, Irq>| {
            VALUES.push(value_of(interrupt.info()));
            if value_of(interrupt.info()) == 1 {
                queue(libc::SIGSEGV, 2).unwrap();
                VALUES.push(0);
            }
        })
        .unwrap();
        OURS.store(install(libc::SIGSEGV, over as *const (), libc::SA_SIGINFO).sa_sigaction, Relaxed);
        let masked = Masked::<Irq>::new();
        queue(libc::SIGSEGV, 1).unwrap();
        drop(masked);
        assert_eq!(VALUES.take(), [1, 0, 2]);
    }

    /// As with `signal-hook`, which calls the handler installed before and then its own actions.
    /// Its actions come once for each signal, whether the registered handler was put off or not.
    fn context_handler_installed_over_ours_is_called_once_for_each_signal() {
        type Full = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void);
        static OURS: AtomicUsize = AtomicUsize::new(0);
        extern "C" fn hook(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
            // SAFETY: set before, to such a function.
            let ours = unsafe { std::mem::transmute::<usize, Full>(OURS.load(Relaxed)) };
            ours(signal, info, context);
            VALUES.push(-1);
        }
        let signals = [libc::SIGUSR1, real_time(0)];
        let registered = signals.map(|signal| register(signal, note_value).unwrap());
        for signal in signals {
            OURS.store(install(signal, hook as *const (), libc::SA_SIGINFO).sa_sigaction, Relaxed);
        }
        assert!(registered.iter().all(|registration| registration.check().is_err()));
        queue(libc::SIGUSR1, 1).unwrap();
        assert_eq!(VALUES.take(), [1, -1]);
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 2).unwrap();
        (3..6).for_each(|value| queue(real_time(0), value).unwrap());
        assert_eq!(VALUES.take(), [-1; 4]);
        drop(masked);
        assert_eq!(VALUES.take(), [2, 3, 4, 5]);
    }

    fn context_earlier_handler_is_called_if_asked_for() {
        install(libc::SIGUSR1, full as *const (), libc::SA_SIGINFO);
        install(libc::SIGUSR2, plain as *const (), 0);
        handler(note_value).then_earlier().register(libc::SIGUSR1).unwrap();
        register(libc::SIGUSR2, |interrupt: &Interrupt<'_, SoftIrq>| {
            assert_eq!(interrupt.call_earlier(), Earlier::Called);
            VALUES.push(2);
        })
        .unwrap();
        register(libc::SIGURG, |interrupt: &Interrupt<'_, SoftIrq>| {
            assert_eq!(interrupt.call_earlier(), Earlier::Default);
        })
        .unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        drop(masked);
        assert_eq!(VALUES.take(), [1, -1]);
        send(libc::SIGUSR2);
        assert_eq!(VALUES.take(), [-1, 2]);
        send(libc::SIGURG);
    }

    fn context_earlier_handler_that_takes_a_context_is_not_called_without_one() {
        fn calls_earlier(interrupt: &Interrupt<'_, Irq>) {
            let without = interrupt.ucontext().is_null();
            let want = if without { Earlier::NeedsContext } else { Earlier::Called };
            assert_eq!(interrupt.call_earlier(), want);
            VALUES.push(i32::from(without));
        }
        install(libc::SIGUSR1, full as *const (), libc::SA_SIGINFO);
        let direct = handler(calls_earlier).direct();
        let error = direct.then_earlier().register(libc::SIGUSR1).unwrap_err();
        assert!(matches!(error, RegisterError::DirectThenEarlier(libc::SIGUSR1)));
        assert!(error.to_string().contains("leave out"));
        direct.register(libc::SIGUSR1).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 2).unwrap();
        drop(masked);
        assert_eq!(VALUES.take(), [1]);
        queue(libc::SIGUSR1, 3).unwrap();
        assert_eq!(VALUES.take(), [-3, 0]);
    }

    fn context_direct_handler_is_called_as_a_function() {
        fn direct(interrupt: &Interrupt<'_, SoftIrq>) {
            VALUES.push(value_of(interrupt.info()) * if interrupt.ucontext().is_null() { 10 } else { 1 });
            // The level masks it, not the system.
            queue(libc::SIGUSR2, 0).unwrap();
            VALUES.push(0);
        }
        handler(direct).direct().register(libc::SIGUSR1).unwrap();
        register(libc::SIGUSR2, |_: &Interrupt<'_, SoftIrq>| VALUES.push(7)).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        drop(masked);
        assert_eq!(VALUES.take(), [10, 0, 7]);
        queue(libc::SIGUSR1, 2).unwrap();
        assert_eq!(VALUES.take(), [2, 0, 7]);
    }

    fn context_handler_called_as_a_function_that_panics_ends_the_process() {
        handler(|_: &Interrupt<'_, Irq>| panic!("in a handler")).direct().register(libc::SIGUSR1).unwrap();
        assert!(aborts(|| {
            let masked = Masked::<Irq>::new();
            send(libc::SIGUSR1);
            let _ = std::panic::catch_unwind(|| drop(masked));
        }));
    }

    fn context_direct_handler_waits_while_the_program_blocks_its_signal() {
        handler(note_value).direct().register(libc::SIGUSR1).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1]);
        drop(masked);
        assert_eq!(VALUES.take(), []);
        change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
        assert_eq!(VALUES.take(), [1]);
    }

    fn context_handlers_leave_errno_alone() {
        fn spoils(_: &Interrupt<'_, Irq>) {
            errno(Some(libc::EXDEV));
        }
        register(libc::SIGUSR1, spoils).unwrap();
        errno(Some(libc::ERANGE));
        send(libc::SIGUSR1);
        assert_eq!(errno(None), libc::ERANGE);
        let masked = Masked::<Irq>::new();
        send(libc::SIGUSR1);
        errno(Some(libc::ERANGE));
        drop(masked);
        assert_eq!(errno(None), libc::ERANGE);
    }

    fn context_handlers_called_as_functions_leave_errno_alone() {
        fn spoils(_: &Interrupt<'_, Irq>) {
            errno(Some(libc::EXDEV));
        }
        handler(spoils).direct().register(libc::SIGUSR1).unwrap();
        let masked = Masked::<Irq>::new();
        send(libc::SIGUSR1);
        errno(Some(libc::ERANGE));
        drop(masked);
        assert_eq!(errno(None), libc::ERANGE);
    }

    /// Debug builds report waits that would not end.
    #[cfg(debug_assertions)]
    fn context_waits_that_cannot_end_are_reported() {
        fn waits_as_thread(_: &Interrupt<'_, Irq>) {
            let _ = LOCK.read(Thread);
        }
        fn waits_in_fault(_: &Interrupt<'_, Irq>) {
            let raised = LOCK.read(Irq);
            // SAFETY: read just now.
            unsafe { LOCK.read_unlock(Irq, raised) };
        }
        fn tries(_: &Interrupt<'_, Irq>) {
            assert!(LOCK.try_read(Irq).is_none());
        }
        extern "C" fn unregistered(_: libc::c_int) {
            let _ = LOCK.read(NonPreemptible);
        }
        register(libc::SIGUSR1, waits_as_thread).unwrap();
        register(libc::SIGSEGV, waits_in_fault).unwrap();
        register(libc::SIGBUS, tries).unwrap();
        install(libc::SIGUSR2, unregistered as *const (), 0);
        assert!(aborts(|| send(libc::SIGUSR1)));
        let fault = |signal| crate::support::pretend_fault(signal);
        assert!(aborts(|| {
            let _written = LOCK.write(Thread);
            fault(libc::SIGSEGV);
        }));
        assert!(aborts(|| {
            let _written = LOCK.write(Thread);
            send(libc::SIGUSR2);
        }));
        assert_eq!(in_child(|| {
            let _written = LOCK.write(Thread);
            fault(libc::SIGBUS);
        }), 0);
        // A fault's handler on a thread that is not raised may wait.
        assert_eq!(in_child(|| fault(libc::SIGSEGV)), 0);
    }
}
