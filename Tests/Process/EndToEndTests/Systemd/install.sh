#!/bin/bash
# SPDX-License-Identifier: MIT
# Scripts/install and Scripts/uninstall: SCRIPT CHECKOUT BINARIES user|root
# Every file is where its reader looks, the service works from there, and afterwards all is as it was before.
. "$(dirname "$(readlink -f "$0")")/checks.sh"
stage "$1" "$2" librerender-preload.so librerender-inject.so
# What the part for GTK adds, in a build that has it.
if [ -f "$2/librerender-gtk.so" ]; then
    mkdir -p "$checkout/Sources/GTK"
    cp -r "$1/Sources/GTK/CInterface" "$checkout/Sources/GTK"
    cp -r "$2/librerender-gtk.so" "$2/rerender-gio" "$binaries"
    chmod -R a+rX /opt/rerender
fi
throw_away_user $user || exit
manager set-environment "LD_LIBRARY_PATH=$binaries"
if [ "$3" = root ]; then who=() prefix=/usr/local place=/usr/local; else who=(in_user) prefix=/home/$user/.local place=/home/$user; fi
script() { "${who[@]}" env "${@:2}" LD_LIBRARY_PATH="$binaries" "$checkout/Scripts/$1" "${arguments[@]}"; }
arguments=(--from "$binaries")

# Contents, modes and links of all that an installation could touch.
fingerprint() {
    find $place /etc /opt/elsewhere /opt/package -path "/home/$user/.cache" -prune -o -printf '%p %M %l ' \
        \( -type f -exec sha256sum {} \; -o -printf '\n' \) 2> /dev/null | sort
}
unchanged() { diff <(echo "$before") <(fingerprint); }
has_files() { for file in "$@"; do [ -s "$file" ] || { echo "no $file"; return 1; }; done; }
parses() { bash -n "$prefix/share/bash-completion/completions/rerenderctl"; }
# Reads the whole page: one that is cut off by its reader is a failure of its writer.
renders() { in_user man --pager=cat "$1" | grep '^NAME' > /dev/null; }

finds_libraries() {
    # Other checks of doctor fail before the service is there.
    { COLUMNS=400 LD_LIBRARY_PATH=$binaries "$prefix"/bin/rerenderctl doctor -- true || true; } |
        grep -F "libraries of --inject: they are in $prefix/lib/rerender"
}

before=$(fingerprint)
check "it installs" script install
check "the binaries, units, completions and pages are there" has_files \
    $prefix/bin/rerender{d,ctl} $prefix/share/bash-completion/completions/rerender{d,ctl} \
    $prefix/share/zsh/site-functions/_rerender{d,ctl} $prefix/share/fish/vendor_completions.d/rerender{d,ctl}.fish \
    $prefix/share/man/man1/rerenderctl.1 $prefix/share/man/man8/rerenderd.8
check "and the page for agents, as a skill file" grep -qx 'name: rerender' $prefix/share/rerender/skills/rerender/SKILL.md
check "the libraries of --inject are there" has_files $prefix/lib/rerender/librerender-{preload,inject}.so
check "and found" finds_libraries
if [ -f "$binaries/librerender-gtk.so" ]; then
    check "what C programs link is there" has_files $prefix/include/rerender.h $prefix/lib/rerender/librerender-gtk.so
    check "and its pkg-config file has the prefix" grep -qx "prefix=$prefix" $prefix/lib/pkgconfig/rerender-gtk.pc
fi
# A debugger finds it through the program alone; one that is moved away is looked for in vain.
separated() {
    not grep -q '\.debug_info' <<< "$(readelf --section-headers --wide "$1")" && has_files "${1%/*}/.debug/${1##*/}.debug" &&
        same "$(build_id "$1")" "$(build_id "${1%/*}/.debug/${1##*/}.debug")"
}
build_id() { readelf --notes "$1" | sed -n 's/.*Build ID: //p'; }
# The line of main, through the program.
finds_lines() {
    local main
    main=$(nm --defined-only "${1%/*}/.debug/${1##*/}.debug" | awk '$3 == "main" || $3 ~ /_main$/ { print $1; exit }')
    addr2line -e "$1" "$main" | grep '\.swift:'
}
for program in rerenderd rerenderctl; do
    check "$program has no debug information" separated $prefix/bin/$program
    check "it lies beside it, where debuggers find it" finds_lines $prefix/bin/$program
done
check "no unit names a template" not grep -rq '@BINDIR@' $prefix/*/systemd/user/rerenderd.service
check "bash can read the completions" parses
check "the pages are well made" mandoc -Tlint -Wwarning $prefix/share/man/man1/rerenderctl.1 $prefix/share/man/man8/rerenderd.8
for page in rerenderctl rerenderd; do check "man finds $page" renders $page; done
installed=$(fingerprint)
check "it installs again" script install
check "and changes nothing by that" diff <(echo "$installed") <(fingerprint)

manager daemon-reload
check "the sockets can be enabled" manager enable --now "${sockets[@]}"
check "the service runs" ctl stats
check "from the installed file" same "$(readlink "/proc/$(main_pid)/exe")" $prefix/bin/rerenderd
arguments=()
check "it uninstalls" script uninstall
check "the daemon was stopped" is_inactive rerenderd.service
# What is not the installation's: the daemon's saved totals, and directories that systemctl made. Since systemd 254 these are in .local.
rm -rf "/home/$user/.config/rerender" "/home/$user/.local/state"
find "/home/$user/.config" "/home/$user/.local" -depth -type d -empty -delete 2> /dev/null
check "nothing is left" unchanged
refuse "a second time it says that nothing is installed" script uninstall

# Elsewhere, with something of others in the way.
arguments=(--from "$binaries" --prefix /opt/elsewhere)
mkdir -p /opt/elsewhere/share/man/man1
touch /opt/elsewhere/share/man/man1/other.1
chown -R "$user" /opt/elsewhere
before=$(fingerprint)
check "it installs elsewhere" script install
arguments=(--prefix /opt/elsewhere)
manifest=/opt/elsewhere/share/rerender/manifest
cp $manifest /tmp/manifest
installed=$(fingerprint)
for line in "file ../../etc/hostname" "file /etc/hostname" "nonsense"; do
    echo "$line" >> $manifest
    refuse "a manifest with '$line' is refused" script uninstall
    cp /tmp/manifest $manifest
    check "and nothing was deleted" diff <(echo "$installed") <(fingerprint)
done
check "it uninstalls from there" script uninstall
check "and leaves what others had there" unchanged

arguments=(--from "$binaries" --prefix /usr)
mkdir /opt/package && chown "$user" /opt/package
check "packagers can install into a directory" script install DESTDIR=/opt/package
check "with the paths of the later place" grep -q '^ExecStart=/usr/bin/rerenderd$' /opt/package/usr/*/systemd/user/rerenderd.service
arguments=(--prefix "/opt/a b")
refuse "a prefix that no unit can name is refused" script install
arguments=(--from /nowhere)
refuse "a directory without binaries is refused" script install
finish
