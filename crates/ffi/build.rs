//! The name by which programs ask the loader for the shared library. It changes with each version that may break
//! programs: before 1.0 that is each minor one.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let set = |name: &str| env::var(name).expect("cargo sets it");
    if set("CARGO_CFG_TARGET_OS") == "linux" {
        let (major, minor) = (set("CARGO_PKG_VERSION_MAJOR"), set("CARGO_PKG_VERSION_MINOR"));
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsiftlock.so.{major}.{minor}");
    }
}
