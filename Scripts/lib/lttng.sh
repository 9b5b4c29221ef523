# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# LTTng sessions that always end: a daemon of our own only where none runs, and never a session of others touched.
# Needs say.sh. Call end_lttng in an EXIT trap.

lttng_session='' lttng_pid=''

# Per user there can be one session daemon: share the one that runs, start (and later end) one where there is none.
start_lttng() {
    lttng --no-sessiond list > /dev/null 2>&1 && return
    # Apps only: a root daemon would otherwise load kernel modules.
    lttng-sessiond --no-kernel --quiet > /dev/null 2>&1 &
    lttng_pid=$!
    # --daemonize would return only when it is ready, but hide its pid: ask instead until it answers.
    for ((try = 0; try < 1200; try++)); do
        lttng --no-sessiond list > /dev/null 2>&1 && return
        kill -0 "$lttng_pid" 2> /dev/null || break
        sleep 0.05
    done
    note "lttng-sessiond does not start; run it by hand (lttng-sessiond -v) to see why"
    return 1
}

# record_lttng NAME DIRECTORY EVENTS: creates and starts a session with the contexts that every recording has. Says what lttng refuses.
record_lttng() {
    local session=(--userspace --session="$1")
    lttng --no-sessiond create "$1" --output="$2" > /dev/null || return
    lttng_session=$1
    {
        lttng enable-channel "${session[@]}" --num-subbuf=8 --subbuf-size=1M rerender &&
            lttng enable-event "${session[@]}" --channel=rerender "$3" &&
            lttng add-context "${session[@]}" --channel=rerender -t vpid -t vtid -t procname &&
            lttng start "$1"
    } > /dev/null
}

# stop_lttng: destroys our session; its trace is complete on disk afterwards.
stop_lttng() {
    [ -n "$lttng_session" ] || return 0
    lttng --quiet destroy "$lttng_session" > /dev/null
    lttng_session=''
}

end_lttng() {
    stop_lttng 2> /dev/null
    [ -n "$lttng_pid" ] || return 0
    if lttng --no-sessiond list 2> /dev/null | grep -q 'recording sessions:'; then
        note "somebody else records now: the lttng-sessiond started here (pid $lttng_pid) is left running"
    else
        { kill "$lttng_pid" && wait "$lttng_pid"; } 2> /dev/null
    fi
    lttng_pid=''
}
