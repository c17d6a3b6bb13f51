# Watches a boot: lets a slow machine take its time, and ends a boot from which nothing more is to come.
# Sourced.

# Of the guest's heartbeats, one a second: so many without any other line are a script that hangs. The
# longest silence of a script that runs is locktorture's, 34 s.
BEATS=90
# Seconds of processor time that QEMU may use without a line of the guest: then the guest hangs as a
# whole. On a slow machine QEMU gets little processor time, and that changes nothing. A kernel prints
# its first line after some 5 s of it, and a beat takes some hundredths.
SILENT_WORK=60
# Seconds without a line and whatever QEMU used: a guest that stands with its interrupts masked.
SILENT=900
# Seconds in which a kernel that complained may print the rest of its complaint.
LAST_WORDS=2

# Seconds of processor time that a process has used.
processor_time() {
    awk -v tick="$(getconf CLK_TCK)" '{ print int(($14 + $15) / tick) }' "/proc/$1/stat" 2>/dev/null || echo 0
}

# The console without carriage returns and heartbeats.
lines_of() { tr -d '\r' <"$1" | grep -av 'siftlock-run: beat' || true; }

# beats CONSOLE: how many heartbeats there were since another line.
beats() { tr -d '\r' <"$1" | awk '/siftlock-run: beat/ { n++; next } { n = 0 } END { print n + 0 }'; }

# watch PROCESS CONSOLE: waits until QEMU ends, and ends it where a splat, a silence or a script that hangs
# says that it never will. The reason becomes the console's last line.
watch() {
    local process=$1 console=$2 size=-1 now worked=0 since=$SECONDS why= splat_at=
    while kill -0 "$process" 2>/dev/null; do
        sleep 0.3
        now=$(stat -c %s "$console")
        if [ "$now" != "$size" ]; then
            size=$now since=$SECONDS worked=$(processor_time "$process")
        fi
        if [ -n "$splat_at" ] || grep -qaE "$SPLAT" "$console"; then
            : "${splat_at:=$SECONDS}"
            [ $((SECONDS - splat_at)) -lt $LAST_WORDS ] || why='the kernel complained'
        elif [ "$(beats "$console")" -ge $BEATS ]; then
            why="the script hangs: $BEATS heartbeats of the guest and no other line"
        elif [ $(($(processor_time "$process") - worked)) -ge $SILENT_WORK ]; then
            why="the guest hangs: no line in $SILENT_WORK s of processor time"
        elif [ $((SECONDS - since)) -ge $SILENT ]; then
            why="the guest hangs: no line in $SILENT s"
        fi
        [ -z "$why" ] || break
    done
    [ -n "$why" ] || return 0
    kill -KILL "$process" 2>/dev/null || true
    printf '\nsiftlock-run: ended: %s\n' "$why" >>"$console"
}

# first_cause CONSOLE: why its verdicts do not count, in one line that names the test under way; nothing
# where they do.
first_cause() {
    local lines cause number
    lines=$(lines_of "$1")
    if grep -qE "$SPLAT" <<<"$lines"; then
        number=$(grep -nE "$SPLAT" <<<"$lines" | sed -n '1s/:.*//p')
        cause=$(sed -n "${number}p" <<<"$lines")
    elif grep -q 'siftlock-run: end of script' <<<"$lines"; then
        return
    elif grep -q 'siftlock-run: ended: ' <<<"$lines"; then
        number=$(wc -l <<<"$lines")
        cause=$(sed -n 's/^siftlock-run: ended: //p' <<<"$lines" | head -1)
    else
        number=$(wc -l <<<"$lines")
        cause="QEMU ended before the script: $(grep -v '^ *$' <<<"$lines" | tail -1)"
    fi
    printf '%s%s\n' "$(sed 's/^\[ *[0-9.]*\] //' <<<"$cause")" "$(under_way "$number" <<<"$lines")"
}

# under_way NUMBER: what ran at that line of standard input, as scenes and scripts announce it.
under_way() {
    head -n "$1" | sed -E 's/^\[ *[0-9.]+\] //' | awk '
        sub(/^siftlock-run: run /, "") { run = ", during: " $0; scene = lock = ""; next }
        /^\*\* .* \*\*$/ { gsub(/^\*\* | \*\*$/, ""); scene = ", " $0; lock = ""; next }
        scene && sub(/^\* /, "") { lock = ", " $0 }
        END { print run scene lock }'
}
