# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034
# Changed inputs without libFuzzer, for Scripts/fuzz: nothing is counted, so that many more are read in the same time. Needs say.sh,
# swift.sh and what Scripts/fuzz has: $work, $kept, $findings, $seed.

# prepare_mutations: builds the program, which is a small one, and keeps a copy that no later build replaces.
prepare_mutations() {
    local flags=(-c release --disable-default-traits --scratch-path .build/mutator --sanitize address -Xswiftc -use-ld=lld)
    step "building the program that changes inputs"
    build "${flags[@]}" --product mutator
    cp "$(build_directory "${flags[@]}")/mutator" "$work/mutator" || exit
    mapfile -t targets < <("$work/mutator" --list)
    # An input frees less than this; more would not fit into the processor's caches, and takes half of the speed.
    ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=1
}

# change_inputs NAME ARGUMENT...: runs the program; its log is in the directory of the work. The shell says nothing of its end.
change_inputs() {
    ("$work/mutator" "$@" > "$work/$1.log" 2>&1 || exit) 2> /dev/null
}

# mutate_planted NAME: changes an input that is one byte away from the defect.
mutate_planted() {
    mkdir -p "$work/near" || exit
    printf RRDAabcd > "$work/near/input"
    change_inputs "$1" "$seed" "$work/$1.state" 1000000 "$work/near"
}

# state_of NAME: where its progress is. Another program, other kept inputs or another seed begin anew.
state_of() {
    local key
    key=$({ cat "$work/mutator" "$kept/$1.txt" && echo "$seed"; } | sha256sum | cut -c 1-12)
    printf '%s/.build/fuzz-mutations/%s-%s' "$root" "$1" "$key"
}

# mutate NAME COUNT: reads inputs from where the last run of the same ended. What is found has a number, and is kept.
mutate() {
    local state number
    state=$(state_of "$1")
    Scripts/lib/corpora.py unpack "$kept/$1.txt" "$work/$1" || exit
    ! change_inputs "$1" "$seed" "$state" "$2" "$work/$1" || return 0
    : > "$work/$1.failed"
    number=$(od -An -t u8 -N 8 "$state" | tr -d ' ')
    "$work/mutator" "$1" "$seed" show "$number" "$work/$1" > "$findings/$1-mutation-$number" || exit
    printf '\n%s; Test unit written to %s\n' "mutation-$number" "$findings/$1-mutation-$number" >> "$work/$1.log"
}

# show_mutations NAME...: the table of how far each is.
show_mutations() {
    local name arguments=()
    for name; do arguments+=("$name" "$(state_of "$name")" "$work/$name.log"); done
    Scripts/lib/corpora.py mutations "${arguments[@]}"
}

# show_progress_of NAME...: says once a minute how far all are, until they have ended.
show_progress_of() {
    local looks=0
    while [ -n "$(jobs -rp)" ]; do
        sleep 1
        looks=$((looks + 1))
        [ $((looks % 60)) != 0 ] || note "$(show_mutations "$@" | tail -n 1)"
    done
}
