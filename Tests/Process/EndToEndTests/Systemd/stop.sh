#!/bin/bash
# SPDX-License-Identifier: MIT
# Stopping the sockets leaves no file behind, also while an app is connected and tries to come back.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" counting
install_for_user

all_inactive() { for unit in rerenderd.service "${sockets[@]}"; do is_inactive "$unit" || return; done; }
nothing_left() { same "$(find "$(dirname "$(runtime)")" -path '*rerender*' 2>&1)" ""; }
# The time in which an app tries again at the latest is 5 s.
stays_away() { ! timeout 7 bash -c "until [ -e '$(runtime)' ]; do sleep 0.05; done"; }

start_app 1000
for stopped in "${sockets[*]}" rerenderd-push.socket rerenderd-query.socket; do
    manager start "${sockets[@]}"
    check "the app is counted" eventually counts 1000
    # shellcheck disable=SC2086  # one or two units
    check "stopping $stopped succeeds" manager stop $stopped
    # Who stops one socket waits for it alone: what needs it is stopped beside that.
    check "everything is stopped" eventually all_inactive
    check "nothing is left" nothing_left
done
check "and the app brings nothing back" stays_away

manager start "${sockets[@]}"
in_user touch "$(runtime)/of-others"
manager stop "${sockets[@]}"
check "a file of others stays, and nothing else" same "$(find "$(runtime)" -mindepth 1)" "$(runtime)/of-others"
check "that is no failure" all_inactive
finish
