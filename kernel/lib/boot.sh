# Boots the stock kernel in QEMU. Sourced after packages.sh; watch.sh looks after the boot.

# What no run may show, however it ended.
SPLAT='\bWARNING\b|\bBUG\b|\bOops\b|Call Trace|\bstall|lockup|blocked for more than|deadlock|[Ii]nvalid context|scheduling while atomic|Kernel panic|segfault'

# initramfs NAME SCRIPT FILE…: a file system in memory whose first program runs SCRIPT and ends QEMU.
# Prints its path.
initramfs() {
    local tree=$CACHE/initramfs/$1 image=$CACHE/initramfs/$1.gz script=$2
    shift 2
    rm -rf "$tree"
    mkdir -p "$tree/bin"
    cp "$BUSYBOX" "$tree/bin/" && cp "$@" "$KERNEL/lib/init" "$KERNEL/lib/guest" "$tree/" ||
        die "no file system for the boot ${tree##*/}"
    printf '%s\n' "$script" >"$tree/script"
    chmod +x "$tree/init"
    (cd "$tree" && find . | "$BUSYBOX" cpio -o -H newc 2>/dev/null | gzip -1) >"$image"
    echo "$image"
}

# boot NAME CPUS SCRIPT FILE…: runs SCRIPT in a kernel with so many processors; its console is in
# $CACHE/log/NAME.console. Ends it early where it cannot succeed any more; see watch.sh.
boot() {
    local name=$1 cpus=$2 script=$3
    shift 3
    local console=$CACHE/log/$name.console initrd
    mkdir -p "$CACHE/log"
    initrd=$(initramfs "$name" "$script" "$@")
    : >"$console"
    "${QEMU[@]}" -nodefaults -no-user-config -display none -no-reboot \
        -m 512 -smp "$cpus" "${ACCELERATOR[@]}" -serial stdio "${MONITOR[@]}" \
        -kernel "$IMAGE" -initrd "$initrd" \
        -append "console=ttyS0 preempt=full no_timer_check panic=-1 loglevel=7 quiet ${APPEND:-}" \
        </dev/null >>"$console" 2>&1 &
    watch $! "$console"
    wait $! 2>/dev/null || true
}
ACCELERATOR=(-accel tcg,thread=multi)
MONITOR=()
