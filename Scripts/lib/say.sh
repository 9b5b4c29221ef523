# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# How the scripts talk: progress and errors on standard error, so that standard output stays for results.

if [ -t 2 ] && [ -z "${NO_COLOR-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

step() { printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2; }
note() { printf '    %s\n' "$*" >&2; }
# fail STATUS TEXT: statuses as in sysexits.h.
fail() { printf '%s: %s\n' "${0##*/}" "${*:2}" >&2; exit "$1"; }

# show_progress: reads what a build prints, and shows the last of its steps with the seconds since the first: in one line that is
# written over on a terminal, in a line each 15 s elsewhere. What is no step, such as the message of a compiler, is passed on.
progress_interval=15
show_progress() {
    local line='' part text='' began=$SECONDS shown=$SECONDS ended=''
    while [ -z "$ended" ]; do
        if IFS= read -r -t 1 part; then
            line+=$part
            if is_step "$line"; then text=$line; else erase_progress; printf '%s\n' "$line" >&2; fi
            line=''
        elif [ $? -gt 128 ]; then
            line+=$part
        else
            ended=yes
            [ -z "$line$part" ] || printf '%s\n' "$line$part" >&2
        fi
        draw_progress
    done
    erase_progress
    [ $((SECONDS - began)) -lt 2 ] || note "built in $((SECONDS - began)) s"
}

# Not local: draw_progress and erase_progress use what show_progress has. A step of SwiftPM names a file of the module, one of many.
draw_progress() {
    local seconds=$((SECONDS - began)) step=$text
    [[ $step != *' Compiling '* ]] || step=${step% *}
    [ -n "$step" ] || step=starting
    if [ -t 2 ]; then
        printf '\r\e[K%.79s' "    $seconds s  $step" >&2
    elif [ $((SECONDS - shown)) -ge "$progress_interval" ]; then
        shown=$SECONDS
        note "$seconds s  $step"
    fi
}
erase_progress() { [ ! -t 2 ] || printf '\r\e[K' >&2; }

# Lines of SwiftPM about itself.
is_step() {
    [[ $1 =~ ^(\[[0-9]+/[0-9]+\]|(Build|Building|Comput|Creat|Fetch|Planning|Updat|Working\ copy|Cloning)[a-z]*\ ) ]]
}

# needs_value OPTION VALUE: for options of the command line that take a value.
needs_value() { [ -n "$2" ] || fail 64 "$1 needs a value; see --help"; }
