"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt


class OutputError(OSError):
    """Something could not be written; the message says what and why."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part.

    Raises:
        OutputError: the folder is missing, read-only or full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OutputError(f"cannot write {path}: {error.strerror}") from None
        raise


def write_text(path: Path, text: str) -> None:
    write_whole(path, text.encode())


def write_png(path: Path, picture: npt.NDArray[np.uint8]) -> None:
    done, data = cv2.imencode(".png", picture)
    if not done:
        raise OutputError(f"cannot encode {path} as PNG")
    write_whole(path, data.tobytes())
