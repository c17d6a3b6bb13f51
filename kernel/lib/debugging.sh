# A small kernel with lockdep and tracers, and what is shown with it. Sourced by kernel/debug.

# get_debug_kernel: builds it once; sets HEADERS and IMAGE. Needs flex, bison and libelf's headers, taken
# from Debian's packages like the rest.
get_debug_kernel() {
    local tree=$CACHE/debug/linux-source-$SUITE
    HEADERS=$tree
    IMAGE=$tree/arch/x86/boot/bzImage
    [ -f "$IMAGE" ] && [ -f "$tree/Module.symvers" ] && return
    need_lists
    mkdir -p "$CACHE/debug"
    log debug-packages unpack flex bison m4 libelf-dev zlib1g-dev "linux-source-$SUITE"
    log debug-source tar -xf "$ROOT/usr/src/linux-source-$SUITE.tar.xz" -C "$CACHE/debug"
    rm "$ROOT/usr/src/linux-source-$SUITE.tar.xz"
    say "kernel: building a kernel, some minutes; see $CACHE/log/debug-kernel.log"
    log debug-kernel build_kernel "$tree"
}

build_kernel() {
    local tree=$1 libraries=$ROOT/usr/lib/x86_64-linux-gnu library
    # The packages of headers point at libraries beside them; they are the machine's own.
    for library in libelf libz; do
        ln -sf "$(ldconfig -p | awk -v name="$library.so.1" '$1 == name && /x86-64/ { print $NF; exit }')" \
            "$libraries/$library.so"
    done
    export PATH=$ROOT/usr/bin:$PATH BISON_PKGDATADIR=$ROOT/usr/share/bison M4=$ROOT/usr/bin/m4
    local host=("HOSTCFLAGS=-I$ROOT/usr/include" "HOSTLDFLAGS=-L$libraries")
    cd "$tree"
    make "${host[@]}" tinyconfig
    scripts/kconfig/merge_config.sh -m .config "$KERNEL/debugging/fragment"
    make "${host[@]}" olddefconfig
    make "${host[@]}" -j"$(nproc)" bzImage modules_prepare
    # What modules may link to; written by itself only where the kernel has modules of its own.
    cp vmlinux.symvers Module.symvers
}

# The modules of kernel/debugging, beside siftlock.ko.
build_debugging() {
    local to=$BUILD/debugging
    replace "$KERNEL"/debugging/Kbuild "$KERNEL"/debugging/*.c "$KERNEL"/module/*.h "$to"
    log debugging modules "$to" KBUILD_EXTRA_SYMBOLS="$BUILD/module/Module.symvers"
}

# Two processors, where the kernel without ACPI finds them.
TWO=2,sockets=2

# All tests run without a complaint of lockdep, or of the check of sleeping calls.
boot_clean() {
    boot debug-clean "$TWO" '[ $(nproc) = 2 ] || say FAIL processors: $(nproc); load siftlock.ko; load test-siftlock.ko contention_ms=2000' \
        "$BUILD"/module/*.ko
    judge debug-clean lockdep
}

# boot_misuse MISTAKE REPORT: the kernel complains of it in these words.
boot_misuse() {
    local name=misuse-$1 SPLAT='Kernel panic|Oops'
    boot "$name" "$TWO" "load siftlock.ko; load misuse-siftlock.ko mistake=$1" \
        "$BUILD"/module/siftlock.ko "$BUILD"/debugging/misuse-siftlock.ko
    if grep -q "$2" "$CACHE/log/$name.console"; then
        pass "misuse $1: $2"
    else
        fail "misuse $1" "no '$2'; see $CACHE/log/$name.console"
    fi
}

# How long a writer keeps interrupts out while readers are slow, by the kernel's tracer.
boot_traced() {
    local console=$CACHE/log/traced.console standard ours script='
        kill $heart # its lines would be traced as well
        mount -t tracefs trace /sys/kernel/tracing
        load siftlock.ko
        cd /sys/kernel/tracing
        for lock in rwlock psrwlock; do
            echo irqsoff >current_tracer
            echo 0 >tracing_max_latency
            taskset 1 load /slow-siftlock.ko lock=$lock
            echo "siftlock-trace: $lock $(cat tracing_max_latency) us"
            head -40 trace
            echo nop >current_tracer
            rmmod slow-siftlock
        done'
    boot traced "$TWO" "$script" "$BUILD"/module/siftlock.ko "$BUILD"/debugging/slow-siftlock.ko
    standard=$(sed -n 's/.*siftlock-trace: rwlock \([0-9]*\) us.*/\1/p' "$console")
    ours=$(sed -n 's/.*siftlock-trace: psrwlock \([0-9]*\) us.*/\1/p' "$console")
    if [ -n "$standard" ] && [ -n "$ours" ] && [ $((ours * 15)) -le "$standard" ]; then
        pass "interrupts kept out: psrwlock $ours us, rwlock_t $standard us; traces in $console"
    else
        fail 'interrupts kept out' "psrwlock ${ours:-?} us, rwlock_t ${standard:-?} us; see $console"
    fi
}
