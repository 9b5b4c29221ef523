#!/bin/bash
# SPDX-License-Identifier: MIT
# Socket activation: nothing runs until somebody asks or an app connects, and then everything works.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" counting
install_for_user

units=/home/$user/.local/share/systemd/user
verdict() { same "$(in_user systemd-analyze verify --user "$units"/rerender*)" ""; }
# The exposure of the service times ten, as it is with systemd 252. A line less in the unit is more, and fails.
exposed() { in_user systemd-analyze security --user --offline=true --no-pager --threshold="$1" "$units/rerenderd.service"; }
# limited TEXT PROPERTY VALUE FILE: systemd knows it, and so does the kernel where the manager was given that controller.
limited() {
    local file
    check "$1" same "$(manager show --property "$2" --value rerenderd.service)" "$3"
    file=/sys/fs/cgroup$(manager show --property ControlGroup --value rerenderd.service)/$4
    if [ -f "$file" ]; then check "and so says the kernel" same "$(cat "$file")" "$3"; else echo "left out: this machine has no $4"; fi
}
mode() { same "$(stat -c %a "$1")" "$2"; }
status_text() { [ -n "$(manager show --property StatusText --value rerenderd.service)" ]; }
answers_http() { in_user curl --silent --fail --unix-socket "$(runtime)/query.sock" http://localhost/v1/health; }

check "systemd finds no fault in the units" verdict
check "no more of the service is exposed than was" exposed 61
# Newer ones count some settings otherwise.
version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
if [ "$version" = 252 ]; then
    refuse "and no less, or this ceiling is to be lowered" exposed 60
else
    echo "left out: systemd $version finds less exposed"
fi
manager enable --now "${sockets[@]}" 2> /dev/null
check "the directory is the user's alone" mode "$(runtime)" 700
for name in push query; do check "$name.sock is the user's alone" mode "$(runtime)/$name.sock" 600; done
check "the daemon does not run before anybody asks" is_inactive rerenderd.service
check "rerenderctl stats answers" ctl stats
check "because its question started the daemon" is_active rerenderd.service
check "the daemon says how it is" status_text
limited "it gives way to apps where the processors are busy" CPUWeight 50 cpu.weight
limited "its threads are limited" TasksMax 512 pids.max
limited "its memory is limited" MemoryMax $((352 << 20)) memory.max
check "curl is answered as well" answers_http

manager stop rerenderd.service 2> /dev/null
check "the daemon stops when told" is_inactive rerenderd.service
start_app 1000
check "an app that connects starts it" eventually is_active rerenderd.service
check "every evaluation is counted" eventually counts 1000
finish
