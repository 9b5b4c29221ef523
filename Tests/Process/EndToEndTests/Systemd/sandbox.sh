#!/bin/bash
# SPDX-License-Identifier: MIT
# The sandbox stops what it should stop, and nothing that the daemon needs. The same probe runs without it for
# comparison: what fails there as well would prove nothing.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" counting
cp "$(dirname "$(readlink -f "$0")")/probe.py" /opt/rerender/

install_for_user

home=/home/$user dropin=/home/$user/.config/systemd/user/rerenderd.service.d
manager start rerenderd-push.socket
in_user systemd-run --user --quiet --unit=victim sleep infinity
victim=$(manager show --property MainPID --value victim.service)
in_user mkdir -p $dropin $home/state

in_user systemd-run --user --quiet --wait --pipe /usr/bin/python3 /opt/rerender/probe.py \
    "$victim" "$(runtime)" $home/state > /tmp/free

# in_sandbox TYPE COMMAND: the daemon's unit, with another program in it.
in_sandbox() {
    in_user tee "$dropin/probe.conf" > /dev/null <<UNIT
[Service]
Type=$1
WatchdogSec=0
Restart=no
ExecStart=
ExecStart=$2
StandardOutput=append:$home/confined
StandardError=append:$home/confined
Environment=RERENDER_WAIT_FOR_TRACER=10000
# A program that connects would have the sockets start this service, and so the program, once more.
Environment=RERENDER_RUNTIME_DIR=%t/without-a-daemon
UNIT
    manager daemon-reload && manager start rerenderd.service
}
check "the probe runs in the daemon's sandbox" in_sandbox oneshot \
    "/bin/sh -c 'exec /usr/bin/python3 /opt/rerender/probe.py $victim %t/rerender \"\$STATE_DIRECTORY\"'"
cp $home/confined /tmp/confined

result() { sed -n "s/^$2: //p" "/tmp/$1"; }
for what in "internet socket" "internet 6 socket" "netlink socket" "user namespace" "writable executable memory" \
    "memory made executable" "ptrace" "set-uid file" "personality" "key ring" "chown" \
    "locked memory" "asynchronous input and output" "class of input and output" "processors of its own" "asking for a nice value"; do
    check "without the sandbox: $what works" same "$(result free "$what")" ok
    check "in the sandbox: $what is refused" grep -qxE "EPERM|EACCES|EAFNOSUPPORT" <<< "$(result confined "$what")"
done
for what in "no new privileges" "private umask" "no file of a crash"; do
    check "without the sandbox: no $what" same "$(result free "$what")" ENOTSUP
    check "in the sandbox: $what" same "$(result confined "$what")" ok
done
for what in "unix socket" "read stat" "read schedstat" "read wchan" "read syscall" "read maps" "read memory" \
    "write runtime" "write state" "write shared memory" "anonymous file" "asking for real-time priority" \
    "limit of open files" "home"; do
    check "in the sandbox: $what works" same "$(result confined "$what")" ok
done

# What the unit says that it leaves out, because a user's manager cannot do it. One that works should be in the unit. Newer
# managers make a user namespace, in which the daemon cannot know its peers.
namespaces='readlink /proc/self/ns/user /proc/self/ns/mnt /proc/self/ns/net /proc/self/ns/ipc /proc/self/ns/uts'
with_option() { in_user systemd-run --user --quiet --wait --pipe --property="$1" sh -c "$namespaces" 2> /dev/null; }
plain=$(with_option UMask=0077)
user_namespace() { sed -n 1p <<< "$1"; }
cannot_be_had() {
    local with
    with=$(with_option "$1") || return 0
    [ "$with" = "$plain" ] || not same "$(user_namespace "$with")" "$(user_namespace "$plain")" > /dev/null
}
check "the namespaces of a process are known" [ -n "$plain" ]
for option in ProtectSystem=strict ProtectHome=read-only ProtectProc=invisible ProcSubset=pid ProtectKernelTunables=yes \
    ProtectControlGroups=yes PrivateTmp=yes PrivateMounts=yes NoExecPaths=/boot InaccessiblePaths=/boot PrivateUsers=yes \
    PrivateDevices=yes ProtectClock=yes ProtectKernelModules=yes ProtectKernelLogs=yes CapabilityBoundingSet= SecureBits=noroot \
    PrivateNetwork=yes PrivateIPC=yes ProtectHostname=yes; do
    check "$option cannot be had" cannot_be_had "$option"
done

# The daemon records with LTTng too: shared memory, its threads and its sockets must all work in there.
record() {
    in_user bash -c ". $checkout/Scripts/lib/say.sh && . $checkout/Scripts/lib/lttng.sh && $1"
}
recorded() {
    in_user babeltrace2 "$home/trace" > /tmp/events && same "$(grep -c BodyEval:begin /tmp/events)" 100
}
# `counting steady` waits for a signal once it has evaluated; before that, the end of its service would end it early.
has_evaluated() {
    grep -q sigtimedwait "/proc/$(manager show --property MainPID --value rerenderd.service)/wchan"
}
check "a session records" record "start_lttng && record_lttng sandbox $home/trace 'com.rerender.BodyEval:*' && disown"
check "an instrumented process runs in the sandbox" in_sandbox exec "$binaries/counting steady 100"
check "it has evaluated" eventually has_evaluated
manager stop rerenderd.service 2> /dev/null
check "the session ends" record "lttng_session=sandbox && stop_lttng"
# LTTng may write the last of the metadata a moment after it said that it is done.
check "every evaluation in the sandbox is in the trace" eventually recorded
finish
