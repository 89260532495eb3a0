"""`headstring train`: the networks go on learning from one venue's own pictures."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import cv2
import numpy as np
import typer
from rich.table import Table as Grid

from calibration.calibration import Calibration
from device import terminal
from device.commands.calibrate import known_calibration
from device.commands.label import CALIBRATION
from device.source import is_picture, read_picture
from models.labels import PICTURES, UNNAMED, LabelError, Marked, read
from models.loading import FINDER_PATH, NAMER_PATH, Finder, Namer
from vision.frame import Frame

if TYPE_CHECKING:
    from lab.eyes.counting import Count

_FEWEST: Final = 8
_HELD_OUT: Final = 4
"""Every so manieth picture is never learned from: before and after are told on these."""
MODELS: Final = "models"


def command(
    venue: Annotated[Path, typer.Option("--venue", help="folder from `headstring label`, its labels put right")],
    seed: Annotated[int, typer.Option("--seed", help="the same seed and pictures give the same networks")] = 1,
    finder_steps: Annotated[int, typer.Option("--finder-steps", min=1, help="steps of the finder")] = 500,
    namer_steps: Annotated[int, typer.Option("--namer-steps", min=1, help="steps of the namer")] = 700,
    drawn_pictures: Annotated[
        int, typer.Option("--drawn", min=1, help="drawn pictures of this table that are mixed in")
    ] = 90,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Learn from a venue's marked pictures; print before and after on pictures that were not learned from."""
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("onnx") is None:
        raise terminal.CommandError("training needs PyTorch: pip install 'headstring[train]'", terminal.Exit.USAGE)
    from models.training.venue import Mount, drawn_samples, marked_samples, tune

    cv2.setNumThreads(1)
    began = time.monotonic()
    pictures, marked = _read(venue)
    known = known_calibration(venue / CALIBRATION, pictures[marked[0].picture])
    kept, learned = marked[::_HELD_OUT], [m for k, m in enumerate(marked) if k % _HELD_OUT]
    mount, rng = Mount(known.table, known.camera), np.random.default_rng(seed)

    def told(line: str) -> None:
        terminal.notes.print(line, highlight=False)

    told(f"{len(learned)} pictures to learn from, {len(kept)} held out; drawing {drawn_pictures} more of this table")
    own = [marked_samples(pictures[m.picture].pixels, m, mount, rng) for m in learned]
    drawn = list(drawn_samples(mount, drawn_pictures, rng))
    tuned = tune(own, drawn, _start(), seed, told, (finder_steps, namer_steps))
    folder = venue / MODELS
    _write(tuned, folder, rng)
    before = _count(pictures, kept, known, Finder(), Namer())
    after = _count(pictures, kept, known, Finder(folder / FINDER_PATH.name), Namer(folder / NAMER_PATH.name))
    better = _is_better(before, after)
    if not better:
        for path in folder.iterdir():
            path.unlink()
    _tell(before, after, better, folder, time.monotonic() - began, as_json)


def _read(venue: Path) -> tuple[dict[str, Frame], list[Marked]]:
    folder = venue / PICTURES
    if not folder.is_dir():
        raise terminal.CommandError(
            f"{venue} holds no {PICTURES}/: make it with `headstring label`", terminal.Exit.UNREADABLE
        )
    pictures = {path.name: read_picture(path) for path in sorted(folder.iterdir()) if is_picture(path)}
    try:
        marked = read(venue, {name: frame.size for name, frame in pictures.items()})
    except LabelError as error:
        raise terminal.CommandError(str(error), terminal.Exit.UNREADABLE) from None
    if len(marked) < _FEWEST:
        raise terminal.CommandError(
            f"{len(marked)} marked pictures are too few to learn from: at least {_FEWEST}", terminal.Exit.UNREADABLE
        )
    if len({frame.size for frame in pictures.values()}) > 1:
        raise terminal.CommandError("the pictures are not all of one size: one camera only", terminal.Exit.UNREADABLE)
    return pictures, marked


def _start() -> tuple[Any, Any]:
    from models.training.export import load_weights
    from models.training.networks import FinderNetwork, NamerNetwork

    start = FinderNetwork(), NamerNetwork()
    for network, path in zip(start, (FINDER_PATH, NAMER_PATH), strict=True):
        load_weights(network, path.with_suffix(".weights.npz"))
    return start


def _write(tuned: Any, folder: Path, rng: np.random.Generator) -> None:
    from models.training import finder, namer

    folder.mkdir(parents=True, exist_ok=True)
    finder.write(tuned.finder, folder / FINDER_PATH.name, finder.shown(tuned.views, rng))
    namer.write(tuned.namer, folder / NAMER_PATH.name, namer.shown(tuned.crops))
    for path in folder.glob("*.full.onnx"):
        path.unlink()


def _count(
    pictures: dict[str, Frame], marked: Sequence[Marked], known: Calibration, finder: Finder, namer: Namer
) -> Count:
    """What these networks see in the held-out pictures."""
    from lab.eyes.counting import Count, Seen
    from lab.eyes.labelled import Labelled
    from vision.eye import Eye

    count = Count()
    for one in marked:
        frame = pictures[one.picture]
        seen = Eye(known, finder, namer).look(frame)
        px = np.array([box.centre for box in one.boxes], dtype=np.float64).reshape(-1, 2)
        names = tuple(None if box.name == UNNAMED else box.name for box in one.boxes)
        labelled = Labelled("venue", one.picture, frame.pixels, known, px, names, len(px), np.zeros((0, 2)))
        count.add(labelled, Seen.of(seen))
    return count


def _is_better(before: Count, after: Count) -> bool:
    """Not worse in anything that counts, and better in something."""
    pairs = [(after.found, before.found), (-after.false, -before.false), (after.named_right, before.named_right)]
    return all(now >= was for now, was in pairs) and any(now > was for now, was in pairs)


def _rows(count: Count) -> dict[str, float | None]:
    return {
        "balls found": count.found / count.balls if count.balls else None,
        "false balls a picture": count.false / max(count.pictures, 1),
        "named right": count.named_right / count.named if count.named else None,
        "centre error, median, ball diameters": float(np.median(count.errors)) if count.errors else None,
    }


def _tell(before: Count, after: Count, better: bool, folder: Path, seconds: float, as_json: bool) -> None:
    was, now = _rows(before), _rows(after)
    if as_json:
        kept = str(folder) if better else None
        terminal.print_json({"before": was, "after": now, "kept": kept, "pictures": before.pictures})
        return
    grid = Grid(title=f"On {before.pictures} held-out pictures with {before.balls} balls", title_justify="left")
    for heading in ("", "before", "after"):
        grid.add_column(heading, justify="left" if not heading else "right")
    for name in was:
        cells = ("-" if value is None else f"{value:.4g}" for value in (was[name], now[name]))
        grid.add_row(name, *cells)
    terminal.out.print(grid)
    terminal.out.print(
        f'kept after {seconds / 60:.0f} min: use them with models = "{folder}" under [live], or --models {folder}'
        if better
        else "what was learned is no better here than the networks that ship: nothing was kept",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
