//! Compiles the core for a simulated machine.

fn main() {
    println!("cargo::rustc-cfg=siftlock_sim");
    println!("cargo::rerun-if-changed=build.rs");
}
