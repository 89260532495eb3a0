# shellcheck shell=sh disable=SC2034,SC3013
# Makes the project's virtual environment (.venv) and installs headstring into it, with the extras in $extras.
# Read by demo.sh and test.sh in the folder above; needs only python3 (3.11 or newer).
set -eu
cd "$(dirname "$0")"
extras="${extras-}"
need() {
    echo "headstring: $1 is missing. Install it, then run this again:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y $2" >&2
    exit 1
}
command -v python3 >/dev/null 2>&1 || need python3 "python3 python3-venv"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "headstring: needs Python 3.11 or newer; this is $(python3 --version 2>&1)." >&2
    exit 1
}
python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || need "Python's venv module" "python3-venv"
[ -x .venv/bin/python ] || python3 -m venv .venv
stamp=".venv/installed${extras:+-test}"
if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ] || [ requirements.lock -nt "$stamp" ]; then
    echo "headstring: setting up .venv (once; needs the network)" >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e ".$extras" || {
        echo "headstring: the installation failed; is the network there? Run this again when it is." >&2
        exit 1
    }
    touch "$stamp"
fi
