"""`headstring lab`: event inference tried on thousands of simulated shots with exact truth."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import Progress as Bar

from calibration.table import table_named
from device import terminal
from device.commands.evaluate import figures_table
from device.files import write_text, write_whole

if TYPE_CHECKING:
    from lab.trials.camera import Conditions
    from lab.trials.figures import Goals
    from lab.trials.scoring import Score


def command(
    shots: Annotated[int, typer.Option("--shots", min=1, help="shots to play, spread evenly over all kinds")] = 5000,
    seed: Annotated[int, typer.Option("--seed", help="the same seed plays and sees the same shots")] = 1,
    fps: Annotated[float | None, typer.Option("--fps", help="frames a second, 24 to 120; default 60, then 30")] = None,
    noise: Annotated[
        float | None,
        typer.Option("--noise", help="error of a centre's coordinate in metres; default 0.0015, then 0.003"),
    ] = None,
    readout: Annotated[
        float, typer.Option("--readout", help="seconds a rolling shutter takes from edge to edge")
    ] = 0.0,
    hidden: Annotated[float, typer.Option("--hidden", help="share of balls that are hidden for a while")] = 0.0,
    unnamed: Annotated[float, typer.Option("--unnamed", help="share of balls that are named late")] = 0.0,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="only this kind of shot; may be repeated")] = None,
    rendered: Annotated[int, typer.Option("--rendered", min=0, help="also film so many shots and watch the video")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="processes side by side")] = 1,
    report: Annotated[Path | None, typer.Option("--report", help="folder for trials.md and its plots")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Play shots of every kind, watch them as a camera would, and print how often what was told is right.

    Without --fps and --noise two series are run: 60 frames a second with 1.5 mm noise, then half as many shots at 30
    with 3 mm. The exit code is 7 where a goal is missed.
    """
    _needs_the_lab()
    from lab.trials.camera import Conditions
    from lab.trials.figures import Goals
    from lab.trials.kinds import NAMES

    unknown = [k for k in kind or () if k not in NAMES]
    if unknown:
        raise terminal.CommandError(f"no kind {unknown[0]!r}: kinds are {', '.join(NAMES)}", terminal.Exit.USAGE)
    kinds = tuple(kind) if kind else NAMES
    rest = {"readout": readout, "hidden": hidden, "unnamed": unnamed}
    if fps is None and noise is None:
        plans = [
            (Conditions(**rest), shots, Goals()),
            (Conditions(30.0, 0.003, **rest), (shots + 1) // 2, Goals(False, 2.0)),
        ]
    else:
        plans = [(Conditions(fps or 60.0, 0.0015 if noise is None else noise, **rest), shots, Goals())]
    series = [_series(seed, plan, kinds, jobs) for plan in plans]
    if rendered:
        series.append(_filmed(seed, rendered, kinds))
    conditions = {"seed": seed, "machine": platform.machine(), "python": platform.python_version(), "jobs": jobs}
    if report is not None:
        _write(report, series, f"headstring lab --shots {shots} --seed {seed}", conditions)
    if as_json:
        terminal.print_json(
            {
                "figures": series[0][2],
                "conditions": {**conditions, "series": series[0][0]},
                "further": [{"figures": found, "conditions": {"series": heading}} for heading, _, found in series[1:]],
            }
        )
    else:
        for heading, _, found in series:
            terminal.out.print(heading)
            terminal.out.print(figures_table(found))
    if any(figure["met"] is False for _, _, found in series for figure in found):
        raise typer.Exit(terminal.Exit.GOALS_MISSED)


def _needs_the_lab() -> None:
    try:
        import matplotlib
        import pooltool
    except ImportError:
        raise terminal.CommandError(
            "the lab needs pooltool and matplotlib: pip install 'headstring[lab]'", terminal.Exit.USAGE
        ) from None
    del matplotlib, pooltool


def _series(
    seed: int, plan: tuple[Conditions, int, Goals], kinds: tuple[str, ...], jobs: int
) -> tuple[str, list[Score], list[dict[str, Any]]]:
    from lab.trials.figures import figures
    from lab.trials.running import trials

    conditions, shots, goals = plan
    heading = f"{shots} shots at {conditions.fps:g} frames a second, {1000 * conditions.noise:g} mm noise"
    scores: list[Score] = []
    with Bar(console=terminal.notes, transient=True, disable=not terminal.notes.is_terminal) as bar:
        task = bar.add_task(heading, total=shots)
        for score in trials(table_named("9ft"), seed, shots, conditions, kinds, jobs):
            scores.append(score)
            bar.update(task, advance=1)
    return heading, scores, figures(scores, goals)


def _filmed(seed: int, shots: int, kinds: tuple[str, ...]) -> tuple[str, list[Score], list[dict[str, Any]]]:
    from lab.trials.figures import Goals, figures
    from lab.trials.rendered import RATE, SIZE, rendered_trials

    heading = f"{shots} shots filmed, {SIZE[0]} × {SIZE[1]} at {RATE} frames a second"
    with Bar(console=terminal.notes, transient=True, disable=not terminal.notes.is_terminal) as bar:
        task = bar.add_task(heading, total=shots)
        scores = []
        for score in rendered_trials(table_named("9ft"), seed, shots, kinds):
            scores.append(score)
            bar.update(task, advance=1)
    return heading, scores, figures(scores, Goals(strict=False))


def _write(
    folder: Path, series: Sequence[tuple[str, list[Score], list[dict[str, Any]]]], line: str, conditions: dict[str, Any]
) -> None:
    from lab.trials.report import markdown, plots

    for name, data in plots(series[0][1]).items():
        write_whole(folder / "trials" / name, data)
    write_text(folder / "trials.md", markdown(series, line, conditions))
