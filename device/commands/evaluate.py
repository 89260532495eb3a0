"""`headstring evaluate`: clips with truth, watched and scored."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from calibration.calibration import calibrate
from device import terminal
from device.commands.analyze import Analysis, Timing, analyze
from device.evaluation import ClipScore, Figure, PlaceTally, figures, score_clip
from device.source import empty_look
from device.truth import ClipTruth, clips_in


def command(
    folder: Annotated[Path, typer.Argument(help="clips NAME.mp4, each with NAME.json and NAME.npz")],
    only: Annotated[str, typer.Option("--only", help="only clips whose name contains this")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Analyse clips with exact truth and print position, identity, event and ruling figures.

    Each clip is calibrated without help but for the end of the picture at which the head rail lies.
    The exit code is 7 where a goal is missed.
    """
    scores: list[ClipScore] = []
    timings: list[Timing] = []
    clips = [clip for clip in clips_in(folder) if only in clip.path.stem]
    if not clips:
        raise terminal.CommandError(f"no clip in {folder} has {only!r} in its name", terminal.Exit.USAGE)
    for clip in clips:
        score, done = evaluate_clip(clip)
        scores.append(score)
        timings.append(done.timing)
        if not as_json:
            _print_clip(score, done.timing)
    found = [*figures(scores), *_speeds(timings)]
    conditions = {
        "clips": [clip.path.stem for clip in clips],
        "machine": platform.machine(),
        "python": platform.python_version(),
    }
    if as_json:
        terminal.print_json({"figures": found, "conditions": conditions})
    else:
        terminal.out.print(figures_table(found))
    if any(figure["met"] is False for figure in found):
        raise typer.Exit(terminal.Exit.GOALS_MISSED)


def evaluate_clip(clip: ClipTruth) -> tuple[ClipScore, Analysis]:
    """Calibrate on a clip, watch it, and score what was said."""
    known = calibrate(empty_look(clip.path).pixels, clip.table, clip.head_end)
    places = PlaceTally(clip)
    done = analyze(clip.path, known, clip.rules, ("A", "B"), each=places.add)
    return score_clip(clip, done.record, done.calibration, places), done


def _speeds(timings: list[Timing]) -> list[Figure]:
    frames = sum(timing.frames for timing in timings)
    spent = {
        "decoding a frame": sum(timing.decode for timing in timings),
        "watching a frame (detection, tracking, judging)": sum(timing.watch for timing in timings),
    }
    return [
        {
            "name": name,
            "value": round(1000 * total / max(frames, 1), 3),
            "unit": "ms",
            "goal": None,
            "met": None,
            "n": frames,
        }
        for name, total in spent.items()
    ]


def _print_clip(score: ClipScore, timing: Timing) -> None:
    frames = max(timing.frames, 1)
    terminal.out.print(
        f"[bold]{score.clip}[/]  worst corner {1000 * score.worst_corner:.1f} mm, unseen {score.unseen}/"
        f"{score.unseen + score.seen}, false {score.false_balls}, invented shots {score.invented}, "
        f"{1000 * timing.watch / frames:.1f} ms a frame (decoding {1000 * timing.decode / frames:.1f})",
        highlight=False,
    )
    for shot in score.shots:
        if not shot.found:
            terminal.out.print(f"  shot {shot.index}: [red]not found[/]", highlight=False)
            continue
        contact = {True: "right", False: "[red]wrong[/]", None: "undecided"}
        terminal.out.print(
            f"  shot {shot.index}: strike {1000 * shot.strike_error:+.0f} ms, rest {1000 * shot.rest_error:+.0f} ms, "
            f"first contact {contact[shot.first_contact]} ({1000 * shot.contact_error:+.1f} ms), "
            f"pocketed {contact[shot.pocketed]}, rail after {contact[shot.rail_after]}, "
            f"rails {shot.rails_hit}+{shot.rails_missed} missed+{shot.rails_invented} invented, "
            f"names {shot.named}/{shot.balls}; {shot.said}; {shot.ruling}",
            highlight=False,
        )


def figures_table(found: list[dict[str, Any]]) -> Grid:
    grid = Grid(title="Figures", title_justify="left")
    for heading in ("figure", "value", "goal", "", "n"):
        grid.add_column(heading, justify="left" if heading == "figure" else "right")
    for figure in found:
        met = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[figure["met"]]
        goal = "" if figure["goal"] is None else f"{figure['goal']:g}"
        grid.add_row(figure["name"], f"{figure['value']:g} {figure['unit']}", goal, met, str(figure["n"]))
    return grid
