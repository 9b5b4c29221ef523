# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scripts under with-systemd: throw-away users, each with a real systemd user manager.

# throw_away_user NAME: makes the user with a home, and returns when the user's manager is up.
throw_away_user() {
    local name=$1 uid
    useradd --create-home --shell /bin/bash "$name" && uid=$(id -u "$name") || return
    # Lingering keeps the manager without a login; the start itself waits for the manager's readiness.
    loginctl enable-linger "$name" && systemctl start "user@$uid.service"
}

# as_user NAME COMMAND...: runs the command as that user, with the environment that a login would give.
as_user() {
    local name=$1 uid
    uid=$(id -u "$name") || return
    shift
    setpriv --reuid "$uid" --regid "$(id -g "$name")" --init-groups -- \
        env -i --chdir="/home/$name" HOME="/home/$name" USER="$name" LOGNAME="$name" SHELL=/bin/bash LANG=C.UTF-8 \
        PATH="/home/$name/.local/bin:/usr/local/bin:/usr/bin:/bin" \
        XDG_RUNTIME_DIR="/run/user/$uid" DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$uid/bus" "$@"
}

# user_journal NAME UNIT: what the unit of that user's manager logged, and what the manager said of it.
user_journal() {
    local uid
    uid=$(id -u "$1") || return
    journalctl --sync
    journalctl --no-pager --quiet --output=short-precise _UID="$uid" _SYSTEMD_USER_UNIT="$2" + _UID="$uid" USER_UNIT="$2"
}
