# Gets what the tests need from Debian's packages, unpacked into $ROOT and not installed: a stock
# kernel, its headers, busybox, and QEMU unless there is one. Sourced.

SUITE=6.1
QEMU_PACKAGE=qemu-system-x86

# The newest $SUITE kernel for clouds that the package lists know, with headers of the same version.
newest_kernel() {
    local names
    names=$(apt-cache pkgnames linux-)
    comm -12 <(sed -n "s/^linux-image-\($SUITE\..*-cloud-amd64\)$/\1/p" <<<"$names" | sort) \
        <(sed -n "s/^linux-headers-\($SUITE\..*-cloud-amd64\)$/\1/p" <<<"$names" | sort) |
        sort -V | tail -1
}

# All packages that an install of $1 would bring, without recommended ones.
with_dependencies() {
    apt-get install --simulate --no-install-recommends "$1" | awk '/^Inst/ { print $2 }'
}

# Downloads the packages and unpacks them, each once.
unpack() {
    mkdir -p "$CACHE/debs" "$ROOT"
    (cd "$CACHE/debs" && apt-get download "$@") ||
        die "these packages cannot be downloaded: $*"
    local deb
    for deb in "$CACHE/debs"/*.deb; do
        dpkg-deb -x "$deb" "$ROOT"
        rm "$deb"
    done
}

# The lists of packages, as new as can be: old ones name versions that are gone.
need_lists() {
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
        die "the stock kernel comes from Debian's packages: apt-get and dpkg-deb are needed"
    if [ "$(id -u)" = 0 ] && [ -z "${LISTS_ARE_NEW:-}" ]; then
        log apt-update apt-get update
        LISTS_ARE_NEW=yes
    fi
    [ -n "$(newest_kernel)" ] ||
        die "no linux-image-$SUITE*-cloud-amd64 in the package lists; run 'apt-get update' as root"
}

# Sets VERSION, HEADERS, IMAGE, BUSYBOX and QEMU.
get_packages() {
    need_compilers
    HINT='nothing was tested: the stock kernel and QEMU come from Debian packages, and cannot be had'
    if [ ! -f "$CACHE/version" ]; then
        need_lists
        VERSION=$(newest_kernel)
        local common=linux-headers-${VERSION%-cloud-amd64}-common
        log packages unpack "linux-image-$VERSION" "linux-headers-$VERSION" "$common" \
            "linux-kbuild-$SUITE" busybox-static
        # The one absolute path in there.
        sed -i "s,/usr/src/,$ROOT/usr/src/,; s,/usr/lib/,$ROOT/usr/lib/," "$ROOT/usr/src/linux-headers-$VERSION/Makefile"
        echo "$VERSION" >"$CACHE/version"
    fi
    VERSION=$(cat "$CACHE/version")
    HEADERS=$ROOT/usr/src/linux-headers-$VERSION
    IMAGE=$ROOT/boot/vmlinuz-$VERSION
    BUSYBOX=$ROOT/bin/busybox
    need_for_kernel
    get_qemu
    HINT=
}

# What the kernel's own makefiles call, which no package here brings.
need_for_kernel() {
    local compiler objtool=$ROOT/usr/lib/linux-kbuild-$SUITE/tools/objtool/objtool
    compiler=$(grep -o 'gcc-[0-9]*$' "$HEADERS/.kernelvariables")
    command -v "$compiler" >/dev/null || die "$compiler is needed, the compiler of this kernel, and is not there"
    ! ldd "$objtool" | grep 'not found' >&2 || die "the library above is needed (libelf1), and is not there"
}

# The machine's own, or Debian's with its libraries.
get_qemu() {
    if command -v qemu-system-x86_64 >/dev/null; then
        QEMU=(qemu-system-x86_64)
        return
    fi
    local own=$ROOT/usr/bin/qemu-system-x86_64 libraries=$ROOT/usr/lib/x86_64-linux-gnu
    if [ ! -x "$own" ]; then
        need_lists
        local packages
        mapfile -t packages < <(with_dependencies $QEMU_PACKAGE)
        log qemu unpack "${packages[@]}"
    fi
    QEMU=(env "LD_LIBRARY_PATH=$libraries:$ROOT/lib/x86_64-linux-gnu" "$own"
        -L "$ROOT/usr/share/qemu" -L "$ROOT/usr/share/seabios")
    "${QEMU[@]}" --version >/dev/null 2>&1 || die "QEMU does not run: ${QEMU[*]} --version"
}

# Unpacks the kernel's own test of locks from its source package; sets TORTURE.
get_locktorture() {
    local archive=$ROOT/usr/src/linux-source-$SUITE.tar.xz top=linux-source-$SUITE
    TORTURE=$CACHE/torture
    [ -f "$TORTURE/locktorture.c" ] && return
    need_lists
    mkdir -p "$TORTURE"
    log source unpack "linux-source-$SUITE"
    log torture tar --occurrence=1 -xf "$archive" -C "$TORTURE" --strip-components=2 \
        "$top/kernel/torture.c" "$top/kernel/locking/locktorture.c"
    mv "$TORTURE/locking/locktorture.c" "$TORTURE/"
    rm -r "$archive" "$TORTURE/locking"
}
