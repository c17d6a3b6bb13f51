# Sourced by kernel/run and its parts: places, and how to say that something failed.
set -Eeuo pipefail
complain() { printf 'kernel: failed: %s (%s, line %s)\n' "$BASH_COMMAND" "${BASH_SOURCE[1]}" "${BASH_LINENO[0]}" >&2; }
trap complain ERR

KERNEL=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
REPO=$(cd "$KERNEL/.." && pwd)
# Downloads and builds. Git ignores it; it may be removed at any time.
CACHE=${SIFTLOCK_KERNEL_CACHE:-$KERNEL/cache}
BUILD=$CACHE/build
# Unpacked packages of Debian.
ROOT=$CACHE/root

say() { printf '%s\n' "$*"; }

die() {
    printf 'kernel: %s\n' "$*" ${HINT:+"$HINT"} >&2
    exit 1
}

# log NAME CMD…: runs it, with its output in a file, which is shown if it fails.
log() {
    local file=$CACHE/log/$1.log status
    shift
    mkdir -p "$CACHE/log"
    # Not before `||` or in an `if`: there bash goes on after a command that failed.
    set +e
    trap - ERR
    (
        set -e
        "$@"
    ) >"$file" 2>&1
    status=$?
    trap complain ERR
    set -e
    [ $status = 0 ] || {
        tail -40 "$file" >&2
        die "failed: $* (all of its output: $file)"
    }
}
