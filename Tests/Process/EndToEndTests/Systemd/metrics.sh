#!/bin/bash
# SPDX-License-Identifier: MIT
# The timer of metrics: off until it is enabled, writes what an app counted, again and again, and goes with the installation.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" counting
install_for_user

directory=/var/lib/prometheus/rerender-$user
file=$directory/rerender.prom
units=/home/$user/.local/share/systemd/user
# sample NAME: the number of the app's samples of that name.
sample() { sed -n "s/^rerender_$1{uid=\"$(id -u "$user")\",process=\"counting\"[^}]*} //p" "$file"; }
evaluations() { same "$(sample evaluations_total) $(sample view_evaluations_total)" "$1 $1"; }
mode() { same "$(stat -c '%a %U' "$1")" "$2"; }
# node_exporter is another user.
stranger_reads() { setpriv --reuid nobody --regid nogroup --clear-groups cat "$file" > /dev/null; }
exit_status() { same "$(manager show --property ExecMainStatus --value rerender-metrics.service)" "$1"; }
told() { user_journal "$user" rerender-metrics.service | grep -F "$1"; }

manager daemon-reload
manager enable --now "${sockets[@]}" 2> /dev/null
check "the timer is off" is_inactive rerender-metrics.timer
check "nothing was written" [ ! -e "$file" ]

refuse "without a directory the service fails" manager start rerender-metrics.service
check "with the status for output that cannot be made" exit_status 73
check "and says why" eventually told "cannot create $file: No such file or directory"

install -d -o $user "$directory"
start_app 1000
check "the app is counted" eventually counts 1000
# Every second instead of every minute.
in_user mkdir -p "/home/$user/.config/systemd/user/rerender-metrics.timer.d"
printf '[Timer]\nOnActiveSec=\nOnUnitActiveSec=\nOnActiveSec=1s\nOnUnitActiveSec=1s\nAccuracySec=1ms\n' |
    in_user tee "/home/$user/.config/systemd/user/rerender-metrics.timer.d/fast.conf" > /dev/null
manager daemon-reload
check "the timer can be enabled" manager enable --now rerender-metrics.timer
check "it writes what the app counted" eventually evaluations 1000
check "in a file that others may read" mode "$file" "644 $user"
check "as another user does" stranger_reads
manager kill --signal=USR1 app.service
check "the counters go on" eventually evaluations 2000
manager stop rerenderd.service 2> /dev/null
manager kill --signal=USR1 app.service
check "also when the daemon was stopped meanwhile" eventually evaluations 3000
check "nothing is left beside the file" same "$(ls "$directory")" rerender.prom

exporter=$1/.build/prometheus/prometheus-node-exporter
if [ -x "$exporter" ]; then
    "$exporter" --collector.disable-defaults --collector.textfile --collector.textfile.directory='/var/lib/prometheus/*' \
        --web.listen-address=127.0.0.1:9100 2> /dev/null &
    served() { curl --silent --fail http://127.0.0.1:9100/metrics; }
    check "node_exporter serves it" eventually served
    check "without an error" grep -qx 'node_textfile_scrape_error 0' <(served)
    check "with what the app counted" grep -qE '^rerender_evaluations_total\{.*process="counting".*\} 3000$' <(served)
    kill %% 2> /dev/null
fi

check "it uninstalls" in_user "$checkout/Scripts/uninstall"
check "the timer was stopped" not is_active rerender-metrics.timer
check "and no unit of it is left" [ ! -e "$units/rerender-metrics.timer" ]
finish
