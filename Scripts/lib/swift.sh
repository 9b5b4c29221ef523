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

# build ARGUMENT...: swift build with the lines of its progress. A failed build ends the script.
build() {
    swift build "$@" >&2 || fail 70 "the build failed; its messages are above (swift build $*)"
}
