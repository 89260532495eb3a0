"""How balls slide, roll and bounce: arrays over balls, plane positions, spins in three axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

GRAVITY: Final = 9.81
_STILL: Final = 1e-9


@dataclass(frozen=True)
class Physics:
    """Friction and bounce of cloth, balls and cushions."""

    slide: float = 0.20
    roll: float = 0.010
    ball_bounce: float = 0.95
    ball_friction: float = 0.05
    rail_bounce: float = 0.80
    rail_friction: float = 0.18


@dataclass(frozen=True, eq=False)
class Leg:
    """One stretch of a ball's way: place, velocity, acceleration (2,) from `start` to `end`, spin (3,) at its start.

    `rise` is the speed upwards at the start, m/s: nothing but a flight has one.
    """

    start: float
    end: float
    place: Floats
    velocity: Floats
    acceleration: Floats
    spin: Floats
    spin_change: Floats
    rolling: bool = True
    rise: float = 0.0

    def at(self, t: float) -> tuple[Floats, Floats, Floats]:
        """Place, velocity and spin at time `t` of this leg."""
        dt = t - self.start
        return (
            self.place + dt * self.velocity + dt * dt / 2 * self.acceleration,
            self.velocity + dt * self.acceleration,
            self.spin + dt * self.spin_change,
        )


def slip(velocity: Floats, spin: Floats, radius: float) -> Floats:
    """Velocity (2,) of the point where the ball touches the cloth."""
    return np.array([velocity[0] - radius * spin[1], velocity[1] + radius * spin[0]])


def leg(t: float, place: Floats, velocity: Floats, spin: Floats, radius: float, physics: Physics) -> Leg:
    """The leg that begins at `t` with this state: sliding, rolling or rest; it ends where its kind ends."""
    sliding = slip(velocity, spin, radius)
    speed = float(np.hypot(*sliding))
    zeros, still = np.zeros(2), np.zeros(3)
    if speed > 1e-6:
        way = sliding / speed
        pull = physics.slide * GRAVITY
        whirl = 2.5 * pull / radius
        end = t + 2 * speed / (7 * pull)
        return Leg(t, end, place, velocity, -pull * way, spin, np.array([-whirl * way[1], whirl * way[0], 0.0]), False)
    fast = float(np.hypot(*velocity))
    if fast > _STILL:
        way = velocity / fast
        pull = physics.roll * GRAVITY
        change = np.array([way[1], -way[0], 0.0]) * pull / radius
        rolling = np.array([-velocity[1] / radius, velocity[0] / radius, spin[2]])
        return Leg(t, t + fast / pull, place, velocity, -pull * way, rolling, change)
    return Leg(t, np.inf, place, zeros, zeros, still, still)


def collide(
    va: Floats, wa: Floats, vb: Floats, wb: Floats, line: Floats, radius: float, physics: Physics, bounce: float
) -> None:
    """Changes velocities and spins of two equal balls in place; `line` is the unit vector from a's centre to b's.

    The push along the line of centres keeps momentum and takes its share of energy; friction across it (throw) never
    turns the sliding of the two surfaces round.
    """
    side = np.array([-line[1], line[0]])
    closing = float((va - vb) @ line)
    push = (1 + bounce) / 2 * closing
    va -= push * line
    vb += push * line
    rub = float((va - vb) @ side) + radius * float(wa[2] + wb[2])
    # Equal spheres: an impulse j changes their sliding by j (1/m + 1/m + 2 r²/I) = 7 j / m.
    drag = float(np.clip(rub / 7, -physics.ball_friction * push, physics.ball_friction * push))
    va -= drag * side
    vb += drag * side
    whirl = 2.5 * drag / radius
    wa[2] -= whirl
    wb[2] -= whirl


def rebound(v: Floats, w: Floats, normal: Floats, radius: float, physics: Physics, bounce: float) -> None:
    """Changes a ball's velocity and spin in place as it bounces off a wall with this unit normal into the table."""
    side = np.array([-normal[1], normal[0]])
    push = -(1 + bounce) * float(v @ normal)
    v += push * normal
    rub = float(v @ side) - radius * float(w[2])
    drag = float(np.clip(rub * 2 / 7, -physics.rail_friction * push, physics.rail_friction * push))
    v -= drag * side
    w[2] += 2.5 * drag / radius


def energy(velocity: Floats, spin: Floats, radius: float) -> float:
    """Energy per mass of balls with velocities (N, 2) and spins (N, 3)."""
    return float(0.5 * (velocity**2).sum() + 0.2 * radius**2 * (spin**2).sum())
