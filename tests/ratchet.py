"""Clips with truth against what has been reached so far: `python -m tests.ratchet FOLDER [--only PART …]`.

A figure may get better, never worse than its line here; raise the line when it has.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from device.commands.evaluate import evaluate_clip, figures_table
from device.evaluation import Figure, figures
from device.terminal import out
from device.truth import clips_in

LINES: Final[dict[str, tuple[str, float]]] = {
    "worst corner of any clip": ("<=", 3.0),
    "ball centre at rest, median": ("<=", 1.0),
    "ball centre at rest, 99 %": ("<=", 3.2),
    "clear balls not seen": ("<=", 0.0005),
    "false balls": ("<=", 110),
    "single looks named right": (">=", 0.998),
    "named right before a stroke": (">=", 0.99),
    "shots found": (">=", 1.0),
    "shots invented": ("<=", 0),
    "first contact right when decided": (">=", 1.0),
    "first contact undecided": ("<=", 1),
    "first contact time error, median": ("<=", 0.5),
    "rail contacts, F1": (">=", 0.95),
    "pocketed balls and scratches right": (">=", 1.0),
    "wrong fouls": ("<=", 0),
    "fouls missed without review": ("<=", 0),
}


def below(found: list[Figure]) -> list[str]:
    """Figures that are worse than their line."""
    values = {figure["name"]: figure["value"] for figure in found}
    return [
        f"{name}: {values[name]:g}, must be {sign} {line:g}"
        for name, (sign, line) in LINES.items()
        if not (values[name] <= line if sign == "<=" else values[name] >= line)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[""])
    chosen = parser.parse_args()
    clips = [clip for clip in clips_in(chosen.folder) if any(part in clip.path.stem for part in chosen.only)]
    found = figures([evaluate_clip(clip)[0] for clip in clips])
    out.print(figures_table(found))
    worse = below(found)
    for line in worse:
        out.print(f"worse than reached before: {line}", style="red")
    out.print(f"{len(LINES) - len(worse)} passed, {len(worse)} failed", highlight=False)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
