# Sourced by run and servers: options, turns, and the table. The caller defines `list_loads`, and
# `run_load`, which prints operations a second, and the seconds of user and of system time that a
# second took.
QUICK=no ONLY=.

# Reads the options that are common to all.
read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --quick) QUICK=yes ;;
        --rounds) ROUNDS=${2:?a number} && shift ;;
        --seconds) SECONDS_EACH=${2:?a number} && shift ;;
        --threads) THREADS=${2:?numbers} && shift ;;
        --only) ONLY=${2:?a regular expression} && shift ;;
        *) die "not an option: $1 (see the head of $0)" ;;
        esac
        shift
    done
}

# Whether the user wants something of this name.
is_chosen() { [[ $1 =~ $ONLY ]]; }

# once ROUND WAY LOAD THREADS: prints a line for table.awk.
once() {
    local preload='' said
    if [ "$2" = with ]; then
        preload=$LIBRARY
    fi
    said=$(run_load "$3" "$4" "$preload")
    [ -n "$said" ] || die "$3 with $4 threads, $2 the library, said nothing"
    printf '%s %s %s %s %s\n' "$3" "$4" "$1" "$2" "$said"
}

# Runs the chosen loads with all numbers of threads, and prints the table. A round runs each once without
# and once with the library, and the next round in the opposite order.
take_turns() {
    local round load threads way ways results loads
    results=$(mktemp)
    mapfile -t loads < <(list_loads)
    for ((round = 0; round < ROUNDS; round++)); do
        ways=(without with)
        if ((round % 2)); then
            ways=(with without)
        fi
        for load in "${loads[@]}"; do
            is_chosen "$load" || continue
            for threads in $THREADS; do
                for way in "${ways[@]}"; do
                    once "$round" "$way" "$load" "$threads" >>"$results"
                done
            done
        done
    done
    tell_machine
    [ -s "$results" ] || die "no load has a name like that: $ONLY"
    awk -f "$REACH/table.awk" "$results"
    rm "$results"
}
