#!/bin/sh
# Sets headstring up with what its checks need and runs them all: ./test.sh
set -eu
missing=""
has() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || missing="$missing $2"; }
has gst-launch-1.0 "gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-libav"
has mosquitto mosquitto
has systemd-analyze systemd
command -v chromium-browser >/dev/null 2>&1 || has chromium chromium
if [ -n "$missing" ]; then
    echo "headstring: the checks also need programs of the system. Install them, then run this again:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
extras="[test]" . "$(dirname "$0")/deploy/venv.sh"
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports
exec .venv/bin/python -m pytest "$@"
