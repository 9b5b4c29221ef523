#!/bin/bash
# SPDX-License-Identifier: MIT
# Priority for the watchdog's thread under real user managers: one that allows it, and one that does not; and from rtkit.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" daemon-lab counting
install_for_user
manager enable --now "${sockets[@]}" 2> /dev/null

may=()
mapfile -t sandbox < <(grep -E '^(LimitRTPRIO|NoNewPrivileges|RestrictAddressFamilies|SystemCall[A-Za-z]*)=' "$checkout/systemd/rerenderd.service")
# run_thread ARGUMENT...: starts the program that obtains priority as a unit of the user, in the daemon's sandbox.
run_thread() {
    manager stop thread.service 2> /dev/null
    rm -f /home/$user/out
    in_user systemd-run --user --quiet --unit=thread --setenv=LD_LIBRARY_PATH="$binaries" \
        --property=StandardInput=null --property=StandardOutput="file:/home/$user/out" \
        "${sandbox[@]/#/--property=}" "${may[@]}" "$binaries/daemon-lab" priority "$@"
    eventually grep -q '}' /home/$user/out
}
# said FIELD: what it says that it got.
said() { sed 's/ [0-9]*$//' /home/$user/out | head -n 1 | python3 -c 'import json, sys; print(json.load(sys.stdin)["'"$1"'"])'; }
thread() { head -n 1 /home/$user/out | grep -o '[0-9]*$'; }
# What the kernel says of the thread: `CLASS REALTIME NICE`.
kernel() { ps -L -o lwp=,cls=,rtprio=,ni= -p "$(manager show --property MainPID --value thread.service)" |
    awk -v thread="$(thread)" '$1 == thread { print $2, $3, $4 }'; }

# The watchdog's own thread in the daemon, by its name.
watchdog() { ps -L -o comm=,cls=,rtprio=,ni= -p "$(main_pid)" | sed -n 's/^rerender-watch[a-z]* *//p'; }
health() { in_user curl -s --unix-socket "$(runtime)/query.sock" http://localhost/v1/health |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["watchdog"]["'"$1"'"])'; }
# daemon_has WAY PRIORITY CLASS: what the daemon says of its watchdog, and what the kernel does.
daemon_has() {
    same "$(health priority)" "$1" && same "$(health realtimePriority)" "$2" &&
        same "$(watchdog | awk '{ print $1 }')" "$3"
}
has_watchdog() { [ -n "$(watchdog)" ]; }
# daemon_check TEXT WAY PRIORITY CLASS DOCTOR: a new daemon with an app to watch says and has it, and the doctor tells
# of it.
daemon_check() {
    manager restart rerenderd.service
    is_active app.service > /dev/null || start_app 10
    check "$1: the daemon has its watchdog's thread" eventually has_watchdog
    check "$1: the daemon says what it has" eventually daemon_has "$2" "$3" "$4"
    check "$1: the doctor says so" grep -q "$5" <<< "$(ctl doctor)"
}

# Nothing allows it: rtkit is not there yet either.
systemctl mask --now --runtime rtkit-daemon.service 2> /dev/null
run_thread
check "a manager that allows nothing: none is reported" same "$(said way)" none
check "and the kernel agrees" same "$(kernel)" "TS - 0"
check "what stood in the way is said" grep -q 'RLIMIT_RTPRIO is 0; rtkit: .' <<< "$(said hindrance)"
check "and what to do" grep -q 'LimitRTPRIO=10' <<< "$(said hindrance)"
daemon_check "a manager that allows nothing" none 0 TS 'watchdog has normal priority'

# rtkit, where it is installed. No rule lets a user without a seat have it; then one does.
if [ -x /usr/libexec/rtkit-daemon ]; then
    systemctl unmask --runtime rtkit-daemon.service
    # A kernel without this limit for each control group would refuse every real-time thread.
    check "rtkit runs" eventually systemctl start rtkit-daemon.service
    run_thread
    check "rtkit that refuses is said to" grep -q 'rtkit: .' <<< "$(said hindrance)"
    check "and none is reported" same "$(said way)" none
    mkdir -p /etc/polkit-1/rules.d
    cat > /etc/polkit-1/rules.d/00-rerender.rules <<'RULE'
polkit.addRule(function(action, subject) {
    if (action.id.indexOf("org.freedesktop.RealtimeKit1.") == 0) return polkit.Result.YES;
});
RULE
    systemctl restart polkit.service rtkit-daemon.service
    run_thread
    check "rtkit that allows it: rtkit is reported" same "$(said way)" rtkit
    check "with the priority that we ask for" same "$(said realtimePriority)" 10
    check "and the kernel agrees" same "$(kernel)" "RR 10 -"
    daemon_check "rtkit that allows it" rtkit 10 RR 'real-time priority 10'
    run_thread --embedded
    check "inside another program rtkit is not asked" same "$(said way)" none
    run_thread --spin
    check "a thread that never waits becomes an ordinary one" eventually grep -qx none /home/$user/out
    check "and its process lives" is_active thread.service
    check "and the kernel agrees" same "$(kernel)" "TS - 0"
    systemctl mask --now --runtime rtkit-daemon.service 2> /dev/null
else
    echo "left out: rtkit is not installed"
fi

# with_manager LINE: the user's manager again, with that line in its unit.
with_manager() {
    mkdir -p /etc/systemd/system/user@.service.d
    printf '[Service]\n%s\n' "$1" > /etc/systemd/system/user@.service.d/rerender.conf
    systemctl daemon-reload && systemctl restart "user@$(id -u $user).service"
    manager set-environment "LD_LIBRARY_PATH=$binaries"
}
# allowed TEXT PRIORITY: it is obtained, and all agree.
allowed() {
    run_thread
    check "$1: it is reported" same "$(said way) $(said realtimePriority)" "RLIMIT_RTPRIO $2"
    check "$1: the kernel agrees" same "$(kernel)" "RR $2 -"
    check "$1: nothing stood in the way" same "$(said hindrance)" ""
    daemon_check "$1" RLIMIT_RTPRIO "$2" RR "real-time priority $2"
}
with_manager AmbientCapabilities=CAP_SYS_NICE
may=(--property=AmbientCapabilities=CAP_SYS_NICE)
dropin=/home/$user/.config/systemd/user/rerenderd.service.d
in_user mkdir -p "$dropin"
in_user tee "$dropin/capability.conf" > /dev/null <<< $'[Service]\nAmbientCapabilities=CAP_SYS_NICE'
manager daemon-reload
allowed "a manager with CAP_SYS_NICE" 10
rm "$dropin/capability.conf"
may=()
# Limits can be raised only where root has CAP_SYS_RESOURCE, which containers often take away.
if prlimit --rtprio=7:7 true 2> /dev/null; then
    with_manager LimitRTPRIO=7
    allowed "a manager with LimitRTPRIO=" 7
else
    echo "left out: this machine's root may raise no limits (no CAP_SYS_RESOURCE)"
fi
finish
