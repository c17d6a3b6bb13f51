//! CMake finds the installed package, even after a move, and programs run with it.

use crate::compiler::run;
use crate::library::home;
use crate::prefix::prefix;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn cmake_builds_with_an_installed_folder_that_was_moved() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("not run, since there is no cmake");
        return;
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cmake");
    let (moved, built) = (dir.join("moved"), dir.join("built"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a place for it");
    run(Command::new("cp").arg("-a").arg(prefix()).arg(&moved));
    // Like /lib, which is a link to a folder in /usr.
    let linked = dir.join("link");
    std::os::unix::fs::symlink("moved/lib", dir.join("lib")).expect("a link");
    std::os::unix::fs::symlink(".", &linked).expect("a link");

    let set = |name: &str, value: &str| format!("-D{name}={value}");
    let text = |path: &Path| path.to_str().expect("a name").to_owned();
    run(Command::new("cmake")
        .arg("-S")
        .arg(home().join("tests/cmake"))
        .arg("-B")
        .arg(&built)
        .arg(set("CMAKE_PREFIX_PATH", &text(&linked)))
        .arg(set("CMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH", "NO"))
        .arg(set("EXAMPLES", &text(&home().join("examples"))))
        .arg(set("VERSION", env!("CARGO_PKG_VERSION")))
        .arg(set("INTERFACE", &crate::exports::interface())));
    run(Command::new("cmake").arg("--build").arg(&built));

    for (kind, example) in
        [("siftlock", "c"), ("siftlock", "cpp"), ("static", "c"), ("static", "cpp")]
    {
        let program = built.join(format!("{kind}_routes_{example}"));
        assert_eq!(run(&mut Command::new(&program)).stdout, b"/ is known\n");
        let needs = run(Command::new("readelf").arg("--dynamic").arg(&program)).stdout;
        let needs = String::from_utf8(needs).expect("text");
        assert_eq!(needs.contains("libsiftlock.so."), kind == "siftlock", "{needs}");
        assert!(!needs.contains(&text(prefix())), "{needs}");
    }
}
