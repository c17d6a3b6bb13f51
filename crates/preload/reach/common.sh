# Sourced by run, servers and suites: places, packages, and the library.
set -Eeuo pipefail

REACH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$REACH/../../.." && pwd)
TARGETS=$(realpath -m "${CARGO_TARGET_DIR:-$REPO/target}")
export CARGO_TARGET_DIR=$TARGETS
MADE=$TARGETS/reach
LIBRARY=$TARGETS/preload/libsiftlock_preload.so

die() {
    printf 'reach: %s\n' "$*" >&2
    exit 1
}

# Installs the missing packages of Debian. If it cannot, it names them and ends.
need_packages() {
    local missing=() package
    for package; do
        dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return
    command -v apt-get >/dev/null || die "Debian's packages are needed: ${missing[*]}"
    [ "$(id -u)" = 0 ] || die "please run as root: apt-get install ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

build_library() {
    (cd "$REPO" && cargo build --quiet --package siftlock-preload --profile preload)
    mkdir -p "$MADE"
}

# Prints the processor, the system and the date, without which the figures mean nothing later.
tell_machine() {
    printf '%s, %s CPUs, Linux %s, glibc %s, %s\n\n' "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" \
        "$(nproc)" "$(uname -r)" "$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)" "$(date -u +%Y-%m-%d)"
}
