# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# How the scripts talk: progress and errors on standard error, so that standard output stays for results.

if [ -t 2 ] && [ -z "${NO_COLOR-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

step() { printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2; }
note() { printf '    %s\n' "$*" >&2; }
# fail STATUS TEXT: statuses as in sysexits.h.
fail() { printf '%s: %s\n' "${0##*/}" "${*:2}" >&2; exit "$1"; }

# needs_value OPTION VALUE: for options of the command line that take a value.
needs_value() { [ -n "$2" ] || fail 64 "$1 needs a value; see --help"; }
