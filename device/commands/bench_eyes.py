"""`headstring bench-eyes`: the detector beside what a user would pick instead, on one core of this machine."""

from __future__ import annotations

import itertools
import platform
from pathlib import Path
from typing import Annotated

import cv2
import typer
from rich.progress import Progress as Bar

from device import terminal
from device.commands.evaluate import figures_table
from models.loading import Finder, Namer


def command(
    real: Annotated[
        Path | None, typer.Argument(help="folder of labelled pictures and clips; without it only drawn pictures")
    ] = None,
    drawn: Annotated[int, typer.Option("--drawn", min=0, help="how many pictures to draw")] = 120,
    every: Annotated[int, typer.Option("--every", min=1, help="look at every so manieth unmarked clip frame")] = 1,
    rival: Annotated[
        Path | None, typer.Option("--rival", help="ONNX file of a 640-pixel network to compare the cost with")
    ] = None,
    what: Annotated[bool, typer.Option("--list", help="also list what was missed, false or misnamed")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Compare with OpenCV's HoughCircles on the same pictures, and with a network's cost on the same frame."""
    from lab.eyes import benchmark
    from lab.eyes.labelled import labelled

    if real is not None and not real.is_dir():
        raise terminal.CommandError(f"no such folder: {real}", terminal.Exit.UNREADABLE)
    if rival is not None and not rival.is_file():
        raise terminal.CommandError(f"no such network: {rival}", terminal.Exit.UNREADABLE)
    cv2.setNumThreads(1)
    finder, namer = Finder(), Namer()
    pictures = itertools.chain(labelled(real) if real is not None else (), benchmark.drawn(drawn))
    with Bar(console=terminal.notes, transient=True) as bar:
        task = bar.add_task("looking", total=None)
        counts = benchmark.count(pictures, finder, namer, every, lambda: bar.advance(task))
    figures = benchmark.seen_figures(counts) + benchmark.cost_figures(finder, namer, rival)
    conditions = {
        "finder_sha256": finder.sha256,
        "namer_sha256": namer.sha256,
        "machine": f"{platform.machine()}, one thread",
    }
    if as_json:
        terminal.print_json({"figures": figures, "conditions": conditions})
    else:
        terminal.out.print(figures_table(figures))
        for name, by in counts.items() if what else ():
            for heading in ("missed_in", "false_in", "misnamed"):
                for line in getattr(by[benchmark.OURS], heading):
                    terminal.out.print(f"{name}, {heading.removesuffix('_in')}: {line}", highlight=False)
    if any(figure["met"] is False for figure in figures):
        raise typer.Exit(terminal.Exit.GOALS_MISSED)
