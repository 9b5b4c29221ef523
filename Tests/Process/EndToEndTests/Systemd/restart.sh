#!/bin/bash
# SPDX-License-Identifier: MIT
# Whatever happens to the daemon, connected apps run on and their counts stay exact.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" counting
install_for_user
manager enable --now "${sockets[@]}" 2> /dev/null
start_app 1000
check "the app is counted" eventually counts 1000
app=$(manager show --property MainPID --value app.service)

total=1000
# after TEXT: another daemon than before, the same app, the same count, and counting goes on.
after() {
    check "$1: another daemon runs" eventually another_daemon
    check "$1: the counts are the same" eventually counts $total
    check "$1: the app runs on" same "$(manager show --property MainPID --value app.service)" "$app"
    kill -USR1 "$app"
    total=$((total + 1000))
    check "$1: counting goes on" eventually counts $total
    daemon=$(main_pid)
}
another_daemon() { is_active rerenderd.service && ! same "$(main_pid)" "$daemon"; }

daemon=$(main_pid)
manager restart rerenderd.service
after "after a restart"
kill -KILL "$daemon"
after "after kill -9"
manager stop rerenderd.service 2> /dev/null
check "a question after a stop starts the daemon again" ctl stats
after "after a stop"
# A watchdog of three seconds instead of ten, to see in reasonable time that it is fed and that it bites.
dropin=/run/user/$(id -u $user)/systemd/user/rerenderd.service.d
in_user mkdir -p "$dropin"
in_user tee "$dropin/watchdog.conf" > /dev/null <<< $'[Service]\nWatchdogSec=3s'
manager daemon-reload
manager restart rerenderd.service
after "after a restart with a quick watchdog"
# When the daemon last fed its watchdog.
fed_at() { manager show --property WatchdogTimestampMonotonic --value rerenderd.service; }
fed_after() { ! same "$(fed_at)" "$1"; }
# Three times take longer than the watchdog waits, and it replaces a daemon that does not feed it.
fed() { for _ in 1 2 3; do eventually fed_after "$(fed_at)" || return; done && same "$(main_pid)" "$daemon"; }
check "the daemon feeds its watchdog" fed
kill -STOP "$daemon"
after "after the daemon hung"
# The app counts while there is no daemon and cannot be one.
manager stop "${sockets[@]}"
kill -USR1 "$app"
total=$((total + 1000))
manager start "${sockets[@]}"
after "after a time without sockets"
finish
