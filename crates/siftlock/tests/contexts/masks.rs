//! The program's own masks: one that it saves, its own blocks, and the mask that its children
//! inherit.

use crate::support::{
    VALUES, alone, change_mask, is_blocked, note_value, queue, real_time, register, set_mask,
};
use siftlock::context::{Interrupt, Irq, Masked, SoftIrq};

alone! {
    fn context_mask_saved_in_a_raised_region_blocks_nothing() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        (0..5).for_each(|value| queue(real_time(0), value).unwrap());
        let saved = change_mask(libc::SIG_BLOCK, &[]);
        drop(masked);
        assert_eq!(VALUES.take().len(), 6);
        set_mask(&saved);
        assert!(!is_blocked(libc::SIGUSR1) && !is_blocked(real_time(0)));
        queue(libc::SIGUSR1, 7).unwrap();
        queue(real_time(0), 8).unwrap();
        assert_eq!(VALUES.take(), [7, 8]);
    }

    /// Where a signal has to be blocked, it is for the region alone, in whatever frame.
    fn context_full_notes_block_until_the_region_ends() {
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        (0..15).for_each(|value| queue(real_time(0), value).unwrap());
        assert!(!is_blocked(real_time(0)));
        (15..20).for_each(|value| queue(real_time(0), value).unwrap());
        assert!(is_blocked(real_time(0)));
        drop(masked);
        assert!(!is_blocked(real_time(0)));
        assert_eq!(VALUES.take(), (0..20).collect::<Vec<_>>());
    }

    /// A handler of a higher class comes in between, raises and lowers.
    fn context_block_of_full_notes_survives_other_handlers() {
        fn other(_: &Interrupt<'_, Irq>) {
            drop(Masked::<Irq>::new());
            VALUES.push(-1);
        }
        register(real_time(0), |interrupt: &Interrupt<'_, SoftIrq>| {
            VALUES.push(crate::support::value_of(interrupt.info()));
        })
        .unwrap();
        register(libc::SIGUSR1, other).unwrap();
        let masked = Masked::<SoftIrq>::new();
        (0..18).for_each(|value| queue(real_time(0), value).unwrap());
        queue(libc::SIGUSR1, 0).unwrap();
        assert_eq!(VALUES.take(), [-1]);
        assert!(is_blocked(real_time(0)));
        (18..20).for_each(|value| queue(real_time(0), value).unwrap());
        drop(masked);
        assert_eq!(VALUES.take(), (0..20).collect::<Vec<_>>());
        assert!(!is_blocked(real_time(0)));
    }

    /// The program unblocks a signal that had to be blocked. Nothing is lost by that.
    fn context_full_notes_that_the_program_unblocks_lose_nothing() {
        const COUNT: i32 = 60;
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        for value in 0..COUNT {
            queue(real_time(0), value).unwrap();
            assert_eq!(is_blocked(real_time(0)), value >= 15, "blocked again by the one that came");
            change_mask(libc::SIG_UNBLOCK, &[real_time(0)]);
        }
        drop(masked);
        let mut values = VALUES.take();
        // In order, as long as there is room at all.
        assert_eq!(values[..31], (0..31).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..COUNT).collect::<Vec<_>>());
    }

    fn context_signal_that_the_program_blocks_waits_for_the_program() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        queue(real_time(0), 2).unwrap();
        queue(real_time(0), 3).unwrap();
        change_mask(libc::SIG_BLOCK, &[libc::SIGUSR1, real_time(0)]);
        drop(masked);
        assert_eq!(VALUES.take(), []);
        assert!(is_blocked(libc::SIGUSR1) && is_blocked(real_time(0)));
        // A signal that is sent now comes behind the signals before.
        queue(real_time(0), 4).unwrap();
        drop(Masked::<Irq>::new());
        assert_eq!(VALUES.take(), []);
        change_mask(libc::SIG_UNBLOCK, &[real_time(0)]);
        assert_eq!(VALUES.take(), [2, 3, 4]);
        change_mask(libc::SIG_UNBLOCK, &[libc::SIGUSR1]);
        assert_eq!(VALUES.take(), [1]);
    }

    fn context_handler_masks_its_class_and_those_below() {
        fn low(interrupt: &Interrupt<'_, SoftIrq>) {
            VALUES.push(1);
            queue(real_time(0), 0).unwrap();
            queue(libc::SIGUSR2, 0).unwrap();
            VALUES.push(2);
            assert!(is_blocked(interrupt.signal()) && !is_blocked(real_time(0)));
        }
        fn high(_: &Interrupt<'_, Irq>) {
            VALUES.push(3);
            assert!(is_blocked(libc::SIGUSR1) && is_blocked(libc::SIGUSR2));
        }
        // The later signals are in the masks of the earlier ones.
        register(real_time(0), high).unwrap();
        register(libc::SIGUSR1, low).unwrap();
        register(libc::SIGUSR2, |_: &Interrupt<'_, SoftIrq>| VALUES.push(4)).unwrap();
        queue(libc::SIGUSR1, 0).unwrap();
        assert_eq!(VALUES.take(), [1, 3, 2, 4]);
        // The signal is put off all the same.
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 0).unwrap();
        drop(masked);
        assert_eq!(VALUES.take(), [1, 3, 2, 4]);
    }

    fn context_spawned_child_inherits_no_block() {
        register(libc::SIGUSR1, note_value).unwrap();
        register(real_time(0), note_value).unwrap();
        let masked = Masked::<Irq>::new();
        queue(libc::SIGUSR1, 1).unwrap();
        (2..5).for_each(|value| queue(real_time(0), value).unwrap());
        // Fails if the child's mask has a bit.
        let status = spawn_shell("grep -q '^SigBlk:[[:space:]]*0*$' /proc/self/status");
        drop(masked);
        assert_eq!(status, 0);
        assert_eq!(VALUES.take(), [1, 2, 3, 4]);
    }
}

/// Runs a command with the caller's own mask (`std` would empty it), and returns its status.
fn spawn_shell(command: &str) -> i32 {
    let command = std::ffi::CString::new(command).unwrap();
    let arguments = [c"sh".as_ptr(), c"-c".as_ptr(), command.as_ptr(), std::ptr::null()];
    let environment = [c"PATH=/usr/bin:/bin".as_ptr(), std::ptr::null()];
    let (mut child, mut status) = (0, 0);
    // SAFETY: null-ended arrays of C strings, and places for the answers.
    unsafe {
        let spawned = libc::posix_spawn(
            &mut child,
            c"/bin/sh".as_ptr(),
            std::ptr::null(),
            std::ptr::null(),
            arguments.as_ptr().cast(),
            environment.as_ptr().cast(),
        );
        assert_eq!(spawned, 0);
        while libc::waitpid(child, &mut status, 0) != child {}
    }
    status
}
