# Builds the modules. Sourced.

need_compilers() {
    local tool
    for tool in rustc gcc make ld objcopy objdump bc; do
        command -v $tool >/dev/null || die "$tool is needed to build the module, and is not there"
    done
}

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
# Every return goes through the kernel's thunk, which it patches to suit the processor, if it has one.
THUNK='s/^\tretq?$/\tjmp\t__x86_return_thunk/'

# rust_object NAME DIRECTORY RUSTC-ARGUMENTS…: one crate as DIRECTORY/NAME.o.
rust_object() {
    local name=$1 to=$2
    shift 2
    rustc "${RUST_FLAGS[@]}" --crate-name "$name" --emit=link,asm --out-dir "$to" "$@"
    sed -E "$TRAP; $THUNK" "$to/$name.s" >"$to/$name.kernel.s"
    gcc -c "$to/$name.kernel.s" -o "$to/$name.o"
}

# What Rust has to know of the kernel's structures, $BUILD/offsets/offsets.rs.
write_offsets() {
    local to=$BUILD/offsets
    replace "$KERNEL"/lib/offsets/* "$to"
    make -C "$HEADERS" M="$to" offsets.s
    sed -n 's/^->\([A-Z_]*\) \$\([0-9][0-9]*\).*$/pub(super) const \1: usize = \2;/p' "$to/offsets.s" >"$to/offsets.rs"
    grep -q TASK_PID "$to/offsets.rs"
}

# has OPTION: whether the kernel is configured with it.
has() { grep -q "^CONFIG_$1=y" "$HEADERS/.config"; }

# build_locks NAME CORE [RUSTC-ARGUMENTS…]: the core in CORE and what exports it as one object,
# $BUILD/NAME/locks.linked: only what the exported functions reach.
build_locks() {
    local to=$BUILD/$1 core=$2 roots
    shift 2
    mkdir -p "$to"
    write_offsets
    export SIFTLOCK_OFFSETS=$BUILD/offsets/offsets.rs
    ! has FRAME_POINTER || RUST_FLAGS+=(-Cforce-frame-pointers=yes)
    has RETHUNK || THUNK= RETURNS=bare
    rust_object siftlock_core "$to" "$core/src/lib.rs"
    rust_object siftlock_kernel "$to" "$@" --extern "siftlock_core=$to/libsiftlock_core.rlib" \
        "$KERNEL/rust/lib.rs"
    mapfile -t roots < <(nm "$to/siftlock_kernel.o" | awk '/ T siftlock_r_/ { print "--undefined=" $3 }')
    ld -r --gc-sections -T "$KERNEL/lib/locks.lds" "${roots[@]}" \
        "$to/siftlock_kernel.o" "$to/siftlock_core.o" -o "$to/locks.o"
    # Names of what was left out; objcopy refuses where one is still called. And names of sources: of
    # two, objtool would take the object for a linked kernel.
    objcopy --wildcard --strip-symbol='_R*4core*' --strip-symbol='siftlock_*-cgu.0' \
        "$to/locks.o" "$to/locks.linked"
    "$KERNEL/lib/gate" "$to/locks.linked" ${RETURNS:-}
}

# A copy of the core with a mistake in each lock, $BUILD/mutant-core.
make_mutant() {
    local copy=$BUILD/mutant-core
    rm -rf "$copy"
    cp -r "$REPO/crates/core" "$copy"
    mutate "$copy/src/psrw/sift.rs" psrw
    mutate "$copy/src/rwsem/calls/read.rs" rwsem
}

# mutate FILE NAME: as kernel/mutants/NAME.sed says, which must find its place.
mutate() {
    sed -i.right -f "$KERNEL/mutants/$2.sed" "$1"
    ! cmp -s "$1" "$1.right" || die "kernel/mutants/$2.sed no longer fits ${1#"$BUILD/mutant-core/"}"
}

# modules DIRECTORY [MAKE-ARGUMENTS…]: Kbuild.
modules() {
    local directory=$1
    shift
    make -C "$HEADERS" M="$directory" "$@" modules
}

# replace FROM… DIRECTORY: copies what differs, so that make sees what is new.
replace() {
    local to=${*: -1} file
    mkdir -p "$to"
    for file in "${@:1:$#-1}"; do
        cmp -s "$file" "$to/${file##*/}" || cp "$file" "$to/"
    done
}

# build_modules NAME LOCKS [MAKE-ARGUMENTS…]: siftlock.ko around $BUILD/LOCKS/locks.linked, in $BUILD/NAME,
# with the modules that SIFTLOCK_TESTS names.
build_modules() {
    local to=$BUILD/$1
    replace "$KERNEL"/module/* "$KERNEL"/test/* "$BUILD/$2/locks.linked" "$to"
    log "$1" modules "$to" "${@:3}"
    if complaints "$CACHE/log/$1.log"; then
        # Made again, the objects would be there, and nothing would complain.
        rm -r "$to"
        die "complaints in the build: $CACHE/log/$1.log"
    fi
}

# What compilers, objtool and modpost complain of, but not that another compiler built the kernel.
complaints() { grep -E '(^|: )(warning|error|WARNING|ERROR):' "$1" | grep -v 'the compiler differs'; }

# The kernel's locktorture with both locks as types, in $BUILD/torture.
build_torture() {
    local to=$BUILD/torture
    replace "$KERNEL"/torture/Kbuild "$KERNEL"/torture/siftlock-ops.h "$KERNEL"/module/*.h \
        "$TORTURE/torture.c" "$to"
    replace "$KERNEL/torture/rcu.h" "$to/rcu"
    sed -e '/^static int __init lock_torture_init(void)/i #include "siftlock-ops.h"' \
        -e '/&percpu_rwsem_lock_ops,/a &siftlock_rwsem_ops, &siftlock_psrw_ops,' \
        "$TORTURE/locktorture.c" >"$to/locktorture.new"
    cmp -s "$to/locktorture.new" "$to/locktorture.c" || mv "$to/locktorture.new" "$to/locktorture.c"
    log locktorture modules "$to" KBUILD_EXTRA_SYMBOLS="$BUILD/module/Module.symvers"
}
