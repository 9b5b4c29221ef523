# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Debian packages: installed when missing, and only then. Needs say.sh.

# A package is there also where an installed one of another name provides it: names of packages change from one release to the next.
missing_packages() {
    printf '%s\n' "$@" | grep -vxF -f <(
        dpkg-query --show --showformat='${db:Status-Status}, ${Package}, ${Provides}\n' 2> /dev/null |
            sed -n 's/^installed, //p' | tr ',' '\n' | sed 's/[(:].*//; s/ //g'
    )
}

# need_packages PACKAGE...: returns 0 when all are there in the end; else says what to do and returns 1.
need_packages() {
    local missing apt=(apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=120)
    if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
        note "this is no Debian: install what corresponds to $*"
        return 0
    fi
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        note "missing: ${missing[*]}. Run: sudo apt-get install --no-install-recommends ${missing[*]}"
        return 1
    fi
    step "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    # The lists of a fresh machine are empty or old: try with what is there, then with new ones.
    "${apt[@]}" install "${missing[@]}" > /dev/null 2>&1 && return
    "${apt[@]}" update >&2 && "${apt[@]}" install "${missing[@]}" > /dev/null && return
    note "apt could not install ${missing[*]}; its message is above. Install them by hand and run this again"
    return 1
}
