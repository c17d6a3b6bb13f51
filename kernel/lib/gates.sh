# Shows that the gate of the build fires, on objects that have in them what it looks for, and that a
# verdict beside a complaint of the kernel does not count. Sourced after build.sh and verdicts.sh.

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

# judged WHAT CONSOLE: such a console has failed.
judged() {
    printf '%s\n' "$2" >"$CACHE/log/sample.console"
    if (judge sample sample) | grep -q '^pass'; then
        fail "judge: $1" 'a test passed'
    else
        pass "judge: $1 fails the tests beside it"
    fi
}

test_judge() {
    local passed='[ 1.0] siftlock-test: pass something' end='[ 2.0] siftlock-run: end of script' line
    (printf '%s\n%s\n' "$passed" "$end" >"$CACHE/log/sample.console" && judge sample sample) |
        grep -q '^pass' || fail judge 'a good console did not pass'
    for line in 'WARNING: CPU: 1 PID: 9 at x.c:1' 'BUG: scheduling while atomic: x/9/0x2' \
        'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:' 'Oops: invalid opcode: 0000 [#1]' \
        'INFO: task x:9 blocked for more than 120 seconds.' 'WARNING: possible circular locking dependency'; do
        judged "'$line'" "$passed"$'\n'"[ 1.5] $line"$'\n'"$end"
    done
    judged 'an unfinished script' "$passed"
}
