"""What comes between camera and table: arms, hands, cues, heads, all made of chains of tapering round limbs, and flat
things (`Slab`)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from models.synthesis.colours import SKINS, SLEEVES, Colour, colour, varied

Field = npt.NDArray[np.floating[Any]]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]

_SHIFT = 3


@dataclass(frozen=True, eq=False)
class Limb:
    """A chain of round pieces: middle line (K, 3) in the table frame, radii (K,), one colour; `round_` shades it
    towards its edges, `folds` mottles it as creased cloth or skin is."""

    line: Floats
    radii: Floats
    tone: Colour
    round_: float = 0.5
    folds: float = 0.0


@dataclass(frozen=True, eq=False)
class Slab:
    """A flat thing that lies or stands: its outline (K, 2), convex, its top's height, the colours of top and sides."""

    outline: Floats
    height: float
    tone: Colour
    sides: Colour
    base: float = 0.0


@dataclass(frozen=True, eq=False)
class Cover:
    """Limbs as seen: `light` (H, W, 3), `alpha` (H, W), and `shade` (H, W), what light they leave to the cloth."""

    light: Field
    alpha: Field
    shade: Field


def _fill(mask: Mask, px: Floats, radii: Floats) -> None:
    scale = 1 << _SHIFT
    for (a, ra), (b, rb) in itertools.pairwise(zip(px, radii, strict=True)):
        along = b - a
        length = float(np.linalg.norm(along))
        if length > 1e-6:
            side = np.array([-along[1], along[0]]) / length
            quad = np.array([a + side * ra, b + side * rb, b - side * rb, a - side * ra])
            cv2.fillConvexPoly(mask, np.round(quad * scale).astype(np.int32), 255, cv2.LINE_AA, _SHIFT)
    for p, r in zip(px, radii, strict=True):
        x, y = (int(v) for v in np.round(p * scale))
        if max(abs(x), abs(y)) < 1 << 20:
            cv2.circle(mask, (x, y), max(1, round(float(r) * scale)), 255, -1, cv2.LINE_AA, _SHIFT)


def _folds(shape: tuple[int, ...], limb: Limb) -> Field:
    """Smooth light and dark (rows, columns), about −1 to 1; the same limb has the same."""
    rng = np.random.default_rng(int(abs(float(limb.tone.sum())) * 1e6))
    coarse = rng.normal(0, 0.6, (max(2, shape[0] // 7), max(2, shape[1] // 7))).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


class _Canvas:
    """What has been painted so far, as a camera sees it."""

    def __init__(self, camera: Camera, lamp: Field, light: float) -> None:
        self.camera, self.lamp, self.light = camera, lamp, light
        self.width, self.height = camera.size
        self.painted = np.zeros((self.height, self.width, 3), dtype=np.float32)
        self.alpha = np.zeros((self.height, self.width), dtype=np.uint8)
        self.shadow = np.zeros((self.height // 2, self.width // 2), dtype=np.uint8)

    def mask(self) -> Mask:
        return np.zeros((self.height, self.width), dtype=np.uint8)

    def lay(self, mask: Mask, tone: Field | Colour, area: tuple[slice, slice]) -> None:
        weight = (mask[area].astype(np.float32) / 255)[..., None]
        self.painted[area] += (tone - self.painted[area]) * weight
        self.alpha[area] = np.maximum(self.alpha[area], mask[area])

    def limb(self, limb: Limb) -> None:
        px = self.camera.project(limb.line)
        side = self.camera.project(limb.line + np.array([0.001, 0, 0])) - px
        radii = limb.radii * np.linalg.norm(side, axis=1) * 1000
        mask = self.mask()
        _fill(mask, px, radii)
        area = _box(mask)
        if area is not None:
            depth = cv2.distanceTransform((mask[area] > 127).astype(np.uint8), cv2.DIST_L2, 3)
            bulge = np.sqrt(np.clip(depth / max(float(radii.max()), 1.0), 0, 1))
            tone = ((1 - limb.round_) + limb.round_ * bulge)[..., None] * limb.tone * self.light
            if limb.folds:
                tone = tone * (1 + limb.folds * _folds(bulge.shape, limb))[..., None]
            self.lay(mask, tone, area)
        drop = limb.line[:, 2:] / (self.lamp[2] - limb.line[:, 2:])
        ground = limb.line[:, :2] - (self.lamp[:2] - limb.line[:, :2]) * drop
        _fill(self.shadow, self.camera.project_at(ground, 0.0) / 2, radii / 2)

    def slab(self, slab: Slab) -> None:
        low, high = (self.camera.project_at(slab.outline, z) for z in (slab.base, slab.height))
        for points, tone in ((np.concatenate([low, high]), slab.sides), (high, slab.tone)):
            mask = self.mask()
            hull = cv2.convexHull(np.round(points * (1 << _SHIFT)).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _SHIFT)
            area = _box(mask)
            if area is not None:
                self.lay(mask, np.asarray(tone * self.light, dtype=np.float32), area)
        drop = slab.height / (float(self.lamp[2]) - slab.height)
        ground = slab.outline - (self.lamp[:2] - slab.outline) * drop
        hull = cv2.convexHull(np.round(self.camera.project_at(ground, 0.0) / 2).astype(np.int32))
        cv2.fillConvexPoly(self.shadow, hull, 255)


def _box(mask: Mask) -> tuple[slice, slice] | None:
    x, y, w, h = cv2.boundingRect(mask)
    return np.s_[y : y + h, x : x + w] if w else None


def cover(camera: Camera, pieces: Sequence[Limb | Slab], lamp: Field, light: float) -> Cover | None:
    """Limbs and slabs painted one over the other, None where none is seen; `lamp` (3,) throws their shadow."""
    canvas = _Canvas(camera, lamp, light)
    for piece in pieces:
        if isinstance(piece, Limb):
            canvas.limb(piece)
        else:
            canvas.slab(piece)
    if not canvas.alpha.any() and not canvas.shadow.any():
        return None
    soft = cv2.GaussianBlur(canvas.shadow, (0, 0), max(2.0, canvas.width / 160))
    shade = 1 - 0.6 * cv2.resize(soft, camera.size).astype(np.float32) / 255
    weight = cv2.GaussianBlur(canvas.alpha, (0, 0), 0.7).astype(np.float32) / 255
    return Cover(canvas.painted, weight, shade)


def cue_stick(tip: Floats, back: Floats, rng: np.random.Generator, shaft: Colour | None = None) -> list[Limb]:
    """A cue from its tip (3,) backwards along the unit vector `back` (3,), 1.47 m long."""
    wood = varied(colour(206, 170, 120), rng, 0.02, 0.2, 0.25) if shaft is None else shaft
    butt = varied(SLEEVES[rng.integers(len(SLEEVES))], rng, 0.05, 0.2, 0.3)

    def piece(start: float, end: float, r0: float, r1: float, tone: Colour) -> Limb:
        return Limb(np.array([tip + back * start, tip + back * end]), np.array([r0, r1]), tone, 0.6)

    return [
        piece(0.75, 1.47, 0.0105, 0.0145, butt),
        piece(0.02, 0.75, 0.0063, 0.0105, wood),
        piece(0.006, 0.026, 0.0063, 0.0063, colour(236, 234, 224)),
        piece(0.0, 0.006, 0.006, 0.006, colour(40, 70, 130)),
    ]


def hand(wrist: Floats, towards: Floats, rng: np.random.Generator, tone: Colour, opened: float = 1.0) -> list[Limb]:
    """A hand (palm, four fingers, a thumb) from the wrist (3,) pointing along the unit vector `towards` (3,)."""
    side = np.array([-towards[1], towards[0], 0.0])
    side /= max(float(np.linalg.norm(side)), 1e-9)
    mirror = 1 if rng.random() < 0.5 else -1
    palm = wrist + towards * 0.085
    limbs = [Limb(np.array([wrist, palm]), np.array([0.030, 0.042]), tone, 0.35)]
    for k in range(4):
        root = palm + side * (k - 1.5) * 0.021 + towards * 0.02
        spread = towards + side * (k - 1.5) * 0.20 * opened + np.array([0, 0, -0.15])
        length = (0.062, 0.075, 0.070, 0.052)[k] * rng.uniform(0.6, 1.05)
        bend = root + spread * length * 0.55
        tip = bend + (spread + side * rng.normal(0, 0.15)) * length * 0.45
        shade = np.asarray(tone * rng.uniform(0.85, 1.08), dtype=np.float32)
        limbs.append(Limb(np.array([root, bend, tip]), np.array([0.0105, 0.0095, 0.0075]), shade, 0.5))
    thumb = wrist + towards * 0.04 + side * mirror * 0.03
    end = thumb + (towards * 0.6 + side * mirror * 0.8) * 0.055
    limbs.append(Limb(np.array([thumb, end]), np.array([0.014, 0.010]), tone, 0.5))
    return limbs


def arm(shoulder: Floats, wrist: Floats, rng: np.random.Generator) -> list[Limb]:
    """An arm from the shoulder (3,) to the wrist (3,), with a long, short or no sleeve, and its hand."""
    skin = varied(SKINS[rng.integers(len(SKINS))], rng, 0.01, 0.1, 0.15)
    sleeve = varied(SLEEVES[rng.integers(len(SLEEVES))], rng, 0.08, 0.3, 0.4)
    elbow = 0.5 * (shoulder + wrist) + rng.normal(0, 0.03, 3) * [1, 1, 0.5]
    towards = wrist - elbow
    towards /= np.linalg.norm(towards)
    glove = colour(24, 24, 26) if rng.random() < 0.15 else skin
    limbs = hand(wrist, towards, rng, glove, rng.uniform(0.5, 1.6))
    limbs.insert(0, Limb(np.array([elbow, wrist]), np.array([0.046, 0.031]), skin, 0.5, 0.08))
    reach = rng.choice([0.0, 0.5, 0.92])
    cuff = elbow + (wrist - elbow) * reach
    limbs.insert(
        1, Limb(np.array([shoulder, elbow, cuff]), np.array([0.075, 0.058, 0.048]), sleeve, 0.5, rng.uniform(0, 0.3))
    )
    return limbs


def player(anchor: Floats, reach: Floats, rng: np.random.Generator) -> list[Limb]:
    """A player who leans in from `anchor` (2,) outside the table with a bridge hand at `reach` (2,) and a cue."""
    inward = reach - anchor
    distance = float(np.linalg.norm(inward))
    inward = inward / max(distance, 1e-9)
    side = np.array([-inward[1], inward[0]])
    hand_side = side * rng.choice([-1, 1]) * rng.uniform(0.05, 0.25)
    wrist = np.array([*(reach - inward * 0.1), 0.05])
    shoulder = np.array([*(reach - inward * rng.uniform(0.5, 0.75) + hand_side), rng.uniform(0.25, 0.45)])
    limbs: list[Limb] = []
    if rng.random() < 0.8:
        aim = inward + side * rng.normal(0, 0.05)
        tip = np.array([*(reach + aim * rng.uniform(0.02, 0.22)), 0.035])
        back = np.array([*(-aim / np.linalg.norm(aim)), rng.uniform(0.03, 0.15)])
        limbs += cue_stick(tip, back, rng)
    limbs = arm(shoulder, wrist, rng) + limbs if rng.random() < 0.5 else limbs + arm(shoulder, wrist, rng)
    if distance > 0.7 or rng.random() < 0.3:
        limbs += _head_and_back(shoulder - np.array([*(hand_side * 1.0), 0.0]), inward, side, rng)
    return limbs


def _head_and_back(place: Floats, inward: Floats, side: Floats, rng: np.random.Generator) -> list[Limb]:
    shirt = varied(SLEEVES[rng.integers(len(SLEEVES))], rng, 0.08, 0.3, 0.4)
    hair = varied(
        colour(*((60, 40, 28), (24, 20, 20), (150, 120, 80), (130, 128, 126))[rng.integers(4)]), rng, 0.02, 0.2, 0.3
    )
    across = np.array([*side, 0.0]) * 0.17
    back = place - np.array([*inward, 0.0]) * 0.35
    trunk = Limb(np.array([place - across, place + across]), np.array([0.10, 0.10]), shirt, 0.4, 0.2)
    belly = Limb(np.array([place, back]), np.array([0.19, 0.2]), shirt, 0.4, 0.2)
    skull = place + np.array([*(inward * 0.15), 0.12])
    return [
        belly,
        trunk,
        Limb(np.array([skull, skull + np.array([0.001, 0, 0])]), np.array([0.095, 0.095]), hair, 0.5, 0.3),
    ]
