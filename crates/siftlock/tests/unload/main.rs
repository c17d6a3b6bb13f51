//! A plugin with our locks in it, and a host that closes the plugin and lives on. The host is a
//! program in C, which has no part of the crate in it.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

#[path = "../support/library.rs"]
mod library;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

#[test]
fn plugin_closed_host_thread_that_used_locks_ends() {
    plays("thread");
}

#[test]
fn plugin_closed_host_thread_gets_signals_and_ends() {
    plays("handler");
}

#[test]
fn plugin_closed_host_forks() {
    plays("fork");
}

#[test]
fn plugin_loaded_again_and_again_takes_nothing_more() {
    plays("reload");
}

/// Each copy knows only the threads that lock through it. The rest that the documentation promises
/// holds.
#[test]
fn rwsem_counted_and_only_tried_excludes_across_two_copies_of_the_crate() {
    plays("copies");
}

#[track_caller]
fn plays(scene: &str) {
    static PROGRAMS: OnceLock<[PathBuf; 3]> = OnceLock::new();
    let [host, plugin, copy] = PROGRAMS.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unload");
        let plugin = library::build("unload_plugin", "unload");
        let copy = dir.join("copy.so");
        // The loader knows a library by its file.
        std::fs::copy(&plugin, &copy).expect("a copy");
        [host(&dir), plugin, copy]
    });
    let mut command = Command::new(host);
    let output = command.arg(plugin).arg(scene).arg(copy).output().expect("the host starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{scene}: {}: {said}", output.status);
}

/// Compiles by the C compiler that Rust needs anyway, to link programs.
fn host(dir: &Path) -> PathBuf {
    std::fs::create_dir_all(dir).expect("a place for the programs");
    let host = dir.join("host");
    run(Command::new(library::c_compiler())
        .args(["-Wall", "-Wextra", "-Werror", "-pthread", "-o"])
        .arg(&host)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/unload/host.c"))
        .arg("-ldl"));
    host
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}
