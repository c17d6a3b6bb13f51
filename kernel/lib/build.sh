# Builds the modules. Sourced after packages.sh.

# What the kernel asks of an object: no vector or floating-point registers, no red zone, addresses of
# its own range, no tables of jumps. As of now rustc warns that code without SSE2 has another ABI for
# floating-point arguments; there are none.
RUST_FLAGS=(--edition 2024 --crate-type rlib -Copt-level=3 -Cpanic=abort -Ccodegen-units=1
    -Ccode-model=kernel -Crelocation-model=static -Cno-redzone=yes -Cforce-unwind-tables=no
    -Coverflow-checks=off -Cdebug-assertions=off -Cembed-bitcode=no -Cjump-tables=no
    -Ctarget-feature=-sse,-sse2)

# The check that a link of the spinners' queue is an id, the only one that the compiler cannot prove,
# traps where it fails: the kernel reports an invalid opcode and ends the task.
TRAP='s/^\tcallq?\t\*?_RNvNtC[A-Za-z0-9]*_4core6option13expect_failed(@[A-Z]+)?(\(%rip\))?$/\tud2/'
# Every return goes through the kernel's thunk, which it patches to suit the processor.
THUNK='s/^\tretq?$/\tjmp\t__x86_return_thunk/'

# rust_object NAME RUSTC-ARGUMENTS…: one crate as $BUILD/NAME.o.
rust_object() {
    local name=$1
    shift
    rustc "${RUST_FLAGS[@]}" --crate-name "$name" --emit=link,asm --out-dir "$BUILD/rust" "$@"
    sed -E "$TRAP; $THUNK" "$BUILD/rust/$name.s" >"$BUILD/rust/$name.kernel.s"
    gcc -c "$BUILD/rust/$name.kernel.s" -o "$BUILD/rust/$name.o"
}

# Both crates as one object, only what the exported functions reach.
build_locks() {
    mkdir -p "$BUILD/rust"
    if grep -q '^CONFIG_FRAME_POINTER=y' "$HEADERS/.config"; then
        RUST_FLAGS+=(-Cforce-frame-pointers=yes)
    fi
    rust_object siftlock_core "$@" "$REPO/crates/core/src/lib.rs"
    rust_object siftlock_kernel --extern "siftlock_core=$BUILD/rust/libsiftlock_core.rlib" \
        "$KERNEL/rust/lib.rs"
    local objects=("$BUILD/rust/siftlock_kernel.o" "$BUILD/rust/siftlock_core.o") roots
    mapfile -t roots < <(nm "${objects[0]}" | awk '/ T siftlock_r_/ { print "--undefined=" $3 }')
    ld -r --gc-sections -T "$KERNEL/lib/locks.lds" "${roots[@]}" "${objects[@]}" -o "$BUILD/rust/locks.o"
    # Names of what was left out; objcopy refuses where one is still called. And names of sources: of
    # two, objtool would take the object for a linked kernel.
    objcopy --wildcard --strip-symbol='_R*4core*' --strip-symbol='siftlock_*-cgu.0' \
        "$BUILD/rust/locks.o" "$BUILD/rust/locks.linked"
    "$KERNEL/lib/gate" "$BUILD/rust/locks.linked"
}

# modules DIRECTORY [MAKE-ARGUMENTS…]: Kbuild.
modules() {
    local directory=$1
    shift
    make -C "$HEADERS" M="$directory" "$@" modules
}

# siftlock.ko and its tests, in $BUILD/module.
build_modules() {
    mkdir -p "$BUILD/module"
    cp -u "$KERNEL"/module/* "$KERNEL"/test/* "$BUILD/module/"
    cmp -s "$BUILD/rust/locks.linked" "$BUILD/module/locks.linked" ||
        cp "$BUILD/rust/locks.linked" "$BUILD/module/"
    log modules modules "$BUILD/module"
    ! grep -iE 'warning' "$CACHE/log/modules.log" || die "warnings in the build of the modules"
}
