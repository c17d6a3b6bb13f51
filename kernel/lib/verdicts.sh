# Verdicts, one a line, and their sum. Sourced.

PASSED=0
FAILED=0

pass() {
    PASSED=$((PASSED + 1))
    printf 'pass  %s\n' "$1"
}

fail() {
    FAILED=$((FAILED + 1))
    printf 'FAIL  %s: %s\n' "$1" "$2"
}

# expect WHAT CMD…: passes if the command does.
expect() {
    local what=$1
    shift
    if "$@"; then pass "$what"; else fail "$what" "$*"; fi
}

# The verdicts that the test modules of a boot have printed. What they call passed has failed if the
# kernel complained, or if the script did not come to its end.
judge() {
    local name=$1 what=$2 console=$CACHE/log/$1.console verdict complaint=
    if ! grep -q 'siftlock-run: end of script' "$console"; then
        complaint="the script did not come to its end; see $console"
    elif ! complaint=$(grep -E "$SPLAT" "$console" | head -1) || [ -z "$complaint" ]; then
        complaint=
    fi
    while read -r verdict; do
        case $verdict in
        note\ *) printf 'note  %s\n' "$what: ${verdict#note }" ;;
        pass\ *)
            if [ -z "$complaint" ]; then
                pass "$what: ${verdict#pass }"
            else
                fail "$what: ${verdict#pass }" "beside: $complaint"
            fi
            ;;
        *) fail "$what: ${verdict#FAIL }" "see $console" ;;
        esac
    done < <(grep -oE 'siftlock-test: (pass|FAIL|note) .*' "$console" | tr -d '\r' | sed 's/^siftlock-test: //')
    [ -z "$complaint" ] || fail "$what: console" "$complaint"
    grep -q 'siftlock-test: ' "$console" || fail "$what" "no test ran; see $console"
}

# in_background NAME CMD…: runs it beside others; finish NAME waits, prints its verdicts and counts them.
in_background() {
    local name=$1
    shift
    ("$@") >"$CACHE/log/$name.verdicts" &
    JOBS[$name]=$!
}
declare -A JOBS

finish() {
    local verdicts=$CACHE/log/$1.verdicts
    wait "${JOBS[$1]}" || fail "$1" "ended early; see $CACHE/log"
    cat "$verdicts"
    PASSED=$((PASSED + $(grep -c '^pass' "$verdicts" || true)))
    FAILED=$((FAILED + $(grep -c '^FAIL' "$verdicts" || true)))
}

# Ends the run with its sum, in the form that test runners print.
sum_up() {
    printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
    [ "$FAILED" = 0 ]
}
