# Boots the stock kernel in QEMU and judges what the console says. Sourced after packages.sh.

# What no run may show, however it ended.
SPLAT='\bWARNING\b|\bBUG\b|\bOops\b|Call Trace|\bstall|lockup|blocked for more than|deadlock|[Ii]nvalid context|scheduling while atomic|Kernel panic|segfault'

# initramfs NAME SCRIPT FILE…: a file system in memory whose first program runs SCRIPT and ends QEMU.
# Prints its path.
initramfs() {
    local tree=$CACHE/initramfs/$1 image=$CACHE/initramfs/$1.gz script=$2
    shift 2
    rm -rf "$tree"
    mkdir -p "$tree/bin"
    cp "$BUSYBOX" "$tree/bin/"
    cp "$@" "$tree/"
    cp "$KERNEL/lib/init" "$KERNEL/lib/guest" "$tree/"
    printf '%s\n' "$script" >"$tree/script"
    chmod +x "$tree/init"
    (cd "$tree" && find . | "$BUSYBOX" cpio -o -H newc 2>/dev/null | gzip -1) >"$image"
    echo "$image"
}

# boot NAME CPUS SECONDS SCRIPT FILE…: runs SCRIPT in a kernel with so many processors; its console is
# in $CACHE/log/NAME.console. What takes longer does not come to its end, and so is no success.
boot() {
    local name=$1 cpus=$2 seconds=$3 script=$4
    shift 4
    local console=$CACHE/log/$name.console
    mkdir -p "$CACHE/log"
    timeout --foreground --kill-after=5 "$seconds" "${QEMU[@]}" -nodefaults -no-user-config -display none -no-reboot \
        -m 512 -smp "$cpus" "${ACCELERATOR[@]}" -serial stdio "${MONITOR[@]}" \
        -kernel "$IMAGE" -initrd "$(initramfs "$name" "$script" "$@")" \
        -append "console=ttyS0 preempt=full no_timer_check panic=-1 loglevel=7 quiet ${APPEND:-}" \
        </dev/null >"$console" 2>&1 || true
}
ACCELERATOR=(-accel tcg,thread=multi)
MONITOR=()
