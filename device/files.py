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


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part; when this returns the new one
    survives a power cut. `mode` are its permissions, else the process's usual ones.

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
        os.chmod(name, _usual_mode() if mode is None else mode)
        os.replace(name, path)
        sync_folder(path.parent)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OutputError(f"cannot write {path}: {error.strerror}") from None
        raise


def _usual_mode() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, as they are now."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_text(path: Path, text: str) -> None:
    write_whole(path, text.encode())


def write_png(path: Path, picture: npt.NDArray[np.uint8]) -> None:
    done, data = cv2.imencode(".png", picture)
    if not done:
        raise OutputError(f"cannot encode {path} as PNG")
    write_whole(path, data.tobytes())
