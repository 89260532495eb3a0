"""Times how fast recorded shots are judged again: `python -m lab.rejudging [--shots 10000] [--json]`.

Racks of all leagues are made from a seed; reading them is not timed, judging them is, on one core, in processor time
(so that other work on the machine does not count).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from typing import Any, Final

from adjudication.judge import adjudicate
from adjudication.leagues import BOOKS
from record.entries import Entry
from record.rack import Player, RackRecord, TableSize
from record.shot import Shot

GOAL: Final = 2.0
_TURNS: Final = 5
_RAILS: Final = ("head", "foot", "left", "right")


def racks(shots: int, seed: int) -> list[RackRecord]:
    """Records of all leagues with so many shots in all, ten shots a rack: safeties, after a legal break."""
    rng = random.Random(seed)
    leagues = sorted(BOOKS)
    return [_rack(leagues[k % len(leagues)], rng) for k in range(-(-shots // 10))]


def _rack(league: str, rng: random.Random) -> RackRecord:
    balls = sorted(BOOKS[league].balls, key=int)
    layout = {ball: (-0.4 + 0.2 * (k % 8), -0.4 + 0.3 * (k // 8)) for k, ball in enumerate(balls)}
    entries: list[Entry] = [_shot(0, {**layout, "cue": (-0.8, 0.05)}, balls[0], rng)]
    entries += [_shot(k, {**layout, "cue": (-0.3, 0.11)}, balls[0], rng) for k in range(1, 10)]
    return RackRecord(
        rack_id="timed",
        table_id="t",
        started="2026-01-01T19:00:00Z",
        rules=league,
        table=TableSize(length=2.54, width=1.27, ball_diameter=0.05715),
        players=[Player(id="A", name="A"), Player(id="B", name="B")],
        breaker="A",
        entries=entries,
    )


def _shot(index: int, layout: dict[str, Any], ball_on: str, rng: random.Random) -> Shot:
    """A fair shot (and break) with a dozen events that pockets nothing."""
    t = 20.0 * index
    told: list[dict[str, Any]] = [
        {"type": "strike", "ball": "cue", "t": t},
        {"type": "ball_contact", "balls": ["cue", ball_on], "t": t + 0.2, "t_sigma": 0.001, "confidence": 0.99},
    ]
    for k, ball in enumerate(rng.sample(sorted(set(layout) - {"cue"}), 6)):
        told.append({"type": "rail_contact", "ball": ball, "rail": rng.choice(_RAILS), "t": t + 0.5 + 0.1 * k})
        if index == 0:
            told.append({"type": "side_crossing", "ball": ball, "t": t + 0.55 + 0.1 * k})
    return Shot.model_validate(
        {
            "index": index,
            "t_strike": t,
            "t_rest": t + 4,
            "layout_before": layout,
            "layout_after": layout,
            "events": told,
        }
    )


def measure(records: list[RackRecord]) -> float:
    """Seconds of processor time to judge all records once."""
    start = time.process_time()
    for record in records:
        adjudicate(record)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    records = racks(wanted.shots, wanted.seed)
    count = sum(len(record.entries) for record in records)
    median = statistics.median(measure(records) for _ in range(_TURNS)) * wanted.shots / count
    figure = {
        "name": f"judging {wanted.shots} shots",
        "value": round(median, 3),
        "unit": "s",
        "goal": GOAL,
        "met": median <= GOAL,
        "n": _TURNS,
    }
    if wanted.json:
        sys.stdout.write(json.dumps({"figures": [figure], "conditions": {"cores": 1, "seed": wanted.seed}}) + "\n")
    else:
        sys.stdout.write(f"{figure['name']}: {median:.2f} s of processor time, median of {_TURNS} (goal {GOAL} s)\n")


if __name__ == "__main__":
    main()
