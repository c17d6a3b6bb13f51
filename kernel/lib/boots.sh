# The boots of kernel/run: what each kernel loads, and what must come of it. Sourced.

# boot_tests CPUS: the tests of both locks, and locktorture with them, while processors come and go.
boot_tests() {
    local cpus=$1 script
    script='
        insmod siftlock.ko
        insmod test-siftlock.ko && rmmod test-siftlock
        torture siftlock_psrw 3 SUCCESS nwriters_stress=2 nreaders_stress=4
        torture siftlock_rwsem 3 SUCCESS nwriters_stress=3 nreaders_stress=4
        torture siftlock_psrw 4 SUCCESS nwriters_stress=2 nreaders_stress=4 onoff_interval=1
        torture siftlock_rwsem 4 SUCCESS nwriters_stress=3 nreaders_stress=4 onoff_interval=1
        rmmod siftlock && say pass siftlock.ko is unloaded'
    boot "tests-$cpus" "$cpus" 120 "$script" "$BUILD"/module/*.ko "$BUILD"/torture/*.ko ||
        fail "$cpus processors: boot" "see $CACHE/log/tests-$cpus.console"
    judge "tests-$cpus" "$cpus processors"
}

# Locks that do not exclude: all tests must say so. The kernel warns, as it should.
boot_broken() {
    local script='
        insmod siftlock.ko
        torture lock_busted 2 FAILURE nwriters_stress=4
        torture siftlock_psrw 2 FAILURE nwriters_stress=2 nreaders_stress=4
        torture siftlock_rwsem 2 FAILURE nwriters_stress=3 nreaders_stress=4
        insmod test-siftlock.ko contention_ms=500 >/dev/null 2>&1
        for lock in psrwlock rwsem; do
            if dmesg | grep -q "siftlock-[t]est: FAIL $lock: High contention test: the lock did not exclude"; then
                say pass test-siftlock $lock mutant: it did not exclude
            else
                say FAIL test-siftlock $lock mutant: not found
            fi
        done'
    boot broken 2 60 "$script" "$BUILD"/mutant/*.ko "$BUILD"/torture/*.ko ||
        fail 'broken locks: boot' "see $CACHE/log/broken.console"
    SPLAT='Kernel panic|Oops' judge_broken
}

# Of test-siftlock's own verdicts only the last two count: it is to fail.
judge_broken() {
    sed -i -E '/siftlock-test: (pass|FAIL) (standard rwlock|psrwlock|rwsem): /d' "$CACHE/log/broken.console"
    judge broken 'broken locks'
}
