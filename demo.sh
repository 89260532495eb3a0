#!/bin/sh
# Sets headstring up and analyses the built-in clip: ./demo.sh
extras="" . "$(dirname "$0")/deploy/venv.sh"
exec .venv/bin/headstring demo "$@"
