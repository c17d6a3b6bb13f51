# Shows that the gate of the build fires, on objects that have in them what it looks for; that a verdict
# beside a complaint of the kernel does not count; and which boots are ended early. Sourced after build.sh,
# watch.sh and verdicts.sh.

# fires WHAT COMPLAINT RUST [bare]: the gate rejects this code, and says so.
fires() {
    local what=$1 complaint=$2 directory=$BUILD/gate
    mkdir -p "$directory"
    {
        printf '#![no_std]\n#[panic_handler]\nfn p(_: &core::panic::PanicInfo<'"'"'_>) -> ! { loop {} }\n'
        printf '%s\n' "$3"
    } >"$directory/sample.rs"
    # As the locks are built, but with the registers that those must do without.
    rustc "${RUST_FLAGS[@]}" -Ctarget-feature=+sse,+sse2 --emit=asm --crate-name sample \
        -o "$directory/sample.s" "$directory/sample.rs" 2>/dev/null || die "the sample does not build: $what"
    [ "${4:-}" = bare ] || sed -i -E "$THUNK" "$directory/sample.s"
    gcc -c "$directory/sample.s" -o "$directory/sample.o"
    if "$KERNEL/lib/gate" "$directory/sample.o" 2>"$directory/said"; then
        fail "gate: $what" "not found"
    elif ! grep -qF "$complaint" "$directory/said"; then
        fail "gate: $what" "found as something else: $(head -1 "$directory/said")"
    else
        pass "gate: $what is found"
    fi
}

test_gates() {
    local registers='vector, floating-point or thread registers'
    fires 'floating point' "$registers" '#[unsafe(no_mangle)] pub extern "C" fn f(x: &mut f64) { *x *= 3.0 }'
    fires 'a copy by vector registers' "$registers" \
        '#[unsafe(no_mangle)] pub extern "C" fn f(x: &mut [u64; 2], y: &[u64; 2]) { *x = *y }'
    fires 'thread-local storage' "$registers" '#[unsafe(no_mangle)] pub extern "C" fn f() -> u64 {
        let x; unsafe { core::arch::asm!("mov {}, fs:[0]", out(reg) x) }; x }'
    fires 'a panic' 'needs what the module does not have' '#[unsafe(no_mangle)] pub extern "C" fn f(x: &[u8; 9], n: usize) -> u8 { x[n] }'
    fires 'code of libcore' 'needs what the module does not have' \
        '#[unsafe(no_mangle)] pub extern "C" fn f(x: &mut [u8; 999], y: &[u8; 999]) { *x = *y }'
    fires 'an indirect call' 'indirect jumps or calls' '#[unsafe(no_mangle)] pub extern "C" fn f(x: extern "C" fn()) { x(); x() }'
    fires 'a bare return' 'returns that do not go through the thunk' '#[unsafe(no_mangle)] pub extern "C" fn f() {}' bare
}

# judged WHAT CAUSE CONSOLE: such a console has failed, once, and the failure begins with CAUSE.
judged() {
    local verdicts
    printf '%s\n' "$3" >"$CACHE/log/sample.console"
    verdicts=$(judge sample sample)
    if grep -q '^pass' <<<"$verdicts"; then
        fail "judge: $1" 'a test passed'
    elif [ "$(grep -c '^FAIL' <<<"$verdicts")" != 1 ] || ! grep -qF "FAIL  sample: $2" <<<"$verdicts"; then
        fail "judge: $1" "the cause is not what stands out: $verdicts"
    else
        pass "judge: $1 is the one failure, and no test beside it passes"
    fi
}

test_judge() {
    local passed='[ 1.0] siftlock-test: pass something' end='[ 2.0] siftlock-run: end of script' line scene
    (printf '%s\n%s\n' "$passed" "$end" >"$CACHE/log/sample.console" && judge sample sample) |
        grep -q '^pass' || fail judge 'a good console did not pass'
    for line in 'WARNING: CPU: 1 PID: 9 at x.c:1' 'BUG: scheduling while atomic: x/9/0x2' \
        'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:' 'Oops: invalid opcode: 0000 [#1]' \
        'INFO: task x:9 blocked for more than 120 seconds.' 'WARNING: possible circular locking dependency'; do
        judged "'$line'" "$line" "$passed"$'\n'"[ 1.5] $line"$'\n'"$passed"$'\n[ 1.9] siftlock-test: FAIL x\n'"$end"
    done
    scene=$'[ 1.2] siftlock-run: run insmod x.ko\n[ 1.3] ** Scene **\n[ 1.4] * lock\n'
    judged 'a splat inside a scene' 'BUG: y, during: insmod x.ko, Scene, lock;' "$scene"$'[ 1.5] BUG: y\n'"$end"
    judged 'an unfinished script' 'QEMU ended before the script' "$passed"
}

# watched WHAT CONSOLE-END CMD…: in the place of QEMU this command is watched, and the console then ends so.
watched() {
    local what=$1 end=$2 console=$CACHE/log/sample.console
    local BEATS=5 SILENT_WORK=2
    shift 2
    "$@" >"$console" &
    watch $! "$console"
    wait $! 2>/dev/null || true
    if tail -1 "$console" | grep -qE "$end"; then
        pass "watch: $what"
    else
        fail "watch: $what" "the console ended: $(tail -1 "$console")"
    fi
}

test_watch() {
    {
        watched 'a kernel that complains' 'ended: the kernel complained' \
            bash -c 'echo "[ 1.0] BUG: y"; exec sleep 99'
        watched 'a script that hangs' 'ended: the script hangs' \
            bash -c 'while sleep 0.1; do echo "[ 1.0] siftlock-run: beat"; done'
        watched 'a guest that hangs' 'ended: the guest hangs' bash -c 'while :; do :; done'
        watched 'a slow machine may take its time' '^end$' bash -c 'sleep 4; echo end'
    }
}
