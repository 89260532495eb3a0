"""What a mount will give, before anything is screwed to the ceiling: a pinhole over the table's middle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from calibration.table import Table

MARGIN: Final = 0.15
"""Metres round the playing surface that must be in view: the rails with their diamonds, and some slack."""
_LEAST_BALL: Final = 12.0
"""Balls of so few pixels are found, but not named or placed well (docs/figures.md: the snooker clip)."""
_GOOD_BALL: Final = 18.0
_ERROR_PIXELS: Final = 0.33
"""Median error of a resting ball's centre: 0.77 mm at 2.3 mm a pixel (docs/figures.md)."""
_BLUR: Final = 0.004
"""Metres of blur at the break up to which streaks are short beside a ball."""
_SLOW: Final = 30.0
_HIGHEST, _LOWEST = 6.0, 1.2


@dataclass(frozen=True)
class Optics:
    """A camera with its lens: picture size, focal length in pixels, frames a second, seconds between two rows."""

    size: tuple[int, int]
    focal: float
    rate: float
    line_time: float

    @property
    def angles(self) -> tuple[float, float]:
        """Fields of view across and down, degrees."""
        across, down = (2 * math.degrees(math.atan(side / 2 / self.focal)) for side in self.size)
        return across, down


@dataclass(frozen=True)
class Mount:
    """What a mount gives.

    Attributes:
        view: metres of the bed that are seen, across and down.
        needed: metres that must be seen.
        angle_needed: horizontal field of view, degrees, that would just do at this height.
        ball: pixels across a ball.
        error: metres, expected median error of a resting ball's centre.
        blur: metres a ball at `speed` moves during an exposure; `step` between two frames.
        skew: metres such a ball moves while a rolling shutter passes over it.
        refusals: why this mount is hopeless; `warnings`: what will be worse than it could be.
    """

    view: tuple[float, float]
    needed: tuple[float, float]
    angle_needed: float
    ball: float
    error: float
    blur: float
    step: float
    skew: float
    refusals: tuple[str, ...]
    warnings: tuple[str, ...]


def plan(table: Table, height: float, optics: Optics, exposure: float, speed: float) -> Mount:
    """Work out a mount: metres above the bed, seconds of exposure, metres a second."""
    width, rows = (side * height / optics.focal for side in optics.size)
    needed = (table.length + 2 * MARGIN, table.width + 2 * MARGIN)
    ball = table.ball_diameter * optics.focal / (height - table.ball_radius)
    mount = Mount(
        (width, rows),
        needed,
        2 * math.degrees(math.atan(needed[0] / 2 / height)),
        ball,
        _ERROR_PIXELS * table.ball_diameter / ball,
        speed * exposure,
        speed / optics.rate,
        speed * optics.line_time * ball,
        (),
        (),
    )
    refusals = _refusals(mount, height, optics, exposure)
    return Mount(**{**mount.__dict__, "refusals": refusals, "warnings": _warnings(mount, optics)})


def _refusals(mount: Mount, height: float, optics: Optics, exposure: float) -> tuple[str, ...]:
    said = []
    short = max(need / seen for need, seen in zip(mount.needed, mount.view, strict=True))
    if short > 1:
        said.append(
            f"the table does not fit: {mount.view[0]:.2f} × {mount.view[1]:.2f} m are seen, "
            f"{mount.needed[0]:.2f} × {mount.needed[1]:.2f} m are needed; hang it {short * height:.2f} m above the bed "
            f"or take a lens of {1 / short:.2f} times the focal length ({mount.angle_needed:.0f}° across)"
        )
    if mount.ball < _LEAST_BALL:
        said.append(f"a ball is only {mount.ball:.0f} pixels wide, {_LEAST_BALL:.0f} are needed: hang it lower")
    if exposure > 1 / optics.rate:
        said.append(f"an exposure of {1e3 * exposure:.1f} ms is longer than a frame at {optics.rate:g} frames a second")
    if not _LOWEST <= height <= _HIGHEST:
        said.append(f"{height:g} m above the bed is no place for the camera: {_LOWEST:g} to {_HIGHEST:g} m are")
    return tuple(said)


def _warnings(mount: Mount, optics: Optics) -> tuple[str, ...]:
    said = []
    if _LEAST_BALL <= mount.ball < _GOOD_BALL:
        said.append(f"balls of {mount.ball:.0f} pixels are named less surely than those of {_GOOD_BALL:.0f} or more")
    if mount.blur > _BLUR:
        said.append(f"fast balls smear by {1e3 * mount.blur:.1f} mm: a shorter exposure and more light would help")
    if optics.rate < _SLOW:
        said.append(f"{optics.rate:g} frames a second leave more contacts undecided than {_SLOW:g} or 60")
    if mount.angle_needed > 85:
        said.append("so wide a view from so low distorts the table's ends; a higher mount places balls better")
    return tuple(said)
