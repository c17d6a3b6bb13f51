//! Forked children.

use crate::support::{VALUES, alone, in_child, is_blocked, note_value, queue, real_time, register};
use siftlock::context::{Irq, Masked};

alone! {
    fn context_forked_child_has_none_of_the_parents_signals() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        queue(real_time(0), 2).unwrap();
        queue(real_time(0), 3).unwrap();
        let mut masked = Some(masked);
        let status = in_child(|| {
            // The region goes on, and signals that come in it are the child's own.
            queue(real_time(0), 4).unwrap();
            assert_eq!(VALUES.take(), []);
            drop(masked.take());
            assert_eq!(VALUES.take(), [4]);
            queue(libc::SIGUSR1, 5).unwrap();
            assert_eq!(VALUES.take(), [5]);
        });
        assert_eq!(status, 0);
        assert_eq!(VALUES.take(), []);
        drop(masked);
        assert_eq!(VALUES.take(), [1, 2, 3]);
    }

    fn context_forked_child_has_no_block_of_full_notes() {
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        (0..18).for_each(|value| queue(real_time(0), value).unwrap());
        let mut masked = Some(masked);
        let status = in_child(|| {
            assert!(!is_blocked(real_time(0)));
            queue(real_time(0), 99).unwrap();
            drop(masked.take());
            assert_eq!(VALUES.take(), [99]);
        });
        assert_eq!(status, 0);
        drop(masked);
        assert_eq!(VALUES.take(), (0..18).collect::<Vec<_>>());
    }

    /// The memory of the other threads' notes is free in the child, and empty.
    fn context_forked_child_begins_without_other_threads_notes() {
        register(real_time(0), note_value).unwrap();
        let (noted, forked) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
        std::thread::scope(|s| {
            s.spawn(|| {
                let masked = Masked::<Irq>::new();
                queue(real_time(0), 7).unwrap();
                noted.wait();
                forked.wait();
                drop(masked);
            });
            noted.wait();
            let status = in_child(|| {
                let masked = Masked::<Irq>::new();
                queue(real_time(0), 8).unwrap();
                drop(masked);
                assert_eq!(VALUES.take(), [8]);
            });
            assert_eq!(status, 0);
            forked.wait();
        });
        assert_eq!(VALUES.take(), [7]);
    }
}
