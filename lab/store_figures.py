"""Times lists over a large index: `python -m lab.store_figures [--shots 100000] [--json]`.

An index of made-up racks (ten shots each, all leagues, from a seed) is written to a temporary folder; each question is
asked many times and its median is printed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sqlalchemy.orm import Session

from device.store import questions
from device.store.opening import open_store
from device.store.questions import Filter
from device.store.tables import FoulRow, RackRow, ShotRow

GOAL: Final = 0.1
_TURNS: Final = 25
_LEAGUES: Final = ("upa-9ball", "napa-9ball", "upl-8ball", "ipl-8ball")
_FOULS: Final = ("", "", "", "", "bad_hit", "no_rail", "scratch", "no_contact")


def _rows(racks: int, rng: random.Random) -> list[RackRow | ShotRow | FoulRow]:
    found: list[RackRow | ShotRow | FoulRow] = []
    for k in range(racks):
        started = f"2026-{k % 12 + 1:02}-{k % 28 + 1:02}T19:{k % 60:02}:00Z"
        league, name = rng.choice(_LEAGUES), f"rack-{k:06}"
        found.append(
            RackRow(
                id=name,
                table_id=f"table-{k % 8}",
                started=started,
                league=league,
                player_a=f"Player {k % 97}",
                player_b=f"Player {k % 89}",
                breaker="A",
                winner="A",
                over=True,
                shots=10,
                fouls=2,
                open_reviews=k % 50 == 0,
                overrides=0,
                sealed=True,
                file=f"racks/{name}.json",
            )
        )
        for number in range(10):
            code = rng.choice(_FOULS)
            found.append(
                ShotRow(
                    rack=name,
                    number=number,
                    started=started,
                    table_id=f"table-{k % 8}",
                    league=league,
                    player="A",
                    player_name=f"Player {k % 97}",
                    on_break=number == 0,
                    t_strike=20.0 * number,
                    duration=4.0,
                    taken=16.0,
                    call="foul" if code else "legal",
                    fouls=code,
                    clauses="UPA 1.0",
                    potted=0,
                    goes_on=False,
                    needs_review=k % 50 == 0 and number == 3,
                    reviewed=False,
                    overridden=False,
                    agreed=None,
                    protested=False,
                    explanation="Fair shot: B plays.",
                )
            )
            if code:
                found.append(FoulRow(rack=name, number=number, code=code, started=started))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        engine = open_store(Path(folder)).engine
        with Session(engine) as session, session.begin():
            rows = _rows(wanted.shots // 10, random.Random(1))
            session.add_all(row for row in rows if isinstance(row, RackRow))
            session.flush()
            session.add_all(row for row in rows if not isinstance(row, RackRow))
        middle = questions.shots(engine, Filter(), 200)
        for _ in range(20):
            middle = questions.shots(engine, Filter(), 200, middle.next)
        asked: dict[str, Callable[[], object]] = {
            "first page of all shots": lambda: questions.shots(engine, Filter(), 50),
            "a page in the middle": lambda: questions.shots(engine, Filter(), 50, middle.next),
            "shots that a person ruled, none found": lambda: questions.shots(engine, Filter(review="overridden"), 50),
            "open reviews with a foul": lambda: questions.shots(engine, Filter(review="open", foul="scratch"), 50),
            "open reviews": lambda: questions.shots(engine, Filter(review="open"), 50),
            "a league's shots of a player": lambda: questions.shots(
                engine, Filter(league="upa-9ball", player="Player 3"), 50
            ),
            "shots with a foul": lambda: questions.shots(engine, Filter(foul="scratch"), 50),
            "racks with a foul in a month": lambda: questions.racks(
                engine, Filter(foul="scratch", since="2026-03-01", until="2026-04-01"), 50
            ),
            "words in explanations, none found": lambda: questions.shots(engine, Filter(text="rhubarb"), 50),
        }
        figures = [_figure(name, ask, wanted.shots) for name, ask in asked.items()]
    if wanted.json:
        sys.stdout.write(json.dumps({"figures": figures, "conditions": {"shots": wanted.shots}}) + "\n")
        return
    for one in figures:
        sys.stdout.write(f"{one['name']}: {one['value']} ms (goal {one['goal']} ms)\n")


def _figure(name: str, ask: Callable[[], object], shots: int) -> dict[str, object]:
    times = []
    for _ in range(_TURNS):
        start = time.perf_counter()
        ask()
        times.append(time.perf_counter() - start)
    median = statistics.median(times)
    told = {"value": round(1000 * median, 2), "unit": "ms", "goal": 1000 * GOAL, "met": median <= GOAL}
    return {"name": name, **told, "n": _TURNS, "over": shots}


if __name__ == "__main__":
    main()
