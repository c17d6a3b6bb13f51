//! pkg-config finds the installed package, and programs run with it.

use crate::compiler::{compile, run};
use crate::library::home;
use crate::prefix::prefix;
use std::path::Path;
use std::process::Command;

/// The flags that pkg-config prints for the installed library. `None`: there is no pkg-config.
fn pkg_config(arguments: &[&str]) -> Option<Vec<String>> {
    let mut command = Command::new("pkg-config");
    command.args(arguments).arg("siftlock");
    command.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    if command.output().is_err() {
        eprintln!("not run, since there is no pkg-config");
        return None;
    }
    let said = String::from_utf8(run(&mut command).stdout).expect("text");
    Some(said.split_whitespace().map(str::to_owned).collect())
}

#[track_caller]
fn runs(example: &str, name: &str, libraries: &[String]) {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    run(compile(&home().join("examples").join(example)).arg("-o").arg(&program).args(libraries));
    let output = run(Command::new(&program).env("LD_LIBRARY_PATH", prefix().join("lib")));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "/ is known\n");
}

#[test]
fn installed_shared_library_serves_c_and_cpp() {
    let Some(libraries) = pkg_config(&["--cflags", "--libs"]) else { return };
    runs("routes.c", "shared_c", &libraries);
    runs("routes.cpp", "shared_cpp", &libraries);
}

#[test]
fn installed_static_library_serves_c_and_cpp() {
    let Some(libraries) = pkg_config(&["--static", "--cflags", "--libs"]) else { return };
    let archive = prefix().join("lib/libsiftlock.a").to_str().expect("a name").to_owned();
    let libraries: Vec<_> = libraries
        .into_iter()
        .map(|flag| if flag == "-lsiftlock" { archive.clone() } else { flag })
        .collect();
    runs("routes.c", "static_c", &libraries);
    runs("routes.cpp", "static_cpp", &libraries);
}
