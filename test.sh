#!/bin/sh
# Sets headstring up with what its checks need and runs them all: ./test.sh
extras="[test]" . "$(dirname "$0")/deploy/venv.sh"
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports
exec .venv/bin/python -m pytest "$@"
