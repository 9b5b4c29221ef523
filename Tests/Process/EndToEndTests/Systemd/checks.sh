# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The vocabulary of the scripts here. They run under Scripts/with-systemd as: SCRIPT CHECKOUT BINARIES
# Each ends with `finish`: 0 if every check held.
set -uo pipefail
# shellcheck source=../../../../Scripts/lib/user-manager.sh
. "${HARNESS:?run this with Scripts/with-systemd}/user-manager.sh"

user=rerender-test
# shellcheck disable=SC2034  # for the scripts
sockets=(rerenderd-push.socket rerenderd-query.socket)
failures=0

# check TEXT COMMAND...: the command must succeed.
check() {
    local text=$1 output status
    shift
    output=$("$@" 2>&1)
    status=$?
    if [ $status = 0 ]; then
        echo "ok: $text"
        return
    fi
    printf 'NOT OK: %s\n    status %s of: %s\n%s\n' "$text" $status "$*" "$output"
    failures=$((failures + 1))
}
# refuse TEXT COMMAND...: the command must fail.
refuse() { check "$1" not "${@:2}"; }
not() { ! "$@"; }
same() { [ "$1" = "$2" ] || { diff <(echo "$1") <(echo "$2"); return 1; }; }

finish() {
    [ $failures = 0 ] && exit 0
    echo "$failures checks failed; the journal of the daemon:"
    user_journal $user rerenderd.service 2>&1 | tail -n 40
    exit 1
}

# eventually COMMAND...: for what systemd and processes have no event for. Tries for as long as WaitLimit.swift says.
eventually() {
    local deadline=$((SECONDS + 300))
    until "$@" > /dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || { "$@"; return; }
        sleep 0.02
    done
}

# The checkout and the binaries may lie where an ordinary user cannot look (a root's home), and debug binaries need
# libraries of the toolchain, which may as well. All of it is copied to where everybody can read; the copy is
# as short-lived as this whole system.
stage() {
    checkout=/opt/rerender/checkout binaries=/opt/rerender/binaries
    mkdir -p "$checkout" "$binaries"
    cp -r "$1/Scripts" "$1/systemd" "$checkout"
    local name library
    for name in rerenderd rerenderctl "${@:3}"; do
        cp "$2/$name" "$binaries" || exit
        ldd "$2/$name" 2> /dev/null | awk '$2 == "=>" { print $3 }' | grep -vE '^(/usr)?/lib' |
            while read -r library; do cp -n "$library" "$binaries"; done
    done
    chmod -R a+rX /opt/rerender
}

in_user() { as_user $user "$@"; }
manager() { in_user systemctl --user "$@"; }
ctl() { in_user env "LD_LIBRARY_PATH=$binaries" rerenderctl "$@"; }
runtime() { echo "/run/user/$(id -u $user)/rerender"; }
is_active() { same "$(manager is-active "$1")" active; }
# `failed` would also be not active: a stop must end well.
is_inactive() { same "$(manager is-active "$1")" inactive; }
main_pid() { manager show --property MainPID --value rerenderd.service; }

# What systemd installs (binaries are copied by `install`) finds the libraries through this.
install_for_user() {
    throw_away_user $user && manager set-environment "LD_LIBRARY_PATH=$binaries" || exit
    in_user env "LD_LIBRARY_PATH=$binaries" "$checkout/Scripts/install" --from "$binaries" || exit
}

# start_app COUNT: an instrumented app as a unit of the user, that evaluates so often and then idles.
start_app() { in_user systemd-run --user --quiet --unit=app --setenv=LD_LIBRARY_PATH="$binaries" "$binaries/counting" steady "$1"; }
# What the daemon says of it: `COUNT CONNECTED`, or nothing if it knows no such app.
app_count() {
    ctl export | python3 -c '
import json, sys
for process in json.load(sys.stdin)["processes"]:
    if process["name"] == "counting":
        print(process["evaluations"], process["connected"])'
}
counts() { same "$(app_count)" "$1 True"; }
