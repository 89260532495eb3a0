"""The table in a picture: start poses from the cloth's outline, judged by where their pockets fall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.cloth import Lab, Mask, Picture, cloth_masks, working_copy
from calibration.landmarks import find_diamonds, find_noses
from calibration.outline import quadrilateral
from calibration.pose import camera_from_corners, ordered
from calibration.solve import Solution, solve
from calibration.table import Table

Floats = npt.NDArray[np.float64]

_BEYOND: Final = (0.052, 0.04, 0.03, 0.065, 0.0, 0.08, 0.10, 0.125, 0.15, 0.175, 0.2)
"""How far outside the nose lines a cloth's outline may lie, metres: at the cushion's back, the nose, or the rail."""


_POCKETS_AT_LEAST: Final = 0.35
_STARTS_TRIED: Final = 5
_PLENTY_OF_DIAMONDS: Final = 15


class TableNotFoundError(ValueError):
    """No pool table could be found in a picture; the message says what was looked for and not seen."""


@dataclass(frozen=True, eq=False)
class Start:
    """A first camera and how well six pockets fit it, −1 to 1."""

    camera: Camera
    pockets: float


def starts(picture: Picture, table: Table) -> list[Start]:
    """First cameras over a table, best first; head and foot ends are not told apart here."""
    lab, scale = working_copy(picture)
    size = (picture.shape[1], picture.shape[0])
    found: list[Start] = []
    for mask in cloth_masks(lab):
        corners = quadrilateral(mask)
        if corners is None:
            continue
        corners = ordered((corners + 0.5) / scale - 0.5)
        for beyond in _BEYOND:
            camera = camera_from_corners(corners, table, size, beyond=beyond)
            if camera is not None:
                found.append(Start(camera, pocket_fit(lab, mask, scale, camera, table)))
    return sorted(found, key=lambda start: -start.pockets)


def pocket_fit(lab: Lab, mask: Mask, scale: float, camera: Camera, table: Table) -> float:
    """How much more the six pockets look unlike cloth than the cloth before their mouths does, −1 to 1."""
    unlike = 1.0 - cv2.blur(mask.astype(np.float32), (3, 3))
    dark = np.clip((np.median(lab[mask > 0][:, 0]) - lab[..., 0]) / 25.0, 0, 1)
    evidence = np.maximum(unlike, dark).astype(np.float32)
    ring = np.array([(r * np.cos(a), r * np.sin(a)) for r in (0.0, 0.02, 0.035) for a in np.arange(0, 2 * np.pi, 0.6)])
    pockets = list(table.pockets.values())
    holes = np.concatenate([np.array(p.centre) + ring for p in pockets])
    mouths = np.concatenate([0.86 * np.array(p.mouth_centre) * (1.0, 0.98) + ring for p in pockets])
    inside = np.array([_mean(evidence, (camera.project_at(part, 0.0) + 0.5) * scale - 0.5) for part in (holes, mouths)])
    return float(inside[0] - inside[1])


def _mean(image: npt.NDArray[np.float32], px: Floats) -> float:
    """Mean of an image at pixels (N, 2); outside the picture counts as zero."""
    x, y = px.astype(np.float32).T[:, None]
    return float(cv2.remap(image, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR).mean())


def find_table(picture: Picture, table: Table, focal_prior: tuple[float, float] | None = None) -> Solution:
    """The camera over the table in a picture, found without help; which end is the head is left open.

    Args:
        picture: (h, w, 3) BGR, best without people in it.
        focal_prior: focal length in pixels and its relative standard deviation, where something is known of it.

    Raises:
        TableNotFoundError: nothing in the picture looks like the whole table from above.
    """
    candidates = starts(picture, table)
    if not candidates:
        raise TableNotFoundError(
            "no pool table found: no large, evenly coloured cloth in the middle of the picture; "
            "show the whole table from above, or give its four corners"
        )
    if candidates[0].pockets < _POCKETS_AT_LEAST:
        raise TableNotFoundError(
            "no pool table found: there is a cloth, but not six pockets round it where this table has them; "
            "show the whole table from above, check its size, or give its four corners"
        )
    best = _best(picture, candidates, table, focal_prior)
    if best is None:
        raise TableNotFoundError(
            "no pool table found: there is a cloth with pockets, but no cushion lines or diamonds where this table has "
            "them; show the whole table from above, check its size, or give its four corners"
        )
    return best


def _best(
    picture: Picture, candidates: list[Start], table: Table, focal_prior: tuple[float, float] | None
) -> Solution | None:
    """The best starts brought to the landmarks, and the one of them for which the picture speaks most."""
    solved: list[tuple[float, Solution]] = []
    tried: list[Floats] = []
    for start in candidates:
        if len(tried) == _STARTS_TRIED or start.pockets < candidates[0].pockets - 0.25:
            break
        corners = start.camera.project_at(table.corners, table.nose_height)
        if any(np.abs(corners - other).max() < 0.006 * max(start.camera.size) for other in tried):
            continue
        tried.append(corners)
        solution = refine(picture, start.camera, table, focal_prior)
        if solution is None:
            continue
        solved.append((_support(picture, solution, table), solution))
        if solution.diamonds >= _PLENTY_OF_DIAMONDS and solution.rails == 4:
            break
    return max(solved, key=lambda pair: pair[0])[1] if solved else None


def _support(picture: Picture, solution: Solution, table: Table) -> float:
    """How much of the picture speaks for a solution: pockets, diamonds in their places, straight cushions."""
    lab, scale = working_copy(picture)
    mask = next(cloth_masks(lab))
    pockets = pocket_fit(lab, mask, scale, solution.camera, table)
    return pockets + 0.04 * solution.diamonds + 0.1 * solution.rails


def refine(
    picture: Picture, start: Camera, table: Table, focal_prior: tuple[float, float] | None = None
) -> Solution | None:
    """Bring a first camera to the landmarks, looking ever closer to where they should be; None where it finds none."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    camera = start
    solution: Solution | None = None
    for nose_reach, diamond_reach in ((0.045, 0.06), (0.03, 0.04), (0.018, 0.025), (0.015, 0.02), (0.015, 0.02)):
        noses = find_noses(grey, camera, table, nose_reach)
        diamonds = find_diamonds(grey, camera, table, diamond_reach)
        if len(noses) < 3 and len(diamonds.index) < 8:
            break
        solution = solve(camera, table, noses, diamonds, focal_prior)
        camera = solution.camera
    return solution
