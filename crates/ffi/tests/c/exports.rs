//! What linkers and the loader see of the libraries.

use crate::compiler::run;
use crate::library::home;
use crate::prefix::{prefix, shared_library};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The version of the interface, as `install` computes it.
pub(crate) fn interface() -> String {
    format!("{}.{}", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"))
}

#[track_caller]
fn says(tool: &str, arguments: &[&str], file: &Path) -> String {
    String::from_utf8(run(Command::new(tool).args(arguments).arg(file)).stdout).expect("text")
}

/// The functions that the header declares.
fn declared() -> BTreeSet<String> {
    let header = std::fs::read_to_string(home().join("include/siftlock.h")).expect("the header");
    let code = header.lines().filter(|line| !line.starts_with("//") && !line.starts_with('#'));
    let names = code.filter_map(|line| {
        let name = line.split_once('(')?.0.rsplit([' ', '*']).next()?;
        name.starts_with("siftlock_").then(|| name.to_owned())
    });
    names.collect()
}

/// It exports no symbol of std or another crate: the program may have a copy of its own.
#[test]
fn shared_library_exports_the_header_and_its_version_alone() {
    let version = format!("SIFTLOCK_{}", interface());
    let declared: BTreeSet<_> =
        declared().iter().map(|name| format!("{name}@@{version}")).collect();
    assert!(declared.len() > 30, "{declared:?}");
    let listed = says("nm", &["-D", "--defined-only", "--with-symbol-versions"], &shared_library());
    // GNU's linker lists the version as well.
    let symbols = listed.lines().filter(|line| !line.contains(" A "));
    let exported: BTreeSet<_> =
        symbols.filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect();
    let differ: Vec<_> = exported.symmetric_difference(&declared).collect();
    assert!(differ.is_empty(), "in the header or exported, but not both: {differ:?}");
}

/// If the object that a program takes contained a part of std, that part would collide with the std
/// of another static library of Rust.
#[test]
fn static_library_keeps_std_in_objects_of_its_own() {
    let listed = says("nm", &["-A", "-g", "--defined-only"], &prefix().join("lib/libsiftlock.a"));
    let symbols = || listed.lines().filter_map(|line| line.rsplit_once(' '));
    let object = |place: &str| place.rsplit_once(':').map(|(object, _)| object.to_owned());
    let ours = symbols().find(|(_, name)| *name == "siftlock_rwsem_read");
    let ours = ours.and_then(|(place, _)| object(place)).expect("the library's object");
    let mangled = |name: &str| name.starts_with("_R") || name.starts_with("_ZN");
    let others: Vec<_> = symbols()
        .filter(|(place, name)| object(place).as_ref() == Some(&ours) && !mangled(name))
        .map(|(_, name)| name)
        .filter(|name| !name.starts_with("siftlock_") && !name.starts_with("DW.ref."))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn shared_library_has_the_interface_in_its_soname() {
    let dynamic = says("readelf", &["--dynamic", "--wide"], &shared_library());
    let soname = dynamic.lines().find(|line| line.contains("(SONAME)")).unwrap_or_default();
    assert!(soname.ends_with(&format!("[libsiftlock.so.{}]", interface())), "{dynamic}");
}

/// So a loader refuses an older library at once. Otherwise a call would fail later.
#[test]
fn program_asks_for_the_version() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = dir.join("asks_for_version");
    run(crate::compiler::compile(&home().join("examples/routes.c"))
        .arg("-I")
        .arg(home().join("include"))
        .arg("-o")
        .arg(&program)
        .arg(shared_library()));
    let needs = says("readelf", &["--version-info", "--wide"], &program);
    assert!(needs.contains(&format!("SIFTLOCK_{}", interface())), "{needs}");
}

/// When a call found the thread's words, that call took a third of a read.
#[test]
#[cfg(all(target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn shared_library_has_its_thread_local_words_at_hand() {
    let relocations = says("readelf", &["--relocs", "--wide"], &shared_library());
    // The distance of the words from the thread pointer, on x86 and on Arm.
    let at_hand = ["R_X86_64_TPOFF64", "R_AARCH64_TLS_TPREL64"];
    assert!(at_hand.iter().any(|kind| relocations.contains(kind)), "{relocations}");
    // The bytes that glibc keeps for libraries that come by dlopen, unless the user sets another
    // size.
    const ROOM: u64 = 512;
    let segments = says("readelf", &["--segments", "--wide"], &shared_library());
    let words = segments.lines().find(|line| line.trim_start().starts_with("TLS ")).expect("one");
    let size = words.split_whitespace().nth(5).and_then(|size| size.strip_prefix("0x"));
    let size = u64::from_str_radix(size.expect("a size in memory"), 16).expect("a number");
    assert!((1..=ROOM).contains(&size), "{words}");
}
