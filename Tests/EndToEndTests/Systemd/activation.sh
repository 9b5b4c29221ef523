#!/bin/bash
# SPDX-License-Identifier: MIT
# Socket activation: nothing runs until somebody asks or an app connects, and then everything works.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" steady
install_for_user

units=/home/$user/.local/share/systemd/user
verdict() { same "$(in_user systemd-analyze verify --user "$units"/rerender*)" ""; }
mode() { same "$(stat -c %a "$1")" "$2"; }
status_text() { [ -n "$(manager show --property StatusText --value rerenderd.service)" ]; }
answers_http() { in_user curl --silent --fail --unix-socket "$(runtime)/query.sock" http://localhost/v1/health; }

check "systemd finds no fault in the units" verdict
manager enable --now "${sockets[@]}" 2> /dev/null
check "the directory is the user's alone" mode "$(runtime)" 700
for name in push query; do check "$name.sock is the user's alone" mode "$(runtime)/$name.sock" 600; done
check "the daemon does not run before anybody asks" is_inactive rerenderd.service
check "rerenderctl stats answers" ctl stats
check "because its question started the daemon" is_active rerenderd.service
check "the daemon says how it is" status_text
check "curl is answered as well" answers_http

manager stop rerenderd.service 2> /dev/null
check "the daemon stops when told" is_inactive rerenderd.service
start_app 1000
check "an app that connects starts it" eventually is_active rerenderd.service
check "every evaluation is counted" eventually counts 1000
finish
