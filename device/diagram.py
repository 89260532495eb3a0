"""A shot as a clean picture of the table: layout before, paths, contacts, rails and pockets, the ruling below."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from calibration.table import PocketName, Table
from device.margins import in_words
from record.events import BallContact, Pocketed, RailContact
from record.names import CUE
from record.shot import Shot

Colour = tuple[int, int, int]
Point = tuple[float, float]

BALL_COLOURS: Final[dict[int, Colour]] = {
    1: (242, 186, 27),
    2: (28, 74, 168),
    3: (205, 38, 42),
    4: (92, 44, 132),
    5: (236, 112, 30),
    6: (24, 118, 64),
    7: (128, 28, 36),
    8: (24, 24, 26),
}
_CLOTH, _RAIL, _CUSHION = (52, 120, 104), (64, 44, 32), (38, 92, 80)
_IVORY, _INK, _PAPER = (250, 247, 238), (30, 30, 32), (252, 252, 250)
_HOLE, _QUIET = (14, 14, 16), (120, 122, 124)
_CALL_COLOURS: Final[dict[str, Colour]] = {
    "legal": (30, 120, 70),
    "foul": (190, 32, 36),
    "rack_over": (30, 70, 160),
    "illegal_break": (200, 120, 20),
    "loss_of_turn": (200, 120, 20),
}
_SMOOTH: Final = 2
_WIDTH: Final = 1240
_BORDER: Final = 0.13
_SURE: Final = 0.9
_CAPTION: Final = 150


@dataclass(frozen=True)
class _Sheet:
    """Where table metres lie on the (enlarged) sheet."""

    table: Table

    @property
    def scale(self) -> float:
        return _SMOOTH * _WIDTH / (self.table.length + 2 * _BORDER)

    @property
    def size(self) -> tuple[int, int]:
        return _SMOOTH * _WIDTH, round(self.scale * (self.table.width + 2 * _BORDER)) + _SMOOTH * _CAPTION

    def at(self, x: float, y: float) -> Point:
        return (
            (x + self.table.length / 2 + _BORDER) * self.scale,
            (self.table.width / 2 + _BORDER - y) * self.scale,
        )


def ball_colour(ball: str) -> Colour:
    """The colour a ball is drawn in: a stripe's band has its solid's colour; anonymous balls are grey."""
    if ball == CUE:
        return _IVORY
    if not ball.isdigit():
        return (150, 150, 152)
    number = int(ball)
    return BALL_COLOURS[number if number <= 8 else number - 8]


def draw(shot: Shot, table: Table, heading: str = "") -> bytes:
    """The shot's diagram as a PNG."""
    sheet = _Sheet(table)
    image = Image.new("RGB", sheet.size, _PAPER)
    pen = ImageDraw.Draw(image)
    _table(pen, sheet)
    _paths(pen, sheet, shot)
    _rails(pen, sheet, shot)
    _pockets(pen, sheet, shot)
    moved = {ball for ball in shot.layout_after if _moved(shot, ball)}
    for ball, place in shot.layout_after.items():
        if ball in moved:
            _ghost(pen, sheet, ball, place)
    for ball, place in shot.layout_before.items():
        _ball(pen, sheet, ball, place)
    _contacts(pen, sheet, shot)
    _caption(pen, sheet, shot, heading)
    small = image.resize((sheet.size[0] // _SMOOTH, sheet.size[1] // _SMOOTH), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    small.save(data, "PNG", optimize=True)
    return data.getvalue()


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=_SMOOTH * size)


def _box(sheet: _Sheet, x: float, y: float, radius: float) -> tuple[float, float, float, float]:
    u, v = sheet.at(x, y)
    r = radius * sheet.scale
    return (u - r, v - r, u + r, v + r)


def _table(pen: ImageDraw.ImageDraw, sheet: _Sheet) -> None:
    table = sheet.table
    x, y = table.length / 2, table.width / 2

    def slab(out: float, colour: Colour, radius: float = 0.0) -> None:
        box = (*sheet.at(-x - out, y + out), *sheet.at(x + out, -y - out))
        pen.rounded_rectangle(box, radius * sheet.scale, fill=colour)

    slab(0.12, _RAIL, 0.05)
    slab(0.045, _CUSHION)
    slab(0.0, _CLOTH)
    thin = _SMOOTH
    faint = (86, 150, 134)
    pen.line([sheet.at(table.head_string, y), sheet.at(table.head_string, -y)], fill=faint, width=thin)
    pen.ellipse(_box(sheet, *table.foot_spot, 0.008), fill=faint)
    for px, py in table.diamonds:
        out = 0.08
        dx = out if abs(px) > x - 1e-9 and abs(py) < y - 1e-9 else 0.0
        dy = out if abs(py) > y - 1e-9 else 0.0
        pen.ellipse(
            _box(sheet, px + (dx if px > 0 else -dx), py + (dy if py > 0 else -dy), 0.006), fill=(214, 200, 170)
        )
    for pocket in table.pockets.values():
        pen.ellipse(_box(sheet, *pocket.centre, pocket.radius), fill=_HOLE)


def _paths(pen: ImageDraw.ImageDraw, sheet: _Sheet, shot: Shot) -> None:
    for ball, path in (shot.trajectories or {}).items():
        points = [sheet.at(x, y) for x, y in zip(path.x, path.y, strict=True)]
        if len(points) < 2:
            continue
        pen.line(points, fill=(20, 60, 52), width=5 * _SMOOTH, joint="curve")
        pen.line(points, fill=_visible(ball_colour(ball)), width=3 * _SMOOTH, joint="curve")


def _visible(colour: Colour) -> Colour:
    """Dark balls' paths are lightened to show on the cloth."""
    return colour if sum(colour) > 200 else (70, 70, 74)


def _rails(pen: ImageDraw.ImageDraw, sheet: _Sheet, shot: Shot) -> None:
    for event in shot.events:
        if not isinstance(event, RailContact):
            continue
        place = _place_at(shot, event.ball, event.t)
        if place is None:
            continue
        x, y = place
        table = sheet.table
        nose = {
            "head": (-table.length / 2, y),
            "foot": (table.length / 2, y),
            "left": (x, table.width / 2),
            "right": (x, -table.width / 2),
        }[event.rail]
        along = (0.0, 0.035) if event.rail in ("head", "foot") else (0.035, 0.0)
        ends = [sheet.at(nose[0] - along[0], nose[1] - along[1]), sheet.at(nose[0] + along[0], nose[1] + along[1])]
        colour = (170, 170, 160) if event.frozen else (255, 214, 90)
        pen.line(ends, fill=colour, width=5 * _SMOOTH)


def _pockets(pen: ImageDraw.ImageDraw, sheet: _Sheet, shot: Shot) -> None:
    fallen: dict[PocketName, list[str]] = {}
    for event in shot.events:
        if isinstance(event, Pocketed):
            fallen.setdefault(event.pocket, []).append(event.ball)
    for name, balls in fallen.items():
        pocket = sheet.table.pockets[name]
        pen.ellipse(_box(sheet, *pocket.centre, pocket.radius + 0.012), outline=(255, 214, 90), width=4 * _SMOOTH)
        for number, ball in enumerate(balls):
            _ball(pen, sheet, ball, (pocket.centre[0] + 0.05 * number, pocket.centre[1]))


def _ball(pen: ImageDraw.ImageDraw, sheet: _Sheet, ball: str, place: Point) -> None:
    radius = sheet.table.ball_radius
    box = _box(sheet, *place, radius)
    stripe = ball.isdigit() and int(ball) > 8
    pen.ellipse(box, fill=_IVORY if stripe else ball_colour(ball), outline=_INK, width=_SMOOTH)
    if stripe:
        u, v = sheet.at(*place)
        r = radius * sheet.scale - _SMOOTH
        band = 0.62 * r
        half = (r * r - band * band) ** 0.5
        pen.rectangle((u - half, v - band, u + half, v + band), fill=ball_colour(ball))
        pen.chord((u - r, v - r, u + r, v + r), 141.7, 218.3, fill=ball_colour(ball))
        pen.chord((u - r, v - r, u + r, v + r), -38.3, 38.3, fill=ball_colour(ball))
    if ball != CUE:
        pen.ellipse(_box(sheet, *place, 0.6 * radius), fill=_IVORY)
        pen.text(sheet.at(*place), ball, fill=_INK, font=_font(11 if len(ball) < 2 else 10), anchor="mm")


def _ghost(pen: ImageDraw.ImageDraw, sheet: _Sheet, ball: str, place: Point) -> None:
    """Where a ball that moved came to rest."""
    radius = sheet.table.ball_radius
    pen.ellipse(_box(sheet, *place, radius), fill=_CLOTH, outline=_visible(ball_colour(ball)), width=3 * _SMOOTH)
    label = "" if ball == CUE else ball
    pen.text(sheet.at(*place), label, fill=_IVORY, font=_font(11 if len(ball) < 2 else 9), anchor="mm")


def _contacts(pen: ImageDraw.ImageDraw, sheet: _Sheet, shot: Shot) -> None:
    """Ball contacts, numbered in the order in which they happened; doubtful ones are small and have no number."""
    every = [event for event in shot.events if isinstance(event, BallContact)]
    contacts = [event for event in every if event.sure >= _SURE]
    for event in every:
        a, b = (_place_at(shot, ball, event.t) for ball in event.balls)
        if a is None or b is None:
            continue
        u, v = sheet.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        arm = (5 if event in contacts else 3) * _SMOOTH
        pen.line((u - arm, v - arm, u + arm, v + arm), fill=(255, 255, 255), width=2 * _SMOOTH)
        pen.line((u - arm, v + arm, u + arm, v - arm), fill=(255, 255, 255), width=2 * _SMOOTH)
        if event in contacts and len(contacts) <= 12:
            tag = (u + 11 * _SMOOTH, v - 13 * _SMOOTH)
            pen.ellipse((tag[0] - 16, tag[1] - 16, tag[0] + 16, tag[1] + 16), fill=(255, 255, 255))
            pen.text(tag, str(contacts.index(event) + 1), fill=_INK, font=_font(10), anchor="mm")


def _place_at(shot: Shot, ball: str, t: float) -> Point | None:
    """Where a ball was at a time: on its path, or where it lay."""
    path = (shot.trajectories or {}).get(ball)
    if path is None or not path.t:
        return shot.layout_before.get(ball)
    k = next((i for i, at in enumerate(path.t) if at >= t), len(path.t) - 1)
    if k == 0 or path.t[k] == path.t[k - 1]:
        return path.x[k], path.y[k]
    share = min(max((t - path.t[k - 1]) / (path.t[k] - path.t[k - 1]), 0.0), 1.0)
    return (
        path.x[k - 1] + share * (path.x[k] - path.x[k - 1]),
        path.y[k - 1] + share * (path.y[k] - path.y[k - 1]),
    )


def _moved(shot: Shot, ball: str) -> bool:
    before, after = shot.layout_before.get(ball), shot.layout_after[ball]
    return before is None or (before[0] - after[0]) ** 2 + (before[1] - after[1]) ** 2 > 0.005**2


def _caption(pen: ImageDraw.ImageDraw, sheet: _Sheet, shot: Shot, heading: str) -> None:
    left, top = 30 * _SMOOTH, sheet.size[1] - _SMOOTH * (_CAPTION - 8)
    title = heading or f"Shot {shot.index + 1}" + (f", player {shot.player}" if shot.player else "")
    pen.text((left, top), title, fill=_QUIET, font=_font(17))
    pen.text(
        (sheet.size[0] - left, top),
        f"{shot.t_strike:.2f} s to {shot.t_rest:.2f} s",
        fill=_QUIET,
        font=_font(17),
        anchor="ra",
    )
    ruling = shot.ruling
    if ruling is None:
        return
    call = ruling.call.replace("_", " ").upper() + (" (TO REVIEW)" if ruling.needs_review else "")
    line = top + 28 * _SMOOTH
    pen.text((left, line), call, fill=_CALL_COLOURS[ruling.call], font=_font(26))
    after = left + pen.textlength(call, font=_font(26)) + 16 * _SMOOTH
    pen.text((after, line + 9 * _SMOOTH), ", ".join(ruling.clauses), fill=_QUIET, font=_font(16))
    pen.text((left, line + 36 * _SMOOTH), _fitted(pen, ruling.explanation, sheet), fill=_INK, font=_font(19))
    if ruling.review_reasons:
        reasons = _fitted(pen, "; ".join(ruling.review_reasons), sheet)
        pen.text((left, line + 64 * _SMOOTH), reasons, fill=_QUIET, font=_font(15))
    elif ruling.margin is not None:
        text = f"margin: {in_words(ruling.margin, shot)}"
        pen.text((left, line + 64 * _SMOOTH), text, fill=_QUIET, font=_font(15))


def _fitted(pen: ImageDraw.ImageDraw, text: str, sheet: _Sheet) -> str:
    room = sheet.size[0] - 60 * _SMOOTH
    while pen.textlength(text, font=_font(19)) > room and len(text) > 20:
        text = text[:-2].rstrip("… ") + "…"
    return text


def small(picture: bytes, width: int = 310) -> bytes:
    """A diagram's PNG made small for a list, in few colours."""
    with Image.open(io.BytesIO(picture)) as whole:
        height = round(whole.height * width / whole.width)
        reduced = whole.convert("RGB").resize((width, height), Image.Resampling.LANCZOS).quantize(48)
    data = io.BytesIO()
    reduced.save(data, format="PNG", optimize=True)
    return data.getvalue()
