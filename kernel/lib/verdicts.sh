# Verdicts, one a line, and their sum. Sourced.

PASSED=0
FAILED=0
# The failure that came first: those after it may be its consequences.
FIRST=

pass() {
    PASSED=$((PASSED + 1))
    printf 'pass  %s\n' "$1"
}

fail() {
    FAILED=$((FAILED + 1))
    : "${FIRST:="$1: $2"}"
    printf 'FAIL  %s: %s\n' "$1" "$2"
}

# judge NAME WHAT: the verdicts that the test modules of a boot have printed. Where the kernel complained, or
# the script did not come to its end, that is the one failure, and nothing beside it has passed.
judge() {
    local what=$2 console=$CACHE/log/$1.console cause verdict verdicts void=0
    mapfile -t verdicts < <(verdicts_of "$console")
    cause=$(first_cause "$console")
    for verdict in "${verdicts[@]}"; do
        case $verdict in
        note\ *) printf 'note  %s\n' "$what: ${verdict#note }" ;;
        FAIL\ *) fail "$what" "${verdict#FAIL }; see $console" ;;
        *) if [ -z "$cause" ]; then pass "$what: ${verdict#pass }"; else void=$((void + 1)); fi ;;
        esac
    done
    if [ -n "$cause" ]; then
        fail "$what" "$cause; see $console"
        [ $void = 0 ] || printf 'void  %s: %s passes beside that failure do not count\n' "$what" $void
    elif [ ${#verdicts[@]} = 0 ]; then
        fail "$what" "no test ran; see $console"
    fi
}

# What the test modules said before the kernel first complained.
verdicts_of() {
    tr -d '\r' <"$1" | sed -nE "/$SPLAT/q; s/^\\[ *[0-9.]+\\] siftlock-test: ((pass|FAIL|note) .*)$/\\1/p"
}

# However the shell ends, what it has begun ends with it: the boots, and their QEMU.
end_jobs_at_exit() { trap 'jobs=$(jobs -p); [ -z "$jobs" ] || kill $jobs 2>/dev/null || :' EXIT; }

# in_background NAME CMD…: runs it beside others; finish NAME waits, prints its verdicts and counts them.
in_background() {
    local name=$1
    shift
    (
        end_jobs_at_exit
        "$@"
    ) >"$CACHE/log/$name.verdicts" 2>"$CACHE/log/$name.errors" &
    JOBS[$name]=$!
}
declare -A JOBS

finish() {
    local verdicts=$CACHE/log/$1.verdicts errors=$CACHE/log/$1.errors
    if ! wait "${JOBS[$1]}"; then
        # The first error; those after it say which scripts it ended.
        printf 'FAIL  %s: %s\n' "$1" "$(head -1 "$errors")" >>"$verdicts"
    fi
    cat "$verdicts"
    : "${FIRST:="$(sed -n 's/^FAIL  //p' "$verdicts" | head -1)"}"
    PASSED=$((PASSED + $(grep -c '^pass' "$verdicts" || true)))
    FAILED=$((FAILED + $(grep -c '^FAIL' "$verdicts" || true)))
}

# Ends the run with its sum, in the form that test runners print, and with its status.
sum_up() {
    [ "$FAILED" -lt 2 ] || printf 'first failure: %s\n' "$FIRST"
    printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
    exit $((FAILED > 0))
}
