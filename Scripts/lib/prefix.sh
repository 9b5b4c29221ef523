# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Where an installation lies and what it consists of: shared by install and uninstall. Needs say.sh.

# set_prefix [DIR]: sets prefix (as the installed files name it) and target (where they are put, under DESTDIR).
set_prefix() {
    if [ "$(id -u)" = 0 ]; then prefix=${1:-/usr/local}; else prefix=${1:-${HOME:?}/.local}; fi
    prefix=$(realpath --canonicalize-missing --no-symlinks -- "$prefix") || fail 64 "no such directory can be: $1"
    # ExecStart= of a unit takes no blanks or specifiers unquoted, and a manifest has one file a line.
    [[ $prefix =~ ^[A-Za-z0-9_./+@:,~=-]+$ ]] || fail 64 "the prefix '$prefix' has characters that a unit file cannot take"
    [ "$prefix" != / ] || prefix=/usr
    target=${DESTDIR-}$prefix
    # shellcheck disable=SC2034  # for install and uninstall
    # One line for each thing that install made: `file PATH` or `directory PATH`, relative to the prefix.
    manifest=$target/share/rerender/manifest
}

# unit_directory: where units of this prefix belong, relative to it. systemd.unit(5) names lib for the machine (who packages for it
# needs no root) and the data directory (~/.local/share) for packages in a home.
unit_directory() { if [ "$(id -u)" = 0 ] || [ "$prefix" = /usr ]; then echo lib/systemd/user; else echo share/systemd/user; fi; }

# Does a user's manager look into DIRECTORY by itself?
is_searched() {
    systemd-path systemd-search-user-unit 2> /dev/null | tr : '\n' | grep -qxF -- "$1"
}

# The caller's own manager, if one can be reached.
user_manager() { [ -z "${DESTDIR-}" ] && [ -n "${XDG_RUNTIME_DIR-}" ] && systemctl --user "$@"; }
