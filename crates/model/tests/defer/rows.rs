//! The rows.

use crate::model::Model;
use crate::sim::{Sim, lower};
use crate::world::{Act, World, raise, signal};
use siftlock_core::defer::{SignalSystem as _, Signals};
use siftlock_core::platform::Class;

/// A step, before which signals may come.
fn step() {
    let _ = World::now().pending.level();
}

/// Raised once.
fn region() {
    lower(raise(Class::Irq));
    World::now().check_settled();
}

/// Raised to SoftIrq: Irq handlers come in between.
fn low_region() {
    lower(raise(Class::SoftIrq));
    World::now().check_settled();
}

/// Raised twice; the first raise ends first.
fn crossed() {
    let low = raise(Class::SoftIrq);
    let high = raise(Class::Irq);
    lower(low);
    lower(high);
    World::now().check_settled();
}

/// Raised twice; the last raise ends first.
fn nested() {
    let low = raise(Class::SoftIrq);
    lower(raise(Class::Irq));
    World::now().check_settled();
    lower(low);
    World::now().check_settled();
}

/// The program blocks one signal and lets it in again, long after the thread was lowered.
fn with_own_block() {
    let high = raise(Class::Irq);
    step();
    let blocked = Signals::of(signal('h'));
    World::now().mask.set(blocked);
    lower(high);
    World::now().check_settled();
    lower(raise(Class::SoftIrq));
    Sim::unblock(blocked);
    World::now().check_settled();
}

/// The program unblocks all signals.
fn unblocks_all() {
    let raised = raise(Class::Irq);
    for _ in 0..3 {
        Sim::unblock(Signals::from_bits(u64::MAX));
        step();
    }
    lower(raised);
    World::now().check_settled();
}

/// The program blocks the signals that were noted, and takes them itself.
pub(crate) fn taken_by_the_program() {
    let blocked = Signals::of(signal('H')).and(Signals::of(signal('h')));
    let high = raise(Class::Irq);
    step();
    World::now().mask.set(World::now().mask.get().and(blocked));
    lower(high);
    // Twice: the next lower puts back a signal that came before one that was taken.
    for _ in 0..2 {
        blocked.each().for_each(|signal| World::now().takes(signal));
        // A handler may come in between, and must not leave a kick behind.
        step();
        blocked.each().for_each(|signal| World::now().takes(signal));
        lower(raise(Class::SoftIrq));
    }
    blocked.each().for_each(|signal| World::now().takes(signal));
    Sim::unblock(blocked);
    World::now().check_settled();
}

/// The system has no room for kicks of real-time signals.
fn without_queue() {
    World::now().room.set(0);
    region();
}

/// The system's queue is full after the first kick.
fn with_little_room() {
    World::now().room.set(1);
    region();
}

/// Another handler is installed over the wrapper.
fn covered() {
    World::now().covered.set(true);
    region();
}

/// Another handler is installed over the wrapper, and the system takes one real-time signal that
/// the thread sends itself.
fn covered_with_little_room() {
    World::now().room.set(1);
    covered();
}

macro_rules! holds {
    ($($(#[$meta:meta])* $name:ident: $row:literal, $act:ident, $story:ident;)*) => {$(
        $(#[$meta])*
        #[test]
        fn $name() {
            Model { row: $row, act: Act::$act, story: $story }.holds();
        }
    )*};
}

macro_rules! falls {
    ($($name:ident: $row:literal, $act:ident, $story:ident, $rule:ident;)*) => {$(
        #[test]
        fn $name() {
            let rule = siftlock_core::sync::mutant::Mutant::$rule;
            Model { row: $row, act: Act::$act, story: $story }.falls_to(rule);
        }
    )*};
}

holds! {
    defer_standard_signal_is_handled_once: "H", Reads, region;
    defer_two_standard_signals_merge_or_come_in_order: "HH", Reads, region;
    defer_standard_signal_that_merges_with_kick_is_handled: ".HHH", Returns, region;
    defer_real_time_signals_come_in_order: "hhh", Returns, region;
    defer_real_time_signals_whose_handlers_read_come_in_order: "hh", Reads, region;
    defer_signals_of_two_classes_come: "Hl", Reads, crossed;
    defer_high_handler_interrupts_low_region: "lH", Reads, low_region;
    defer_block_of_full_notes_outlives_high_handler: "llH", Reads, low_region;
    defer_signals_come_in_order_without_the_systems_queue: "hhh", Returns, without_queue;
    defer_handler_that_leaves_loses_no_signal: "Hh", Leaves, region;
    defer_handler_that_leaves_loses_no_signal_of_its_kind: "hh", Leaves, region;
    defer_handler_that_leaves_loses_no_signal_of_full_notes: "Hhh", Leaves, region;
    defer_handler_that_leaves_loses_no_signal_of_another_class: "lH", Leaves, region;
    defer_handler_that_leaves_loses_no_signal_without_the_systems_queue: "hhH", Leaves, without_queue;
    defer_handler_that_leaves_loses_no_signal_of_two_classes_without_the_systems_queue: "lHh", Leaves, without_queue;
    defer_signals_of_two_classes_come_at_the_end_of_their_own_raise: "LHl", Returns, nested;
    defer_signal_that_the_program_blocks_comes_when_it_lets_it: "hhH", Returns, with_own_block;
    /// D4's exception.
    defer_fault_is_handled_while_its_signal_is_noted: "fF", Reads, region;
    defer_fault_comes_while_notes_are_full: "hhF", Reads, region;
    defer_fault_interrupts_nested_raises: "FL", Reads, nested;
    defer_signals_that_come_though_notes_are_full_keep_their_order: "hhh", Returns, unblocks_all;
    defer_standard_signal_comes_again_after_high_handler: "LLH", Reads, region;
    defer_standard_signal_comes_again_around_high_handler: "LHL", Reads, low_region;
    defer_signals_that_the_program_takes_are_what_was_sent: "hH", Reads, taken_by_the_program;
    defer_signals_that_the_program_takes_are_what_was_sent_in_order: "hhh", Reads, taken_by_the_program;
    defer_signals_that_the_program_takes_are_what_was_sent_though_others_are_handled: "Lh", Reads, taken_by_the_program;
    defer_standard_signals_that_the_program_takes_are_what_was_sent: "LHH", Reads, taken_by_the_program;
    defer_signals_that_a_low_handler_takes_are_what_was_sent: "lh", Takes, covered;
    defer_standard_signals_that_a_low_handler_takes_are_what_was_sent: "LH", Takes, covered;
    defer_timer_that_runs_out_while_it_is_noted_is_counted: "TTT", Returns, region;
    defer_timer_that_runs_out_while_its_handler_reads_is_counted: "TT", Reads, crossed;
    defer_timer_that_runs_out_while_its_handler_is_called_as_a_function_is_counted: "TTT", Direct, region;
    defer_timer_that_the_program_takes_is_counted: ".TTT", Returns, taken_by_the_program;
    defer_timer_merges_with_what_was_sent: "THT", Returns, region;
    defer_signals_come_in_order_though_the_queue_fills_up: "hhh", Reads, with_little_room;
    defer_handler_that_leaves_loses_no_signal_though_the_queue_fills_up: "hhh", Leaves, with_little_room;
    defer_fault_handler_that_leaves_loses_no_signal: "hF", Leaves, region;
    defer_fault_handler_that_leaves_loses_none_of_its_own_signal: "fF", Leaves, region;
    defer_fault_handler_that_leaves_loses_no_standard_signal: "HFL", Leaves, region;
    defer_signals_come_in_order_under_another_handler: "hHh", Reads, covered;
    defer_standard_signals_come_under_another_handler: "HLH", Reads, covered;
    defer_handler_that_leaves_loses_no_signal_under_another_handler: "Hh", Leaves, covered;
    defer_full_notes_come_after_low_handler_that_is_called_as_a_function: "lhh", Reads, covered;
    defer_full_notes_come_after_low_handler_though_the_queue_fills_up: "lhh", Reads, covered_with_little_room;
    defer_direct_handlers_come_in_order: "hhh", Direct, region;
    defer_direct_handlers_of_two_classes_come: "lhl", Direct, crossed;
}

falls! {
    defer_signal_forgotten_if_pend_is_looked_at_before_lowering: "H", Returns, region, DeferLooksBeforeLowering;
    defer_signal_forgotten_if_pend_is_changed_in_two_steps: "LH", Returns, nested, DeferPendInTwoSteps;
    defer_order_lost_if_arrival_overtakes_note: "hh", Returns, region, DeferArrivalOvertakes;
    defer_signal_forgotten_without_chain_of_kicks: "hh", Returns, region, DeferNoChain;
    defer_signal_forgotten_if_kick_is_left_behind: "LLH", Reads, region, DeferLeavesKickBehind;
    defer_signal_forgotten_if_it_merges_with_kick_of_empty_note: ".HHH", Returns, region, DeferKicksUnheld;
    defer_signal_forgotten_if_it_merges_with_kick_of_another_class: ".HlHH", Returns, region, DeferChainsUnheld;
    defer_block_stays_if_frames_share_one_set: "llH", Reads, low_region, DeferOneBlockedSet;
    defer_order_lost_if_refused_note_is_left_behind_those_before: "lhh", Reads, covered_with_little_room, DeferLeavesRefusedBehind;
    defer_block_stays_if_inner_handler_unsets_its_mark: "..lhhL", Reads, region, DeferForgetsOuterBlocked;
    defer_signals_without_end_if_frame_is_left_unblocked: ".hhhh", Returns, region, DeferLeavesFrameUnblocked;
    defer_signal_forgotten_if_kicked_after_handler: "hh", Leaves, region, DeferKicksAfterHandler;
    defer_signal_forgotten_if_handler_leaves_others_behind: "Hh", Leaves, region, DeferLeavesOthersBehind;
    defer_order_lost_if_blocked_and_requeued: "hh", Returns, region, DeferBlocksAndRequeues;
    defer_program_takes_kick_if_what_it_blocks_is_kicked: "h", Returns, taken_by_the_program, DeferKicksWhatIsBlocked;
    defer_program_takes_kick_if_handler_kicks_what_was_kept: ".hhL", Returns, taken_by_the_program, DeferKicksWhatIsKept;
    defer_timer_forgotten_if_it_does_not_merge: "TT", Returns, region, DeferDropsWhatMerges;
    defer_timer_forgotten_if_it_merges_in_place: "TT", Direct, region, DeferMergesInPlace;
    defer_signal_forgotten_if_chains_kick_is_refused_without_a_mark: "hh", Leaves, with_little_room, DeferForgetsRefusedKick;
    defer_signal_forgotten_if_fault_leaves_others_behind: "hF", Leaves, region, DeferFaultLeavesOthersBehind;
}

/// Every pair of signals in every story.
#[test]
fn defer_every_pair_of_signals_is_handled_in_every_story() {
    const LETTERS: [&str; 6] = ["L", "H", "l", "h", "f", "F"];
    const STORIES: [fn(); 8] = [
        region,
        low_region,
        crossed,
        nested,
        with_own_block,
        taken_by_the_program,
        without_queue,
        covered,
    ];
    for row in LETTERS.into_iter().flat_map(|first| LETTERS.map(|second| [first, second])) {
        let row: &'static str = row.concat().leak();
        for story in STORIES {
            Model { row, act: Act::Reads, story }.holds();
            Model { row, act: Act::Direct, story }.holds();
        }
        for story in [region, without_queue, covered] {
            Model { row, act: Act::Leaves, story }.holds();
        }
    }
}
