#!/usr/bin/env bash
# Proves that every dependency comes as a wheel for arm64: resolves the whole set for Python 3.11 (Bookworm, JetPack) and
# 3.13 (Trixie) without building anything, and prints a table.   deploy/wheels.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
python="${PYTHON:-.venv/bin/python}"
folder="${1:-$(mktemp -d)}"

# The dependencies as pyproject.toml states them, of the core and of the extras `live` and `web`.
wanted() {
    "$python" - <<'PY'
import tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
extras = project["optional-dependencies"]
print("\n".join([*project["dependencies"], *extras["live"], *(d for d in extras["web"] if not d.startswith("headstring"))]))
PY
}

resolve() {
    local version="$1" constraints="$2"
    local into="$folder/$version"
    mkdir -p "$into"
    wanted | "$python" -m pip download --quiet --disable-pip-version-check --only-binary :all: --dest "$into" \
        --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_17_aarch64 \
        --platform manylinux2014_aarch64 --platform linux_aarch64 \
        --implementation cp --python-version "$version" -c "$constraints" -r /dev/stdin 2>&1 |
        { grep -v -i -E "warning|ignored" || true; }
    printf '\nPython %s on arm64: %d wheels\n' "$version" "$(find "$into" -name '*.whl' | wc -l)"
    find "$into" -name '*.whl' -printf '%f\n' | sort | sed 's/\.whl$//' |
        awk -F- '{ printf "  %-28s %-14s %s\n", $1, $2, $NF }'
    [ -z "$(find "$into" -type f ! -name '*.whl')" ]
}

bookworm="$folder/bookworm.txt" trixie="$folder/trixie.txt"
mkdir -p "$folder"
grep -v -i -E '^(numpy|opencv-python-headless|scipy)==' requirements.lock >"$bookworm"
cat deploy/constraints-bookworm.txt >>"$bookworm"
cp requirements.lock "$trixie"
resolve 3.11 "$bookworm"
resolve 3.13 "$trixie"
