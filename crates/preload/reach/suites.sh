# Sourced by suites: the tests of each suite. `list_SUITE` prints their names. `run_SUITE NAME COMMAND…`
# runs one test by the command.
SUITES="glib libuv python"
SUITE_PACKAGES=(libglib2.0-tests libpython3.11-testsuite python3.11 dpkg-dev cmake make gcc libc6-dev)
GLIB_TESTS=/usr/share/installed-tests/glib
LIBUV=$MADE/libuv

list_glib() { (cd $GLIB_TESTS && printf '%s\n' *.test) | sed 's/\.test$//'; }

run_glib() {
    local name=$1 command
    shift
    # The line of a desktop file is a command for a shell.
    command=$(sed -n 's/^Exec=//p' "$GLIB_TESTS/$name.test")
    "$@" sh -c "$command"
}

# Gets libuv's source from Debian, by a list of sources of its own, and builds the tests.
get_libuv() {
    [ -x "$LIBUV/build/uv_run_tests" ] && return
    mkdir -p "$LIBUV/lists/partial"
    echo 'deb-src http://deb.debian.org/debian bookworm main' >"$LIBUV/sources.list"
    local apt=(apt-get -qq -o "Dir::Etc::SourceList=$LIBUV/sources.list" -o Dir::Etc::SourceParts=-
        -o "Dir::State::Lists=$LIBUV/lists" -o APT::Sandbox::User=root)
    "${apt[@]}" update
    (cd "$LIBUV" && "${apt[@]}" source libuv1 >/dev/null)
    cmake -S "$(echo "$LIBUV"/libuv1-*/)" -B "$LIBUV/build" -DBUILD_TESTING=ON >"$LIBUV/log"
    make -C "$LIBUV/build" -j "$(nproc)" uv_run_tests >>"$LIBUV/log" 2>&1 || die "libuv's tests: see $LIBUV/log"
}

# libuv's tests refuse to run as root.
NOBODY=()
if [ "$(id -u)" = 0 ]; then
    NOBODY=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi

# The first word of each line is a test.
list_libuv() { "${NOBODY[@]}" "$LIBUV/build/uv_run_tests" --list | cut -d ' ' -f 1; }

run_libuv() {
    local name=$1
    shift
    "$@" "${NOBODY[@]}" "$LIBUV/build/uv_run_tests" "$name"
}

# Python's tests of OpenSSL's users and of threads.
list_python() {
    printf 'test_%s\n' ssl hashlib hmac ftplib poplib imaplib httplib urllib2_localnet httpservers smtplib asyncio \
        threading concurrent_futures
}

run_python() {
    local name=$1
    shift
    "$@" python3.11 -m test "$name"
}
