# Shows that the gate of the build fires: on objects that have in them what it looks for. Sourced after
# build.sh.

# fires WHAT RUST: the gate rejects this code.
fires() {
    local what=$1 directory=$BUILD/gate
    mkdir -p "$directory"
    {
        printf '#![no_std]\n#[panic_handler]\nfn p(_: &core::panic::PanicInfo<'"'"'_>) -> ! { loop {} }\n'
        printf '%s\n' "$2"
    } >"$directory/sample.rs"
    # As the locks are built, but with the registers that those must do without.
    rustc "${RUST_FLAGS[@]}" -Ctarget-feature=+sse,+sse2 --emit=asm --crate-name sample \
        -o "$directory/sample.s" "$directory/sample.rs" 2>/dev/null || die "the sample does not build: $what"
    [ "${3:-}" = bare ] || sed -i -E "$THUNK" "$directory/sample.s"
    gcc -c "$directory/sample.s" -o "$directory/sample.o"
    if "$KERNEL/lib/gate" "$directory/sample.o" 2>/dev/null; then
        fail "gate: $what" "not found"
    else
        pass "gate: $what is found"
    fi
}

test_gates() {
    fires 'floating point' '#[unsafe(no_mangle)] pub extern "C" fn f(x: &mut f64) { *x *= 3.0 }'
    fires 'a copy by vector registers' \
        '#[unsafe(no_mangle)] pub extern "C" fn f(x: &mut [u64; 2], y: &[u64; 2]) { *x = *y }'
    fires 'a panic' '#[unsafe(no_mangle)] pub extern "C" fn f(x: &[u8; 9], n: usize) -> u8 { x[n] }'
    fires 'code of libcore' \
        '#[unsafe(no_mangle)] pub extern "C" fn f(x: &mut [u8; 999], y: &[u8; 999]) { *x = *y }'
    fires 'an indirect call' '#[unsafe(no_mangle)] pub extern "C" fn f(x: extern "C" fn()) { x(); x() }'
    fires 'a bare return' '#[unsafe(no_mangle)] pub extern "C" fn f() {}' bare
}
