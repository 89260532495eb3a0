"""Lamps over the table: what they light, where they shine back from a ball, what shadows they throw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from models.synthesis.colours import Colour

Field = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Lamp:
    """A glowing rectangle that hangs level: middle (3,), half sides along its own axes, its turn, its tint (3,)."""

    place: Field
    half: tuple[float, float]
    turn: float
    power: float
    tint: Colour

    @property
    def spread(self) -> float:
        """A radius as good as its size for soft shadows."""
        return float(np.sqrt(self.half[0] * self.half[1]))


@dataclass(frozen=True, eq=False)
class Light:
    """All the light of a scene; `sky` (3,) comes evenly from above. Normal light on a white surface is 1.

    `sides` is the share of the sky that a ball's upright side still sees, `bounce` how much of the cloth's colour it
    gets from below: a bright room gives pale rims, a single lamp over the table dark ones.
    """

    lamps: tuple[Lamp, ...]
    sky: Colour
    sides: float = 0.55
    bounce: float = 0.45

    def on_cloth(self, xy: Field) -> Field:
        """Light (…, 3) that falls on level places (…, 2) at the cloth's height."""
        total = np.broadcast_to(self.sky, (*xy.shape[:-1], 3)).copy()
        for lamp in self.lamps:
            total += self._falls(lamp, xy)[..., None] * lamp.tint
        return total

    @staticmethod
    def _falls(lamp: Lamp, xy: Field) -> Field:
        across = (xy[..., 0] - lamp.place[0]) ** 2 + (xy[..., 1] - lamp.place[1]) ** 2
        height = lamp.place[2]
        return np.asarray(lamp.power * height / (across + height**2) ** 1.5 * height**2, dtype=np.float32)

    def on_ball(self, places: Field, normals: Field, cloth: Colour) -> Field:
        """Light (N, 3) on a ball's surface: lamps, sky, and what the cloth below throws back."""
        up = normals[:, 2:]
        total = self.sky * (self.sides + (1 - self.sides) * up) + cloth * (self.bounce * (1 - up))
        for lamp in self.lamps:
            to_lamp = lamp.place - places
            distance = np.linalg.norm(to_lamp, axis=1)
            facing = np.einsum("ij,ij->i", normals, to_lamp) / distance
            soft = min(0.6, lamp.spread / float(lamp.place[2]))
            strength = lamp.power * np.clip((facing + soft) / (1 + soft), 0, None) * (lamp.place[2] / distance) ** 2
            total += strength[:, None] * lamp.tint
        return np.asarray(total, dtype=np.float32)

    def mirrored(self, places: Field, normals: Field, sight: Field, polish: float, glow: float) -> Field:
        """Light (N, 3) that a polished surface mirrors towards the eye; `sight` are unit lines of sight."""
        towards = np.einsum("ij,ij->i", sight, normals)
        bounced = sight - 2 * towards[:, None] * normals
        fresnel = 0.04 + 0.96 * (1 + np.clip(towards, -1, 0)) ** 5
        seen = np.broadcast_to(self.sky * 0.25, places.shape).copy()
        rising = np.maximum(bounced[:, 2], 1e-3)
        for lamp in self.lamps:
            reach = (lamp.place[2] - places[:, 2]) / rising
            hit = places[:, :2] + reach[:, None] * bounced[:, :2] - lamp.place[:2]
            c, s = np.cos(lamp.turn), np.sin(lamp.turn)
            along = np.abs(c * hit[:, 0] + s * hit[:, 1]) - lamp.half[0]
            side = np.abs(c * hit[:, 1] - s * hit[:, 0]) - lamp.half[1]
            edge = polish * lamp.place[2]
            inside = np.clip(0.5 - along / edge, 0, 1) * np.clip(0.5 - side / edge, 0, 1)
            seen += (np.where(bounced[:, 2] > 0.02, inside, 0) * glow * lamp.power)[:, None] * lamp.tint
        return np.asarray(seen * fresnel[:, None], dtype=np.float32)

    def ball_shade(self, xy: Field, centre: Field, radius: float) -> Field:
        """Share of the light (…,) that places (…, 2) of the cloth keep beside a ball at `centre` (3,)."""
        whole = float(self.sky.mean())
        lost = np.zeros(xy.shape[:-1], dtype=np.float32)
        dx, dy, dz = centre[0] - xy[..., 0], centre[1] - xy[..., 1], centre[2]
        near = dx * dx + dy * dy + dz * dz
        for lamp in self.lamps:
            falls = float(self._falls(lamp, centre[:2]))
            whole += falls
            lx, ly, lz = lamp.place[0] - xy[..., 0], lamp.place[1] - xy[..., 1], lamp.place[2]
            ahead = dx * lx + dy * ly + dz * lz
            miss = np.sqrt(np.maximum(near - ahead**2 / (lx * lx + ly * ly + lz * lz), 0))
            blur = lamp.spread * np.sqrt(near) / float(np.linalg.norm(lamp.place - centre)) + 0.06 * radius
            lost += falls * np.clip(0.5 + (radius - miss) / (2 * blur), 0, 1)
        height = max(float(centre[2]), 1e-3)
        # The part taken off lets it end three radii away, within the patch that is shaded.
        contact = np.clip(height * radius**2 / np.maximum(near, 1e-9) ** 1.5 - 0.035, 0, 1)
        return np.asarray((1 - lost / whole) * (1 - 0.8 * contact), dtype=np.float32)

    def nose_shade(self, x: Field, y: Field, half_length: float, half_width: float, nose_height: float) -> Field:
        """Share of the light (rows, columns) that the cloth keeps beside the noses, columns at x and rows at y."""
        whole = float(self.sky.mean())
        lost = np.zeros((len(y), len(x)), dtype=np.float32)
        for lamp in self.lamps:
            whole += float(lamp.power)
            rise = nose_height / float(lamp.place[2])
            blur = lamp.spread * rise + 0.002
            past_x = np.abs(x + (lamp.place[0] - x) * rise) - half_length
            past_y = np.abs(y + (lamp.place[1] - y) * rise) - half_width
            lost += lamp.power * np.clip(0.5 + np.maximum.outer(past_y, past_x) / (2 * blur), 0, 1)
        edge = np.maximum.outer(np.abs(y) - half_width, np.abs(x) - half_length)
        corner = np.clip(1 + edge / (0.8 * nose_height), 0, 1) ** 2
        return np.asarray((1 - 0.9 * lost / whole) * (1 - 0.25 * corner), dtype=np.float32)
