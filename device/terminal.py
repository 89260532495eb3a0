"""What every command shares: errors as one line, documented exit codes, tables and JSON on the terminal."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable
from enum import IntEnum
from typing import Any, ParamSpec, TypeVar

import typer
from rich.console import Console

from adjudication.judge import UnjudgeableError, UnknownLeagueError
from adjudication.match.scoresheet import MatchError
from adjudication.rejudging import OtherGameError
from adjudication.settings import BadOptionError
from calibration.calibration import CalibrationError
from calibration.search import TableNotFoundError
from calibration.table import UnknownTableError
from device.cameras.camera import CameraError
from device.files import OutputError
from device.keys import KeyStoreError
from device.live.claim import ClaimedError
from device.source import SourceError
from models.loading import ModelError

P = ParamSpec("P")
T = TypeVar("T")

out = Console()
notes = Console(stderr=True)


class Exit(IntEnum):
    """Exit codes of `headstring`."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2
    UNREADABLE = 3
    NO_TABLE = 4
    BAD_RECORD = 5
    CANNOT_WRITE = 6
    GOALS_MISSED = 7
    UNFIT = 8
    NOT_INTACT = 9
    INTERRUPTED = 130


class CommandError(Exception):
    """A command's end by a known cause: one sentence and an exit code."""

    def __init__(self, message: str, code: Exit) -> None:
        super().__init__(message)
        self.code = code


_CODES: dict[type[Exception], Exit] = {
    SourceError: Exit.UNREADABLE,
    TableNotFoundError: Exit.NO_TABLE,
    CalibrationError: Exit.NO_TABLE,
    UnknownTableError: Exit.USAGE,
    OutputError: Exit.CANNOT_WRITE,
    UnknownLeagueError: Exit.USAGE,
    OtherGameError: Exit.USAGE,
    BadOptionError: Exit.USAGE,
    MatchError: Exit.USAGE,
    KeyStoreError: Exit.USAGE,
    UnjudgeableError: Exit.BAD_RECORD,
    CameraError: Exit.UNREADABLE,
    ClaimedError: Exit.UNREADABLE,
    ModelError: Exit.UNREADABLE,
}


def plain_errors(command: Callable[P, T]) -> Callable[P, T]:
    """Turn a command's errors into one clear line on stderr and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            _say("stopped")
            raise typer.Exit(Exit.INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(Exit.DONE) from None
        except CommandError as failure:
            _say(f"error: {failure}")
            raise typer.Exit(failure.code) from None
        except Exception as error:
            for known, code in _CODES.items():
                if isinstance(error, known):
                    _say(f"error: {error}")
                    raise typer.Exit(code) from None
            if os.environ.get("HEADSTRING_TRACEBACK"):
                raise
            _say(
                f"internal error: {type(error).__name__}: {error}"
                " (set HEADSTRING_TRACEBACK=1 and run it again to see where; please report it)"
            )
            raise typer.Exit(Exit.INTERNAL) from None

    return run


def _say(text: str) -> None:
    notes.print(text, style="red", markup=False, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON document on stdout, for machines."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
