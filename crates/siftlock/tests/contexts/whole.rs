//! The information that a handler gets of a signal that was put off: all that the system gave.

use crate::support::{alone, handler, pretend};
use siftlock::context::{Handler, Interrupt, Irq, Masked};
use std::mem;
use std::sync::Mutex;

static SEEN: Mutex<Vec<[u8; size_of::<libc::siginfo_t>()]>> = Mutex::new(Vec::new());

/// All bytes of a signal's information.
fn bytes(info: &libc::siginfo_t) -> [u8; size_of::<libc::siginfo_t>()] {
    // SAFETY: the system writes all of it.
    unsafe { mem::transmute_copy(info) }
}

fn see(interrupt: &Interrupt<'_, Irq>) {
    SEEN.lock().unwrap().push(bytes(interrupt.info()));
}

alone! {
    /// The end of a child fills a `siginfo_t` most: `si_stime` stands last.
    fn context_signal_that_was_put_off_brings_all_of_its_information() {
        const FIELDS: [u64; 4] =
            [0x0102_0304_0506_0708, 0x1112_1314, 0x2122_2324_2526_2728, 0x3132_3334_3536_3738];
        let direct: fn(Handler<Irq>) -> Handler<Irq> = Handler::direct;
        for (signal, how) in [(libc::SIGCHLD, None), (libc::SIGUSR1, Some(direct))] {
            how.map_or(handler(see), |how| how(handler(see))).register(signal).unwrap();
            for code in [libc::CLD_EXITED, libc::SI_QUEUE] {
                pretend(signal, code, FIELDS);
                let masked = Masked::<Irq>::new();
                pretend(signal, code, FIELDS);
                drop(masked);
                let seen = mem::take(&mut *SEEN.lock().unwrap());
                assert_eq!(seen.len(), 2);
                for info in seen {
                    // The zeros are an error number, nowhere used, and padding. Nothing stands
                    // behind the fields.
                    let start = [signal, 0, code, 0].map(i32::to_ne_bytes);
                    let fields = FIELDS.map(u64::to_ne_bytes);
                    assert_eq!(info[..16], *start.as_flattened());
                    assert_eq!(info[16..48], *fields.as_flattened());
                    assert!(info[48..].iter().all(|byte| *byte == 0));
                }
            }
        }
    }
}
