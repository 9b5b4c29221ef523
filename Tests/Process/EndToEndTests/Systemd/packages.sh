#!/bin/bash
# SPDX-License-Identifier: MIT
# The Debian packages: SCRIPT CHECKOUT BINARIES PACKAGES
# apt and dpkg install, upgrade, remove and purge them in this throw-away system; a user uses what they install.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
checkout_here=$1
stage "$1" "$2" counting plain-views
packages=(rerender rerender-inject librerender-gtk-dev)
throw_away_user $user || exit
# Images of containers forbid packages to stop services.
rm -f /usr/sbin/policy-rc.d

# The files of a new version, and the same as an older one. Where apt's own user can read them.
files=() older=()
mkdir /opt/rerender/older
for package in "${packages[@]}"; do
    cp "$3/${package}"_*.deb /opt/rerender && files+=(/opt/rerender/"$package"_*.deb) || exit
    dpkg-deb --raw-extract "/opt/rerender/$package"_*.deb "/tmp/$package" || exit
    sed -i -e 's/^Version: .*/Version: 0.0.1/' -e 's/(= [^)]*)/(= 0.0.1)/' "/tmp/$package/DEBIAN/control"
    dpkg-deb --build --root-owner-group -Znone "/tmp/$package" /opt/rerender/older > /dev/null || exit
    older+=("/opt/rerender/older/${package}_0.0.1"_*.deb)
done
chmod -R a+rX /opt/rerender

apt() { DEBIAN_FRONTEND=noninteractive apt-get -y -qq --no-install-recommends "$@"; }
version_of() { dpkg-query --show --showformat='${db:Status-Status} ${Version}' "$1"; }
have_version() { for package in "${packages[@]}"; do same "$(version_of "$package")" "installed $1" || return; done; }
newest=$(dpkg-deb --field "${files[0]}" Version)
# What has the name anywhere, but for what this test and the user's login put there. dpkg's copies of its own lists are no package's.
named() {
    find / -xdev \( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /opt/rerender -o -path "/home/$user" -o -path "$checkout_here" \) \
        -prune -o -name '*rerender*' ! -name $user -print | sort
}
daemon_is_from() { same "$(readlink "/proc/$(main_pid)/exe")" "$1"; }
# says TEXT COMMAND...: the command prints the text, however it ends.
says() {
    local said
    said=$("${@:2}" 2>&1)
    grep -qF -- "$1" <<< "$said" || { echo "$said"; return 1; }
}
is_gone() { not grep -qE '^(installed|config-files)' <<< "$(version_of "$1" 2> /dev/null)"; }

before=$(named)
check "apt installs an older version" apt install "${older[@]}"
check "it is there" have_version 0.0.1
check "nobody's daemon was enabled" same "$(manager is-enabled rerenderd.service)" disabled
check "systemd finds no fault in the units" same "$(in_user systemd-analyze verify --user /usr/lib/systemd/user/rerenderd*)" ""
manager enable --now "${sockets[@]}" 2> /dev/null
check "the service runs from the package" ctl stats
check "with the daemon of the package" daemon_is_from /usr/bin/rerenderd
start_app 1000
check "an app is counted" eventually counts 1000
daemon=$(main_pid)

check "apt upgrades" apt install "${files[@]}"
check "the new version is there" have_version "$newest"
check "the daemon runs on" same "$(main_pid)" "$daemon"
check "from its old file" daemon_is_from "/usr/bin/rerenderd (deleted)"
check "and answers the new tool" counts 1000
manager daemon-reload && manager try-restart rerenderd.service
check "a restart brings the new daemon" daemon_is_from /usr/bin/rerenderd
check "with the same counts" eventually counts 1000

release=${newest%%[+-]*}
for program in rerenderd rerenderctl; do check "$program names its release" same "$(in_user $program --version)" "$release"; done
check "so does the daemon" grep -q "\"daemonVersion\":\"$release\"" \
    <<< "$(in_user curl --silent --unix-socket "$(runtime)/query.sock" http://localhost/v1/health | tr -d ' \n')"
check "doctor finds the libraries" says "libraries of --inject: they are in /usr/lib/rerender" in_user env COLUMNS=400 rerenderctl doctor -- true
check "and the daemon" says "ok    push protocol: version" in_user env COLUMNS=400 rerenderctl doctor
check "a program is counted as it is" says "Label    500" in_user env "LD_LIBRARY_PATH=$binaries" \
    bash -c "echo 500 | rerenderctl run --inject -- $binaries/plain-views"
for page in rerenderctl rerenderd; do check "man finds $page" grep -q '^NAME' <<< "$(in_user man --pager=cat $page)"; done
check "bash completes the tool" in_user bash -c '. /usr/share/bash-completion/completions/rerenderctl && complete -p rerenderctl'
for file in zsh/vendor-completions/_rerenderctl fish/vendor_completions.d/rerenderctl.fish; do check "$file is there" [ -s "/usr/share/$file" ]; done
check "the page for agents is a skill file" grep -qx 'name: rerender' /usr/share/rerender/skills/rerender/SKILL.md
compiles() {
    echo '#include <rerender.h>
        int main(void) { return rerender_gtk_start() == 0; }' > /tmp/linked.c
    # shellcheck disable=SC2046  # several flags
    cc /tmp/linked.c -o /tmp/linked $(pkg-config --cflags --libs rerender-gtk) && ldd /tmp/linked | grep -F /usr/lib/rerender/librerender-gtk.so
}
check "a C program can be compiled and linked" compiles
check "the pkg-config file names the release" same "$(pkg-config --modversion rerender-gtk)" "$release"
check "what the packages hold is unchanged" same "$(dpkg --verify "${packages[@]}")" ""
# Half of what they were: 77 and 60 MB, with the debug information in a package of its own.
for limit in rerenderctl:30 rerenderd:25; do
    check "${limit%:*} takes at most ${limit#*:} MB" [ "$(stat -c %s "/usr/bin/${limit%:*}")" -le "${limit#*:}000000" ]
done

saved=/home/$user/.local/state/rerender
# Where systemd keeps state depends on its version.
[ -d "$saved" ] || saved=/home/$user/.config/rerender
check "the user has saved totals" [ -d "$saved" ]
check "apt removes" apt remove "${packages[@]}"
check "the daemon was stopped" is_inactive rerenderd.service
check "no program is left" not command -v rerenderctl rerenderd
check "the user's totals are left" [ -n "$(ls "$saved")" ]
check "apt purges" apt purge rerender
check "nothing of the packages is left" same "$(named)" "$before"
for package in "${packages[@]}"; do check "$package is gone" is_gone "$package"; done
finish
