"""What the configuration asks for beside the watch, made: the index, the keys, clips, the window."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Final

from device.clips.budget import Budget
from device.clips.recorder import ClipRecorder
from device.clips.ring import Ring
from device.files import OutputError
from device.keys import KeyStore, KeyStoreError
from device.live.beside import Beside
from device.live.config import ClipSettings, Config
from device.live.keeping import Keeping, shelf_of
from device.live.late_index import LateIndex
from device.live.window import Window
from device.store.library import Library
from record.seal import sealed_by

_MB: Final = 1_000_000


def index_of(config: Config, clock: Callable[[], float], complain: Callable[[str], None]) -> LateIndex:
    """The index of the racks of the configured data folder."""
    return LateIndex(lambda: Library(config.data.folder, complain), clock, complain)


def keys_of(config: Config, complain: Callable[[str], None]) -> KeyStore:
    """The device's keys; the first start makes one, so that racks are sealed from the beginning.

    Where none can be made, that is said, and racks are written without a seal.
    """
    keys = KeyStore(config.data.folder / "keys")
    if (keys.folder / "device.key").exists():
        return keys
    try:
        made = keys.create(config.table.name)
        complain(f"a key was made that seals racks: {made.id}; back it up with `headstring key backup`")
    except (OutputError, KeyStoreError, OSError) as error:
        complain(f"no key could be made ({error}); racks are not sealed until there is one")
    return keys


def beside_of(
    config: Config,
    library: Callable[[], Library | None],
    keys: KeyStore,
    now: Callable[[], float],
    complain: Callable[[str], None],
) -> Beside:
    """All that the configuration asks for."""
    keeping = Keeping(config.data.folder, library, sealed_by(keys.private, now), complain)
    clips = None if config.clips is None else _clips(config, config.clips, library, now, complain)
    window = None if config.web is None else Window()
    masked = config.web is None or config.web.mask_outside_table
    return Beside(keeping, clips, window, masked)


def _clips(
    config: Config,
    wanted: ClipSettings,
    library: Callable[[], Library | None],
    now: Callable[[], float],
    complain: Callable[[str], None],
) -> ClipRecorder:
    folder = config.data.folder / "clips"
    budget = Budget(wanted.days, wanted.flagged_days, wanted.free_mb * _MB, wanted.last_mb * _MB)

    def free() -> int:
        return shutil.disk_usage(folder if folder.is_dir() else os.fspath(config.data.folder)).free

    ring = Ring(wanted.seconds, wanted.memory_mb * _MB, wanted.width)
    return ClipRecorder(ring, folder, budget, shelf_of(library), now, free, complain)
