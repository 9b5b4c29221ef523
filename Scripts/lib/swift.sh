# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The Swift toolchain: found, checked, and run with its progress shown. Needs say.sh.

# Puts `swift` into PATH from the usual places, because sudo and fresh shells often drop them.
find_swift() {
    local place version
    for place in '' /usr/bin /opt/swift*/usr/bin /usr/local/swift*/usr/bin \
        ~/.local/share/swiftly/bin ${SUDO_USER:+"/home/$SUDO_USER/.local/share/swiftly/bin"}; do
        [ -z "$place" ] || [ -x "$place/swift" ] || continue
        version=$(PATH=${place:+$place:}$PATH swift --version 2> /dev/null |
            sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
        [ -n "$version" ] || continue
        if [ "${version% *}" -gt 6 ] || { [ "${version% *}" = 6 ] && [ "${version#* }" -ge 3 ]; }; then
            PATH=${place:+$place:}$PATH
            return
        fi
        note "Swift ${version/ /.} is too old${place:+ in $place}"
    done
    fail 69 "needs Swift 6.3 or newer in PATH; see https://www.swift.org/install/linux/"
}

# The tools, as demo, install and package build them: what one of them built, the others have. The Swift libraries go into the
# programs, so that they run without the toolchain and outlive its updates; the toolchain's linker takes a third of the time of the
# system's. Nothing looks for symbols in them: a table of theirs is a megabyte. The library has its probes, for the demo.
# shellcheck disable=SC2034  # for those scripts
tools=(-c release --traits AlwaysOn --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic --scratch-path .build/tools)

# build ARGUMENT...: swift build with its progress in one line. A failed build ends the script. build_as is a command to run it with.
#
# SwiftPM passes a package's traits to the compiler in the order of a set, which is another one in each process: without a fixed order of
# hashing, a build often compiles all modules of this package anew.
build_as=()
build() {
    local -x SWIFT_DETERMINISTIC_HASHING=1
    drop_archives "$@"
    "${build_as[@]}" swift build "$@" 2>&1 | show_progress
    [ "${PIPESTATUS[0]}" = 0 ] || fail 70 "the build failed; its messages are above (swift build $*)"
}

# drop_archives ARGUMENT...: removes the archives of libraries that a build with these arguments makes. SwiftPM adds to an archive and
# takes nothing out: what a file was that has moved or is gone stays in it, and is there twice, or calls what there is no more.
drop_archives() {
    local scratch=.build configuration=debug product='*'
    while [ $# -gt 0 ]; do
        case $1 in --scratch-path) scratch=$2 ;; -c) configuration=$2 ;; --product) product=$2 ;; esac
        shift
    done
    # Without the quotes, a star is any product; the directory in the middle is that of the kind of machine.
    # shellcheck disable=SC2086
    rm -f "$scratch"/*-linux-*/"$configuration"/lib$product.a
}

# Sets the traits of the tests' build, which all builds and runs of it have to name. The part for GTK needs its headers.
# shellcheck disable=SC2034  # for those scripts
find_traits() {
    traits=()
    if pkg-config --exists gtk4 2> /dev/null; then traits=(--traits GTK); fi
}

# build_directory ARGUMENT...: where the build with these arguments lies.
build_directory() { "${build_as[@]}" swift build "$@" --show-bin-path; }
