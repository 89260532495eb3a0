"""The empty table as two flat layers: the cloth at slate height, cushions and rails at nose height."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table import PocketGeometry, Table
from models.synthesis.colours import Colour, colour
from models.synthesis.light import Light

Field = npt.NDArray[np.floating[Any]]
Floats = npt.NDArray[np.float64]

_SHIFT: Final = 4
_BLACK: Final = colour(10, 10, 11)
_PALE: Final = colour(236, 234, 226)
_METAL: Final = colour(150, 150, 154)


@dataclass(frozen=True, eq=False)
class TableStyle:
    """What a table is made of. `texture`, `wear` 0 to 1; widths in metres; `wedges` is the share of the cushions' ends
    beside which a shadow ends in a point."""

    cloth: Colour
    rail: Colour
    floor: Colour
    grain: float = 0.3
    texture: float = 0.3
    wear: float = 0.3
    cushion_width: float = 0.045
    rail_width: float = 0.10
    diamond: Literal["dot", "rhombus", "none"] = "dot"
    castings: Literal["none", "metal", "dark", "brass"] = "none"
    pocket: Literal["dark", "net", "lined", "ringed"] = "dark"
    wedges: float = 0.0
    lines: tuple[str, ...] = ()
    marks: int = 4
    line_colour: Colour = field(default_factory=lambda: _PALE)
    markers: bool = False
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Layers:
    """Two pictures of the table from above: light (rows, columns, 3), and the upper one's alpha.

    Place (x, y) is at column (x + half_x) / pitch, row (half_y − y) / pitch, less half a pixel.
    """

    cloth: Field
    rails: Field
    alpha: Field
    pitch: float
    half: tuple[float, float]

    def to_grid(self, xy: Field) -> Field:
        """Table places (…, 2) → column, row (…, 2)."""
        scale = np.array([1 / self.pitch, -1 / self.pitch], dtype=np.float32)
        shift = np.array([self.half[0] / self.pitch - 0.5, self.half[1] / self.pitch - 0.5], dtype=np.float32)
        return np.asarray(xy * scale + shift, dtype=np.float32)


def cushion_outlines(table: Table, width: float) -> list[Floats]:
    """The six cushions from above: nose, then back, corners (4, 2) each, in metres."""
    jaws = [(p, np.asarray(j, dtype=float)) for p in table.pockets.values() for j in p.jaws]
    found: list[Floats] = []
    for k, (pocket, jaw) in enumerate(jaws):
        for other_pocket, other in jaws[k + 1 :]:
            if pocket is other_pocket:
                continue
            level = next((a for a in (0, 1) if np.isclose(jaw[a], other[a])), None)
            if level is None or not np.isclose(abs(jaw[level]), (table.length, table.width)[level] / 2):
                continue
            if level == 1 and jaw[0] * other[0] < 0:
                continue
            out = np.zeros(2)
            out[level] = np.sign(jaw[level]) * width
            backs = [_back(j, o, p, out) for j, o, p in ((jaw, other, pocket), (other, jaw, other_pocket))]
            found.append(np.array([jaw, other, backs[1], backs[0]]))
    return found


def _back(jaw: Floats, other: Floats, pocket: PocketGeometry, out: Floats) -> Floats:
    along = (jaw - other) / np.linalg.norm(jaw - other)
    angle = np.deg2rad(76 if "side" in pocket.name else 42)
    return np.asarray(jaw + out + along * np.linalg.norm(out) / np.tan(angle))


class _Board:
    """A canvas in the table frame with one value or colour a pixel; shapes are in metres."""

    def __init__(self, shape: tuple[int, int], pitch: float, half: tuple[float, float]) -> None:
        self.pitch, self.half, self.shape = pitch, half, shape

    def points(self, xy: npt.ArrayLike) -> npt.NDArray[np.int32]:
        p = np.asarray(xy, dtype=float).reshape(-1, 2)
        grid = np.column_stack([(p[:, 0] + self.half[0]) / self.pitch, (self.half[1] - p[:, 1]) / self.pitch]) - 0.5
        return np.round(grid * (1 << _SHIFT)).astype(np.int32)

    def mask(self) -> npt.NDArray[np.uint8]:
        return np.zeros(self.shape, dtype=np.uint8)

    def polygon(self, mask: npt.NDArray[np.uint8], xy: npt.ArrayLike, value: int = 255) -> None:
        cv2.fillPoly(mask, [self.points(xy)], value, cv2.LINE_AA, _SHIFT)

    def disc(
        self, mask: npt.NDArray[np.uint8], xy: npt.ArrayLike, radius: float, value: int = 255, line: int = -1
    ) -> None:
        (x, y), r = self.points(xy)[0], round(radius / self.pitch * (1 << _SHIFT))
        cv2.circle(mask, (int(x), int(y)), r, value, line, cv2.LINE_AA, _SHIFT)

    def stroke(self, mask: npt.NDArray[np.uint8], xy: npt.ArrayLike, width: float) -> None:
        cv2.polylines(mask, [self.points(xy)], False, 255, max(1, round(width / self.pitch)), cv2.LINE_AA, _SHIFT)


def _blend(picture: Field, mask: npt.NDArray[np.uint8], value: Colour | Field, strength: float = 1.0) -> None:
    box = cv2.boundingRect(mask)
    x, y, w, h = box
    if not w:
        return
    area = np.s_[y : y + h, x : x + w]
    weight = (mask[area].astype(np.float32) * (strength / 255))[..., None]
    fill = value[area] if value.ndim == 3 else value
    picture[area] += (fill - picture[area]) * weight


def _clouds(shape: tuple[int, int], cells: int, rng: np.random.Generator) -> Field:
    """Smooth noise (rows, columns), about −1 to 1."""
    rows, columns = max(2, cells * shape[0] // shape[1]), max(2, cells)
    coarse = rng.normal(0, 0.5, (rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _paint_cloth(board: _Board, table: Table, style: TableStyle, light: Light, rng: np.random.Generator) -> Field:
    shape = board.shape
    fine = np.empty(shape, dtype=np.float32)
    cv2.randn(fine, np.zeros(1), np.ones(1))
    nap = 1 + style.texture * (0.05 * fine + 0.05 * _clouds(shape, 180, rng) + 0.10 * _clouds(shape, 14, rng))
    picture: Field = nap[..., None] * style.cloth
    dust = np.clip(_clouds(shape, 7, rng) + 0.4 * _clouds(shape, 30, rng) - 0.1, 0, 1) ** 2 * style.wear * 0.12
    picture += dust[..., None] * (_PALE - picture)
    for _ in range(style.marks):
        _mark(board, picture, table, rng)
    for line in style.lines:
        _marking(board, picture, table, line, style.line_colour)
    x = ((np.arange(shape[1]) + 0.5) * board.pitch - board.half[0]).astype(np.float32)
    y = (board.half[1] - (np.arange(shape[0]) + 0.5) * board.pitch).astype(np.float32)
    shade = light.nose_shade(x, y, table.length / 2, table.width / 2, table.nose_height)
    shade[:, np.abs(x) > table.length / 2 + 0.004] *= 0.3
    shade[np.abs(y) > table.width / 2 + 0.004] *= 0.3
    picture *= shade[..., None]
    for pocket in table.pockets.values():
        _hole(board, picture, pocket, style, rng)
        for jaw in pocket.jaws if style.wedges else ():
            if rng.random() < style.wedges:
                _wedge(board, picture, np.asarray(jaw, dtype=float), table, rng)
    return picture


def _wedge(board: _Board, picture: Field, jaw: Floats, table: Table, rng: np.random.Generator) -> None:
    """The shadow of a cushion's end, as a lamp beyond the table throws it."""
    level = int(abs(abs(jaw[1]) - table.width / 2) > 1e-3)
    along, inward = np.zeros(2), np.zeros(2)
    along[level] = -np.sign(jaw[level]) * rng.uniform(0.03, 0.2) * rng.choice([-0.3, 1.0])
    inward[1 - level] = -np.sign(jaw[1 - level]) * rng.uniform(0.015, 0.06)
    mask = board.mask()
    board.polygon(mask, [jaw - inward * 0.1, jaw + along, jaw + along + inward, jaw + inward * rng.uniform(0.2, 1.0)])
    _blend(picture, mask, _BLACK, rng.uniform(0.35, 0.75))


def _hole(board: _Board, picture: Field, pocket: PocketGeometry, style: TableStyle, rng: np.random.Generator) -> None:
    mask = board.mask()
    board.disc(mask, pocket.centre, pocket.radius)
    _blend(picture, mask, _BLACK)
    if style.pocket == "dark":
        return
    if style.pocket == "ringed":
        _ringed(board, picture, pocket, rng)
        return
    mask = board.mask()
    shift = rng.normal(0, 0.2 * pocket.radius, 2)
    board.disc(mask, pocket.centre + shift, pocket.radius * rng.uniform(0.5, 0.8))
    _blend(picture, mask, _PALE if style.pocket == "net" else style.rail * 0.6, rng.uniform(0.2, 0.8))
    if rng.random() < 0.5:
        mask = board.mask()
        board.polygon(mask, pocket.centre + shift + rng.normal(0, 0.4 * pocket.radius, (4, 2)))
        _blend(picture, mask, _PALE * rng.uniform(0.3, 1.0), rng.uniform(0.3, 1.0))
    for _ in range(4 if style.pocket == "net" else 0):
        mask = board.mask()
        ends = pocket.centre + rng.normal(0, pocket.radius * 0.5, (2, 2))
        board.stroke(mask, ends, 0.003)
        _blend(picture, mask, _BLACK, 0.7)


def _ringed(board: _Board, picture: Field, pocket: PocketGeometry, rng: np.random.Generator) -> None:
    """A pale net or leather bag round a dark hole no larger than a ball, as snooker tables have it."""
    mask = board.mask()
    board.disc(mask, pocket.centre, pocket.radius)
    _blend(picture, mask, (_PALE if rng.random() < 0.7 else colour(150, 100, 60)) * rng.uniform(0.4, 1.0))
    mask = board.mask()
    middle = np.asarray(pocket.centre) + rng.normal(0, 0.25 * pocket.radius, 2)
    board.disc(mask, middle, pocket.radius * rng.uniform(0.3, 0.65))
    _blend(picture, mask, _BLACK * rng.uniform(0.5, 3.0))
    for _ in range(int(rng.integers(0, 6))):
        mask = board.mask()
        board.stroke(mask, pocket.centre + rng.normal(0, pocket.radius * 0.5, (2, 2)), 0.002)
        _blend(picture, mask, _BLACK, 0.4)


def _mark(board: _Board, picture: Field, table: Table, rng: np.random.Generator) -> None:
    """A chalk smudge, a scratch, a crumb or a stain as large as a ball."""
    mask = board.mask()
    place = rng.uniform(-0.5, 0.5, 2) * [table.length, table.width]
    match rng.integers(5):
        case 4:
            board.disc(mask, place, rng.uniform(0.008, 0.032))
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 4.0)), dtype=np.uint8)
            _blend(
                picture, mask, _BLACK if rng.random() < 0.6 else colour(*rng.integers(0, 255, 3)), rng.uniform(0.1, 0.5)
            )
        case 0:
            board.disc(mask, place, rng.uniform(0.004, 0.02))
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2.0), dtype=np.uint8)
            _blend(picture, mask, colour(150, 190, 220) if rng.random() < 0.5 else _PALE, rng.uniform(0.1, 0.5))
        case 1:
            board.stroke(mask, place + rng.normal(0, 0.08, (2, 2)), 0.002)
            _blend(picture, mask, _PALE, rng.uniform(0.1, 0.35))
        case 2:
            board.disc(mask, place, rng.uniform(0.002, 0.006))
            _blend(picture, mask, colour(*rng.integers(0, 255, 3)), rng.uniform(0.4, 1.0))
        case _:
            board.stroke(mask, place + rng.normal(0, 0.01, (4, 2)), 0.003)
            _blend(picture, mask, _BLACK if rng.random() < 0.5 else _PALE, rng.uniform(0.1, 0.5))


def _marking(board: _Board, picture: Field, table: Table, line: str, ink: Colour) -> None:
    mask = board.mask()
    x = table.head_string
    match line:
        case "spots" | "foot spot" | "ringed spots":
            for place in ((table.length / 4, 0.0), (x, 0.0), (0.0, 0.0))[: 1 if line == "foot spot" else 2]:
                board.disc(mask, place, 0.012 if line == "ringed spots" else 0.007)
                _blend(picture, mask, ink)
                if line == "ringed spots":
                    board.disc(mask, place, 0.008, 0)
                    inner = board.mask()
                    board.disc(inner, place, 0.007)
                    _blend(picture, inner, _BLACK)
            return
        case "head string":
            board.stroke(mask, [[x, -table.width / 2], [x, table.width / 2]], 0.003)
        case "foot string":
            board.stroke(mask, [[-x, -table.width / 2], [-x, table.width / 2]], 0.003)
        case "d":
            a = np.linspace(np.pi / 2, 3 * np.pi / 2, 40)
            board.stroke(mask, np.column_stack([x + 0.165 * np.cos(a), 0.165 * np.sin(a)]), 0.003)
        case "rack":
            s = table.foot_spot[0] + np.array([-0.03, 0.24, 0.24, -0.03])
            board.stroke(mask, np.column_stack([s, [0, 0.15, -0.15, 0]]), 0.002)
    _blend(picture, mask, ink, 0.6)


def _diamond(board: _Board, mask: npt.NDArray[np.uint8], place: Floats, level: int, style: TableStyle) -> None:
    if style.diamond == "dot":
        board.disc(mask, place, 0.0055)
    else:
        long, short = (0.013, 0.007) if level == 1 else (0.007, 0.013)
        long, short = short, long
        board.polygon(mask, place + np.array([[long, 0], [0, short], [-long, 0], [0, -short]]))


def _paint_rails(board: _Board, table: Table, style: TableStyle, rng: np.random.Generator) -> tuple[Field, Field]:
    half = np.array([table.length, table.width]) / 2
    rail = board.mask()
    outer = half + style.cushion_width + style.rail_width
    inner = half + style.cushion_width
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    board.polygon(rail, box * outer)
    body = rail.copy()
    board.polygon(body, box * inner, 0)
    cushions = board.mask()
    picture = np.empty((*board.shape, 3), dtype=np.float32)
    grit = 1 + 0.15 * _clouds(board.shape, 60, rng)
    picture[:] = style.floor * grit[..., None]
    grain = 1 + style.grain * np.clip(_clouds((board.shape[0], 40), 6, rng), -1, 1)
    grain = cv2.resize(grain, board.shape[::-1]) * (1 + 0.1 * style.grain * _clouds(board.shape, 90, rng))
    _blend(picture, rail, style.rail * grain[..., None])
    _castings(board, picture, table, style, outer, rng)
    shade = board.mask()
    board.polygon(shade, box * (inner + 0.004))
    board.polygon(shade, box * inner, 0)
    _blend(picture, shade, _BLACK, 0.5)
    nap = 1 + 0.05 * style.texture * _clouds(board.shape, 200, rng)
    for outline in cushion_outlines(table, style.cushion_width):
        one = board.mask()
        board.polygon(one, outline)
        _blend(picture, one, style.cloth * (nap * rng.uniform(0.82, 1.2))[..., None])
        cushions = np.maximum(cushions, one)
    alpha = 255 - (rail - body)
    alpha = np.maximum(alpha, cushions)
    diamonds = board.mask()
    out = style.cushion_width + 0.5 * style.rail_width
    for x, y in table.diamonds if style.diamond != "none" else ():
        level = 1 if abs(abs(y) - half[1]) < 1e-9 else 0
        place = np.array([x, y])
        place[level] += np.sign(place[level]) * out
        _diamond(board, diamonds, place, level, style)
    _blend(picture, diamonds, _PALE)
    if style.markers:
        _markers(board, picture, inner + 0.5 * style.rail_width, rng)
    for pocket in table.pockets.values():
        ring = board.mask()
        board.disc(ring, pocket.centre, pocket.radius * 1.18)
        _blend(picture, ring, _BLACK * 2 if style.castings != "brass" else colour(190, 150, 80), 0.9)
        board.disc(alpha, pocket.centre, pocket.radius * 1.18)
        mouth = np.array([*pocket.jaws, pocket.centre])
        board.disc(alpha, pocket.centre, pocket.radius, 0)
        board.polygon(alpha, mouth, 0)
        alpha = np.maximum(alpha, cushions)
    return picture, alpha.astype(np.float32) / 255


def _castings(
    board: _Board, picture: Field, table: Table, style: TableStyle, outer: Floats, rng: np.random.Generator
) -> None:
    if style.castings == "none":
        return
    tone = {"metal": _METAL, "dark": _BLACK * 3, "brass": colour(196, 156, 84)}[style.castings] * rng.uniform(0.6, 1.2)
    reach = rng.uniform(0.10, 0.18)
    for pocket in table.pockets.values():
        mask = board.mask()
        sx, sy = np.sign(pocket.centre)
        if sx:
            board.polygon(mask, [[sx * a, sy * b] for a, b in _casting_corner(outer, reach)])
        else:
            y0, y1 = sy * (outer[1]), sy * (table.width / 2 + 0.01)
            board.polygon(mask, [[-reach * 0.75, y0], [reach * 0.75, y0], [reach * 0.75, y1], [-reach * 0.75, y1]])
        _blend(picture, mask, tone)
        screws = board.mask()
        for _ in range(int(rng.integers(0, 4))):
            place = np.array(pocket.centre) + rng.uniform(0.07, 0.13) * np.array([sx, sy]) + rng.normal(0, 0.03, 2)
            board.disc(screws, place, rng.uniform(0.003, 0.012))
        _blend(picture, screws, _PALE if rng.random() < 0.5 else _BLACK, rng.uniform(0.3, 1.0))


def _casting_corner(outer: Floats, reach: float) -> list[tuple[float, float]]:
    x, y = float(outer[0]), float(outer[1])
    return [(x - reach, y), (x, y), (x, y - reach), (x - 0.6 * reach, y - 0.6 * reach)]


def _markers(board: _Board, picture: Field, place: Floats, rng: np.random.Generator) -> None:
    """Printed squares (camera targets) near the corners, on the rails."""
    side = rng.uniform(0.02, 0.03)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    for sx in (-1, 1):
        for sy in (-1, 1):
            middle = np.array([sx * (place[0] - 0.25), sy * place[1]])
            for size, tone in ((side, _PALE), (side * 0.75, _BLACK), (side * 0.3, _PALE)):
                mask = board.mask()
                board.polygon(mask, middle + square * size)
                _blend(picture, mask, tone)


def paint_table(table: Table, style: TableStyle, light: Light) -> Layers:
    """The empty table from above, about 22 pixels to a ball; the same seed in the style gives the same table."""
    rng = np.random.default_rng(style.seed)
    pitch = table.ball_diameter / 22
    beyond = style.cushion_width + style.rail_width + 0.12
    half = (table.length / 2 + beyond, table.width / 2 + beyond)
    shape = (int(2 * half[1] / pitch), int(2 * half[0] / pitch))
    cv2.setRNGSeed(style.seed % (1 << 31))
    board = _Board(shape, pitch, half)
    cloth = _paint_cloth(board, table, style, light, rng)
    rails, alpha = _paint_rails(board, table, style, rng)
    return Layers(cloth, rails, alpha, pitch, half)
