#!/bin/bash
# SPDX-License-Identifier: MIT
# The sandbox stops what it should stop, and nothing that the daemon needs. The same probe runs without it for
# comparison: what fails there as well would prove nothing.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2"
cp "$(dirname "$(readlink -f "$0")")/probe.py" /opt/rerender/

install_for_user

home=/home/$user dropin=/home/$user/.config/systemd/user/rerenderd.service.d
manager start rerenderd-push.socket
in_user systemd-run --user --quiet --unit=victim sleep infinity
victim=$(manager show --property MainPID --value victim.service)
in_user mkdir -p $dropin $home/state

in_user systemd-run --user --quiet --wait --pipe /usr/bin/python3 /opt/rerender/probe.py \
    "$victim" "$(runtime)" $home/state > /tmp/free

in_user tee $dropin/probe.conf > /dev/null <<UNIT
[Service]
Type=oneshot
WatchdogSec=0
Restart=no
ExecStart=
ExecStart=/bin/sh -c 'exec /usr/bin/python3 /opt/rerender/probe.py $victim %t/rerender "\$STATE_DIRECTORY"'
StandardOutput=file:$home/confined
StandardError=file:$home/confined
UNIT
manager daemon-reload
check "the probe runs in the daemon's sandbox" manager start rerenderd.service
cp $home/confined /tmp/confined

result() { sed -n "s/^$2: //p" "/tmp/$1"; }
for what in "internet socket" "internet 6 socket" "netlink socket" "user namespace" "writable executable memory" \
    "memory made executable" "ptrace" "set-uid file" "personality" "key ring" "chown"; do
    check "without the sandbox: $what works" same "$(result free "$what")" ok
    check "in the sandbox: $what is refused" grep -qxE "EPERM|EACCES|EAFNOSUPPORT" <<< "$(result confined "$what")"
done
for what in "no new privileges" "private umask"; do
    check "without the sandbox: no $what" same "$(result free "$what")" ENOTSUP
    check "in the sandbox: $what" same "$(result confined "$what")" ok
done
for what in "unix socket" "read stat" "read schedstat" "read wchan" "read syscall" "read maps" "read memory" \
    "write runtime" "write state" "write shared memory" "anonymous file" "asking for real-time priority" "home"; do
    check "in the sandbox: $what works" same "$(result confined "$what")" ok
done
finish
