//! Functions that begin a cache line.
//!
//! How long the short ways through take must not depend on what else the library contains. Where
//! they lie badly in their lines, a pair of calls takes a tenth longer (AMD Milan, November 2026).
//! Rust has no attribute for the alignment of a function. So the function has a section of its own,
//! and the assembler aligns that section.

/// Defines a function that begins a cache line. (Where the crate is compiled in several units, as
/// in debug builds, it may begin anywhere: the assembly and the function may be in different ones.)
macro_rules! at_line {
    ($(#[$meta:meta])* $(unsafe extern $abi:literal)? fn $name:ident $($rest:tt)*) => {
        core::arch::global_asm!(concat!(
            ".pushsection .text.siftlock_preload.",
            stringify!($name),
            ",\"ax\",%progbits\n.p2align 6\n.popsection",
        ));

        $(#[$meta])*
        #[unsafe(link_section = concat!(".text.siftlock_preload.", stringify!($name)))]
        $(unsafe extern $abi)? fn $name $($rest)*
    };
}
