//! Runs each behaviour of the programs under the library. What glibc promises or bears, too, is
//! also run without it: then the program is right.

use crate::compiler::compiled;
use crate::library;
use std::path::PathBuf;
use std::process::Command;

/// Whether the behaviour is glibc's as well.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Both,
    Ours,
}

/// A program that runs a behaviour under the library, or without it.
fn program(source: &str, behaviour: &str, preload: bool) -> Command {
    let mut command = Command::new(compiled(source));
    command.arg(behaviour);
    if preload {
        command.env("LD_PRELOAD", library::built());
    }
    for library in ["library_plugin.c", "library_early.c"] {
        let variable = library.trim_end_matches(".c").to_uppercase();
        command.env(variable, compiled(library));
    }
    command.env("LIBRARY_PRELOAD", library::built());
    command
}

#[track_caller]
fn succeeds(source: &str, behaviour: &str, of: Of) {
    for preload in [false, true] {
        if !preload && of == Of::Ours {
            continue;
        }
        let output = program(source, behaviour, preload).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        let with = if preload { "under the library" } else { "with glibc alone" };
        let status = output.status;
        assert!(status.success(), "{source} {behaviour}, {with}: {status}\n{said}");
    }
}

macro_rules! behaviours {
    ($($module:ident = $source:literal { $($name:ident: $of:ident,)* })*) => { $(
        mod $module {
            use super::{Of, succeeds};
            $(
                #[test]
                fn $name() {
                    succeeds($source, stringify!($name), Of::$of);
                }
            )*
        }
    )* };
}

behaviours! {
    answers = "answers.c" {
        static_initialisers_are_unlocked: Both,
        any_memory_becomes_a_lock: Both,
        writers_exclude: Both,
        try_answers_busy: Both,
        a_writer_that_locks_again_is_told: Both,
        unlocking_nothing_is_refused: Ours,
        too_many_reads_are_refused: Ours,
        waits_end_at_their_deadline: Both,
        a_time_that_is_none_is_refused: Both,
        errno_stays: Both,
        attributes_choose_the_kind: Both,
    }
    readers = "readers.c" {
        a_reader_reads_again_past_a_writer: Both,
        another_reader_passes_a_writer_in_the_end: Both,
        another_reader_passes_a_writer_that_waits_for_a_slot: Both,
        a_writer_gets_in_among_steady_readers: Ours,
        readers_wait_where_writers_go_first: Both,
        a_writer_waits_for_each_of_nested_reads: Both,
        many_locks_are_read_at_once: Both,
    }
    refused = "refused.c" {
        a_writer_that_stood_aside_gets_in_beside_others: Both,
        a_reader_that_tries_passes_writers_that_wait_for_a_slot: Both,
        a_reader_that_waits_shortly_passes_writers_that_wait_for_a_slot: Both,
    }
    holders = "holders.c" {
        another_thread_ends_a_read: Both,
        another_thread_ends_a_read_by_slot: Both,
        another_thread_ends_one_of_nested_reads: Both,
        a_read_outlives_its_thread: Both,
        a_write_outlives_its_thread: Both,
        a_destructor_ends_a_write: Both,
        memory_goes_right_after_the_unlock: Both,
        a_leaked_read_ends_with_init: Both,
        a_leaked_read_ends_with_destroy: Both,
        a_leaked_read_of_another_thread_ends_with_init: Both,
    }
    contexts = "contexts.c" {
        a_handler_reads_what_it_interrupted: Both,
        a_handler_waits_on_top_of_a_wait: Both,
        a_wait_is_no_cancellation_point: Both,
        a_small_stack_is_enough: Both,
        nothing_is_allocated: Ours,
        the_first_call_does_not_block: Ours,
        membarrier_may_be_refused_later: Both,
    }
    on_top = "on_top.c" {
        a_reader_where_readers_go_first: Both,
        a_reader_where_writers_go_first: Both,
        a_writer_that_waits_for_a_share: Both,
        a_writer_that_waits_for_a_slot: Both,
        a_writer_where_readers_go_first: Both,
        a_writer_where_writers_go_first: Ours,
        a_wait_on_top_ends_in_time: Both,
        a_reader_at_any_instruction: Both,
        a_pair_at_any_instruction: Both,
    }
    processes = "processes.c" {
        a_child_unlocks_what_its_parent_locked: Ours,
        a_child_of_many_threads_goes_on: Both,
        a_child_reads_what_a_writer_waited_for: Ours,
        a_shared_lock_excludes_processes: Both,
        a_private_lock_in_shared_memory_excludes: Both,
        a_plugin_uses_locks_and_goes: Both,
        the_library_comes_by_dlopen: Both,
        locks_work_before_main_and_after_it: Both,
    }
    cpp = "shared_mutex.cpp" {
        shared_mutex_excludes: Both,
        shared_timed_mutex_times_out: Both,
    }
    allocator = "allocator.c" {
        an_allocator_may_be_built_on_a_lock: Both,
    }
}

/// A constructor of a library that comes before the program uses a lock.
#[test]
fn a_library_locks_in_its_constructor() {
    let early: PathBuf = compiled("library_early.c");
    let mut command = program("processes.c", "locks_work_before_main_and_after_it", false);
    let both = format!("{} {}", library::built().display(), early.display());
    let output = command.env("LD_PRELOAD", both).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
