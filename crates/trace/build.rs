//! What the linker has to know of the library.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        // It stays loaded, since threads that end call it. What it lacks is an error now.
        for flag in ["-Wl,-z,nodelete", "-Wl,-z,defs", "-Wl,-soname,libsiftlock_trace.so"] {
            println!("cargo::rustc-cdylib-link-arg={flag}");
        }
    }
}
