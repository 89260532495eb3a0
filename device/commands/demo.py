"""`headstring demo`: the main job on the built-in clip."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

import lab
from calibration import overlay
from calibration.calibration import calibrate
from calibration.table import table_named
from device import terminal
from device.commands.analyze import analyze, report, write_results
from device.files import write_png
from device.source import empty_look

CLIP: Final = Path(lab.__file__).parent / "footage" / "demo.mp4"


def command(
    output: Annotated[Path, typer.Option("-o", "--output", help="folder for the results")] = Path("out/demo"),
) -> None:
    """Analyse the built-in clip: find the table, watch the shots, print the rulings, write the pictures."""
    look = empty_look(CLIP)
    known = calibrate(look.pixels, table_named("9ft"), "left")
    done = analyze(CLIP, known, "upa-9ball", ("Ann", "Bob"), output / "overlay.mp4")
    write_results(done, output)
    write_png(output / "calibration.png", overlay.draw(look.pixels, known))
    report(done, output)
    terminal.out.print(f"overlay   {output / 'overlay.mp4'}", highlight=False)
    terminal.out.print(f"table     {output / 'calibration.png'}", highlight=False)
