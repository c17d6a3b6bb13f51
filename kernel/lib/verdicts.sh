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
        pass\ *)
            if [ -z "$complaint" ]; then
                pass "$what: ${verdict#pass }"
            else
                fail "$what: ${verdict#pass }" "beside: $complaint"
            fi
            ;;
        *) fail "$what: ${verdict#FAIL }" "see $console" ;;
        esac
    done < <(grep -oE 'siftlock-test: (pass|FAIL) .*' "$console" | tr -d '\r' | sed 's/^siftlock-test: //')
    [ -z "$complaint" ] || fail "$what: console" "$complaint"
    grep -q 'siftlock-test: ' "$console" || fail "$what" "no test ran; see $console"
}

# Ends the run with its sum, in the form that test runners print.
sum_up() {
    printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
    [ "$FAILED" = 0 ]
}
