# Sourced by run: the small programs of programs/, each built against Debian's library.
PACKAGES=(g++ pkg-config libssl-dev libre2-dev libglib2.0-dev libuv1-dev rocksdb-tools)
FLAGS=(-O2 -g -Wall -Wextra -Werror -pthread)

# compile SOURCE [PACKAGE] [OTHER SOURCES…]: builds a program in $MADE, with pkg-config's flags for the
# package.
compile() {
    local source=$1 package=${2:-} libraries=() compiler=cc
    local program=$MADE/${source%.*}
    shift $(($# < 2 ? $# : 2))
    [ "$program" -nt "programs/$source" ] && [ "$program" -nt "$MADE/load.o" ] && return
    if [[ $source = *.cpp ]]; then
        compiler='c++ -std=c++17'
    fi
    if [ -n "$package" ]; then
        read -ra libraries <<<"$(pkg-config --cflags --libs "$package")"
    fi
    # Unquoted: the compiler may be several words.
    $compiler "${FLAGS[@]}" -o "$program" "programs/$source" "$@" "$MADE/load.o" "${libraries[@]}"
}

build_programs() {
    cd "$REACH" || exit
    [ "$MADE/load.o" -nt programs/load.c ] || cc "${FLAGS[@]}" -c -o "$MADE/load.o" programs/load.c
    compile openssl.c openssl programs/identity.c
    compile handshake.c openssl programs/identity.c
    compile re2.cpp re2
    compile glib.c gobject-2.0
    compile uv.c libuv
    compile shared_mutex.cpp
    compile crowd.c
    compile writer.c
    compile start.c
}
