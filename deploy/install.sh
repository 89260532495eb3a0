#!/usr/bin/env bash
# Puts headstring on a Raspberry Pi (Bookworm, Trixie), a Jetson (JetPack 6, 7) or any Debian or Ubuntu box, as a service.
#
#   sudo deploy/install.sh              install, or upgrade to what lies in this folder
#   sudo deploy/install.sh rollback     back to the release before
#   sudo deploy/install.sh uninstall    remove the program; records and configuration stay
#   sudo deploy/install.sh uninstall --purge    remove those too
#
# Each release has its own folder in /opt/headstring/releases; records (/var/lib/headstring) and configuration
# (/etc/headstring) are never touched by an upgrade or a rollback.
set -euo pipefail

source_folder="$(cd "$(dirname "$0")/.." && pwd)"
base=/opt/headstring
data=/var/lib/headstring
settings=/etc/headstring
unit=/etc/systemd/system/headstring.service
user=headstring
kept_releases=3

say() { printf 'headstring: %s\n' "$*"; }
fail() {
    printf 'headstring: %s\n' "$*" >&2
    exit 1
}

runs_systemd() { [ -d /run/systemd/system ]; }
is_pi() { grep -qi "raspberry pi" /proc/device-tree/model 2>/dev/null; }
is_jetson() { [ -e /etc/nv_tegra_release ] || grep -qi "jetson" /proc/device-tree/model 2>/dev/null; }
has_package() { apt-cache show "$1" >/dev/null 2>&1; }

install_packages() {
    say "installing system packages"
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update
    local wanted=(python3 python3-venv ca-certificates)
    # Only Raspberry Pi OS has picamera2; the pins' library is in Debian too.
    for package in python3-picamera2 python3-lgpio; do
        if has_package "$package"; then wanted+=("$package"); fi
    done
    if is_jetson; then wanted+=(gstreamer1.0-tools gstreamer1.0-plugins-good); fi
    apt-get -q install -y --no-install-recommends "${wanted[@]}"
}

# The system's own Python, since picamera2 is built for it; where that is too old (JetPack 6), Ubuntu's newer one.
find_python() {
    python=/usr/bin/python3
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        apt-get -q install -y --no-install-recommends python3.11 python3.11-venv ||
            fail "needs Python 3.11 or newer; $("$python" --version) is too old and no other could be installed"
        python=/usr/bin/python3.11
    fi
}

make_user() {
    getent passwd "$user" >/dev/null ||
        useradd --system --home-dir "$data" --shell /usr/sbin/nologin --user-group "$user"
    for group in video render gpio i2c; do
        if getent group "$group" >/dev/null; then usermod -a -G "$group" "$user"; fi
    done
    install -d -o "$user" -g "$user" -m 0750 "$data"
    install -d -o root -g "$user" -m 0750 "$settings"
    if [ ! -e "$settings/headstring.toml" ]; then
        install -o root -g "$user" -m 0640 "$source_folder/deploy/headstring.toml" "$settings/headstring.toml"
        say "wrote $settings/headstring.toml: say there which camera and table this is"
    fi
}

# What pip may not change: on Bookworm numpy 2 would break the system's simplejpeg, which picamera2 uses; on Trixie the
# system's numpy is new enough and stays.
write_constraints() {
    local target="$1"
    if "$python" -c 'import sys; sys.exit(sys.version_info >= (3, 12))'; then
        grep -v -i -E '^(numpy|opencv-python-headless|scipy)==' "$source_folder/requirements.lock" >"$target"
        cat "$source_folder/deploy/constraints-bookworm.txt" >>"$target"
    elif "$python" -c 'import numpy' 2>/dev/null; then
        grep -v -i -E '^numpy==' "$source_folder/requirements.lock" >"$target"
    else
        cp "$source_folder/requirements.lock" "$target"
    fi
}

make_release() {
    local version
    version="$(sed -n 's/^version = "\(.*\)"/\1/p' "$source_folder/pyproject.toml")"
    release="$base/releases/$version-$(date +%Y%m%d-%H%M%S)"
    say "making release $(basename "$release")"
    install -d -m 0755 "$base/releases" "$release"
    trap 'rm -rf "$release"' ERR INT TERM
    "$python" -m venv --system-site-packages "$release"
    local constraints="$release/constraints.txt"
    write_constraints "$constraints"
    "$release/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir --only-binary :all: \
        --no-binary headstring -c "$constraints" "${source_folder}[web]"
    "$release/bin/python" -m pip freeze --local >"$release/installed.txt"
    check_release
    trap - ERR INT TERM
}

# Run as a child: on a processor without what ONNX Runtime wants, it dies of an illegal instruction.
check_release() {
    local said=0
    OPENBLAS_NUM_THREADS=1 "$release/bin/python" -c '
import device.cli
from models.loading import Finder, Namer
Finder(), Namer()' || said=$?
    if [ "$said" = 132 ]; then
        say "this processor lacks instructions of that ONNX Runtime; taking 1.20"
        "$release/bin/python" -m pip install --quiet --no-cache-dir --only-binary :all: 'onnxruntime==1.20.*'
        said=0
        "$release/bin/python" -c 'from models.loading import Finder; Finder()' || said=$?
    fi
    [ "$said" = 0 ] || fail "the new release does not start; nothing was changed"
    if is_pi && ! "$release/bin/python" -c 'import picamera2' >/dev/null 2>&1; then
        say "note: picamera2 cannot be imported; a camera module will not work (sudo apt-get install python3-picamera2)"
    fi
}

install_unit() {
    install -m 0644 "$source_folder/deploy/headstring.service" "$unit"
    if is_jetson; then
        install -d "$unit.d"
        install -m 0644 "$source_folder/deploy/jetson.conf" "$unit.d/jetson.conf"
    fi
    if runs_systemd; then systemctl daemon-reload; fi
}

# Points `current` at a release in one step, and remembers the one before.
switch_to() {
    local before=""
    if [ -L "$base/current" ]; then before="$(readlink -f "$base/current")"; fi
    ln -sfn "$1" "$base/.current.new"
    mv -T "$base/.current.new" "$base/current"
    if [ -n "$before" ] && [ "$before" != "$1" ]; then ln -sfn "$before" "$base/previous"; fi
    ln -sfn "$base/current/bin/headstring" /usr/local/bin/headstring
}

start_service() {
    runs_systemd || {
        say "systemd does not run here: start it with: headstring run --config $settings/headstring.toml"
        return 0
    }
    systemctl enable --quiet headstring.service
    systemctl restart headstring.service
}

# A first installation has no camera configured yet; an upgrade of a service that worked must work again.
keep_or_roll_back() {
    local worked="$1"
    start_service && return 0
    if [ "$worked" = yes ] && [ -L "$base/previous" ]; then
        say "the new release does not run; going back to the one before"
        switch_to "$(readlink -f "$base/previous")"
        systemctl restart headstring.service || true
        fail "the upgrade was taken back; see: journalctl -u headstring"
    fi
    say "the service does not run yet: edit $settings/headstring.toml, then: sudo systemctl restart headstring"
    say "what is wrong: sudo -u $user headstring doctor --config $settings/headstring.toml"
}

drop_old_releases() {
    local current previous
    current="$(readlink -f "$base/current")"
    previous="$(readlink -f "$base/previous" 2>/dev/null || true)"
    find "$base/releases" -mindepth 1 -maxdepth 1 -type d | sort -r | tail -n "+$((kept_releases + 1))" |
        while read -r old; do
            if [ "$old" != "$current" ] && [ "$old" != "$previous" ]; then rm -rf "$old"; fi
        done
}

do_install() {
    local worked=no
    if runs_systemd && systemctl is-active --quiet headstring.service; then worked=yes; fi
    install_packages
    find_python
    make_release
    make_user
    install_unit
    switch_to "$release"
    keep_or_roll_back "$worked"
    drop_old_releases
    say "installed $("$base/current/bin/headstring" --version)"
}

do_rollback() {
    [ -L "$base/previous" ] || fail "there is no release to go back to"
    local target
    target="$(readlink -f "$base/previous")"
    [ -x "$target/bin/headstring" ] || fail "the release before is gone: $target"
    switch_to "$target"
    start_service
    say "back to $(basename "$target")"
}

do_uninstall() {
    if runs_systemd; then systemctl disable --now headstring.service 2>/dev/null || true; fi
    rm -f "$unit" /usr/local/bin/headstring
    rm -rf "$unit.d" "$base"
    if runs_systemd; then systemctl daemon-reload; fi
    if [ "${1-}" = --purge ]; then
        rm -rf "$data" "$settings" /var/log/headstring
        userdel "$user" 2>/dev/null || true
        say "removed, with all records"
    else
        say "removed; records stay in $data, the configuration in $settings"
    fi
}

[ "$(id -u)" = 0 ] || fail "run this with sudo"
command -v apt-get >/dev/null || fail "this is no Debian; see docs/venue.md for other systems"
case "$(uname -m)" in
    aarch64 | x86_64) ;;
    *) fail "needs a 64-bit system; this is $(uname -m) (on a Raspberry Pi take the 64-bit image)" ;;
esac
case "${1-install}" in
    install | upgrade) do_install ;;
    rollback) do_rollback ;;
    uninstall) do_uninstall "${2-}" ;;
    *) fail "unknown: $1 (install, rollback, uninstall)" ;;
esac
