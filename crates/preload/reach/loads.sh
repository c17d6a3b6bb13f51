# Sourced by run: the loads, and how each is run.

list_loads() {
    printf 'openssl-%s\n' fetch-digest fetch-cipher certificate random context objects
    echo handshake-tls
    printf 're2-%s\n' find refuse
    printf 'glib-%s\n' read mixed type
    printf 'uv-%s\n' read mixed
    printf 'shared_mutex-%s\n' read mixed
    printf 'rocksdb-%s\n' memory files
    echo crowd-yields
    printf 'writer-%s\n' writes reads
}

# run_load LOAD THREADS LIBRARY: prints operations a second, and how many seconds of user and system time a second
# took. The library may be an empty string.
run_load() {
    local program=${1%%-*} kind=${1#*-}
    if [ "$program" = rocksdb ]; then
        run_rocksdb "$kind" "$2" "$3"
    else
        LD_PRELOAD=$3 "$MADE/$program" "$kind" "$2" "$SECONDS_EACH"
    fi
}

# Debian's db_bench reads at random. `memory`: from a table whose values may change in place, with one
# read lock a read. `files`: without any such lock, for comparison. The times are of the whole
# process.
run_rocksdb() {
    local said
    # db_bench takes whole seconds only.
    local command=(db_bench "--db=$MADE/rocksdb-$1" --num=100000 "--threads=$2" --duration=1)
    if [ "$1" = memory ]; then
        command+=("--benchmarks=fillseq,readrandom" --inplace_update_support --allow_concurrent_memtable_write=false)
    else
        [ -e "$MADE/rocksdb-files/CURRENT" ] || db_bench "--db=$MADE/rocksdb-files" --num=100000 \
            --benchmarks=fillseq,compact >/dev/null 2>&1
        command+=("--benchmarks=readrandom" --use_existing_db)
    fi
    said=$(
        TIMEFORMAT='times %R %U %S'
        exec 2>&1
        time LD_PRELOAD=$3 "${command[@]}"
    )
    awk '/^readrandom/ { rate = $5 } /^times/ { printf "%.2f %.3f %.3f\n", rate, $3 / $2, $4 / $2 }' <<<"$said"
}

# run_start ROUNDS PROGRAM ARGUMENTS…: prints how long the start of a program takes.
run_start() {
    local rounds=$1 without with more
    shift
    read -r without with more < <("$MADE/start" "$rounds" "$LIBRARY" "$@")
    printf 'start of `%s`: %s ms without, %s ms with, %s ms more (median of %s differences)\n' \
        "$*" "$without" "$with" "$more" "$rounds"
}
