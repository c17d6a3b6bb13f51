# The boots of kernel/run: what each kernel loads, and what must come of it. Each prints its verdicts.
# Sourced.

TORTURE_PSRW='nwriters_stress=2 nreaders_stress=4'
TORTURE_RWSEM='nwriters_stress=3 nreaders_stress=4'

# boot_tests CPUS FLAVOUR: the tests of both locks, and locktorture with them, also while processors come
# and go. FLAVOUR: which build of the modules.
boot_tests() {
    local name=tests-$1 script
    script="
        load siftlock.ko
        load test-siftlock.ko; rmmod test-siftlock
        torture siftlock_psrw 2 SUCCESS $TORTURE_PSRW
        torture siftlock_rwsem 2 SUCCESS $TORTURE_RWSEM
        torture siftlock_psrw 4 SUCCESS $TORTURE_PSRW onoff_interval=1
        torture siftlock_rwsem 4 SUCCESS $TORTURE_RWSEM onoff_interval=1
        rmmod siftlock && say pass siftlock.ko is unloaded || say FAIL siftlock.ko is not unloaded"
    boot "$name" "$1" "$script" "$BUILD/$2"/*.ko "$BUILD"/torture/*.ko
    judge "$name" "$1 processors, $2"
}

# The same, shorter, while each instruction is translated alone: then interrupts come between any two,
# and not only where a block of them ends.
boot_stepped() {
    local script="
        load siftlock.ko
        echo siftlock-run: step >/dev/kmsg
        sleep 1
        load test-siftlock.ko single_ms=50 contention_ms=2000; rmmod test-siftlock
        torture siftlock_psrw 3 SUCCESS $TORTURE_PSRW
        torture siftlock_rwsem 3 SUCCESS $TORTURE_RWSEM"
    local monitor=$CACHE/monitor console=$CACHE/log/stepped.console job
    rm -f "$monitor".in "$monitor".out "$console"
    mkfifo "$monitor".in "$monitor".out
    MONITOR=(-chardev "pipe,id=monitor,path=$monitor" -mon chardev=monitor)
    (
        end_jobs_at_exit
        boot stepped 2 "$script" "$BUILD"/module/*.ko "$BUILD"/torture/*.ko
    ) &
    job=$!
    MONITOR=()
    until grep -qs 'siftlock-run: step' "$console" || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
    # A boot that has ended is judged below; its monitor has no reader.
    if kill -0 $job 2>/dev/null; then
        printf 'singlestep on\ninfo status\n' >"$monitor.in" &
        timeout 30 grep -m 1 'single step mode' "$monitor.out" >"$CACHE/log/monitor.log" ||
            fail 'single steps' 'QEMU did not switch to them'
        cat "$monitor.out" >>"$CACHE/log/monitor.log" &
    fi
    wait $job
    judge stepped '2 processors, single steps'
}

# Instructions of uncontended pairs, exact: one processor, whose clock counts them.
boot_count() {
    ACCELERATOR=(-accel tcg,thread=single -icount shift=0)
    boot count 1 'load siftlock.ko; load count-siftlock.ko' "$BUILD"/module/*.ko
    judge count 'one processor'
    judge_table
}

# The table of README.md says what was counted, where it was counted with this compiler. Of another
# kernel only our own pairs are compared.
judge_table() {
    local readme=$KERNEL/README.md row rows=0 missing= theirs=' [0-9.]* |$' head
    head=$(grep '^Instructions of' "$readme")
    if [[ $head != *", rustc $(rustc --version | cut -d' ' -f2),"* ]]; then
        printf 'note  %s\n' "the table of kernel/README.md is of another compiler"
        return
    fi
    if [[ $head = *" Linux $VERSION,"* ]]; then
        theirs='$'
    fi
    while read -r row; do
        rows=$((rows + 1))
        sed "s/$theirs//" "$readme" | grep -qxF "$(sed "s/$theirs//" <<<"$row")" || missing="$missing $row"
    done < <(verdicts_of "$CACHE/log/count.console" | sed -nE '
        s/^.* instructions of a pair: (.*) ([0-9.]+), (.*) ([0-9.]+)$/| \1 | \2 | \3 | \4 |/
        s/\.0 \|/ |/gp')
    if [ -n "$missing" ]; then
        fail 'table of kernel/README.md' "it should have:$missing"
    elif [ $rows = 0 ]; then
        fail 'table of kernel/README.md' 'nothing was counted'
    else
        pass 'table of kernel/README.md: as counted'
    fi
}

# Locks that do not exclude: all tests must say so. The kernel warns, as it should.
boot_broken() {
    local SPLAT='Kernel panic|Oops' script="
        load siftlock.ko
        torture lock_busted 1 FAILURE nwriters_stress=4
        torture siftlock_psrw 10 FAILURE $TORTURE_PSRW
        torture siftlock_rwsem 10 FAILURE $TORTURE_RWSEM
        must_fail contention_ms=500 psrwlock rwsem"
    boot broken 2 "$script" "$BUILD"/mutant/*.ko "$BUILD"/torture/*.ko
    judge broken 'broken locks'
}
