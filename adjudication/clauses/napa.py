"""NAPA 9-ball general rules, clause by clause."""

from __future__ import annotations

from typing import Final

from adjudication.clauses.clause import Clause, Who

C, F, P = Who.CAMERA, Who.FLAG, Who.PERSON

NAPA: Final[tuple[Clause, ...]] = (
    Clause(
        "NAPA Time",
        C | P,
        "60 seconds a shot (30 to 90 by the operator); after a first warning both captains may start a clock,"
        " and then an overrun is ball in hand.",
    ),
    Clause(
        "NAPA Frozen cushion",
        C,
        "After contact with a ball frozen to a cushion the cue ball or another ball must reach a cushion; the"
        " frozen ball's own touch does not count.",
    ),
    Clause(
        "NAPA Frozen balls",
        F,
        "Pushing through a frozen ball is fair; within a chalk's width a raised cue is; wider, a double hit "
        "is a foul, and with nobody watching the shooter's word counts.",
    ),
    Clause(
        "NAPA Push out",
        P | C,
        "Declared, on the shot right after a legal break, not after a scratch on it. Balls do not count and "
        "stay down, the 9 is spotted, the opponent shoots or passes back.",
    ),
    Clause("NAPA Masse, Jump", P, "Both are legal; a scooped or miscued jump and a cue broken down for it are fouls."),
    Clause("NAPA Safety", P, "No safety can be called."),
    Clause(
        "NAPA Disputes",
        C | P,
        "Playing on after the opponent has asked to wait is a foul; what is not disputed before the next "
        "stroke is fair.",
    ),
    Clause("NAPA Close shots", C, "A tie goes to the shooter."),
    Clause(
        "NAPA Late",
        P,
        "One player of a team within 15 minutes, else the team forfeits; who is not there when the match "
        "before ends forfeits that and what follows.",
    ),
    Clause(
        "NAPA Forfeits",
        P,
        "All present players play before a forfeited match; after it the night's later matches are forfeited too.",
    ),
    Clause("NAPA Tables", C, "7, 8 or 9 foot, the same for the whole session; a team match may use several tables."),
    Clause(
        "NAPA Five seconds",
        C,
        "What moves within five seconds belongs to the shot; a ball that hung longer stays down as if nothing"
        " had been, but the 9 and the cue ball go back.",
    ),
    Clause(
        "NAPA unspecified",
        C | F | P,
        "What the summary leaves open follows world-standardised 9-ball: lowest ball first, rail after "
        "contact, four balls to rails or one pocketed on the break, the 9 wins on any legal shot.",
    ),
)
