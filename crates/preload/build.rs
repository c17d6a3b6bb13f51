//! What the linker has to know of the library.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") {
        return;
    }
    // Its constructor comes before those of other libraries, which may use locks. It stays loaded,
    // since threads that end call it. And what it lacks is an error now and not in somebody's
    // program.
    for flag in ["-Wl,-z,initfirst", "-Wl,-z,nodelete", "-Wl,-z,defs"] {
        println!("cargo::rustc-cdylib-link-arg={flag}");
    }
    // perf takes a probe's address for its place in the file. Where LLVM's linker is used, this
    // makes them one.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,separate-loadable-segments");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsiftlock_preload.so");
}
