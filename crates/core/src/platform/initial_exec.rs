//! Thread-local words of a shared library, found without a call.

/// The address of the calling thread's words under `$symbol`, found in the *initial-exec* model.
///
/// That is two loads, where `thread_local!` in a shared library is a call. Stable Rust cannot ask
/// for this model. So the crate that owns the words declares them in assembly (`global_asm!`, in a
/// section `.tdata` or `.tbss`). Without that declaration the program does not link.
///
/// For 64-bit x86 and Arm, with ELF.
#[macro_export]
macro_rules! initial_exec {
    ($symbol:literal) => {{
        let words: *mut ();
        // SAFETY: by the ABI, the address is the thread pointer plus the words' offset, which the
        // loader has written. Both stay the same while the thread lives.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            ::core::arch::asm!(
                ::core::concat!("mov {words}, qword ptr [rip + ", $symbol, "@GOTTPOFF]"),
                "add {words}, qword ptr fs:[0]",
                words = out(reg) words,
                options(pure, nomem, nostack),
            );
            #[cfg(target_arch = "aarch64")]
            ::core::arch::asm!(
                ::core::concat!("adrp {words}, :gottprel:", $symbol),
                ::core::concat!("ldr {words}, [{words}, :gottprel_lo12:", $symbol, "]"),
                "mrs {pointer}, tpidr_el0",
                "add {words}, {words}, {pointer}",
                words = out(reg) words,
                pointer = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        words
    }};
}
