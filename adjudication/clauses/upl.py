"""UPL 8-ball, clause by clause."""

from __future__ import annotations

from typing import Final

from adjudication.clauses.clause import Clause, Who

C, F, P = Who.CAMERA, Who.FLAG, Who.PERSON

UPL: Final[tuple[Clause, ...]] = (
    Clause(
        "UPL Handicap",
        C,
        "The better player spots a rack for every 40 points of difference, at most four; the leader when the "
        "30-minute clock ends wins.",
    ),
    Clause(
        "UPL Roster",
        C,
        "A line-up has one player of 700 or more and nobody else from 600, or at most two from 600; and at "
        "least one up to 450.",
    ),
    Clause(
        "UPL Lag",
        C,
        "Struck at about the same time, closest to the head rail wins. The other half, no foot rail, a side "
        "rail, a pocket, off the table or a corner's jaws lose; both or undecided: played again.",
    ),
    Clause(
        "UPL Rack",
        C,
        "The 8 on the spot, the other balls by group in the league's pattern; a wrong rack is racked again "
        "before the break and stands after it.",
    ),
    Clause(
        "UPL Break",
        C,
        "From behind the head string; three points are needed, one a pocketed ball, one a ball fully across "
        "the side pockets' line; else re-rack and the opponent chooses who breaks.",
    ),
    Clause("UPL Eight on the break", C, "The 8 on a legal break is spotted and the breaker goes on."),
    Clause(
        "UPL Break scratch",
        C,
        "A scratch on the break: in hand behind the head string, any direction; any other foul: in hand anywhere.",
    ),
    Clause(
        "UPL Open table",
        C | P,
        "Groups are set by hitting a ball of the intended group first and pocketing one of it. Only the other"
        " group's ball, or an unclear group not declared: the turn ends, the table stays open.",
    ),
    Clause("UPL Legal shot", C, "Own group first, then a ball pocketed or any ball to a rail."),
    Clause("UPL Combination", C, "The opponent's balls stay down on a legal shot; pocketing only those ends the turn."),
    Clause(
        "UPL Standard fouls",
        C | F | P,
        "Ball in hand: scratch, wrong or no first ball, no rail, moving balls, out of turn, unspotted balls, "
        "a ball off the table, a jump over a ball, outside the area, double hit, push, foot, any touch, "
        "marking, leaving the area.",
    ),
    Clause(
        "UPL open questions",
        P,
        "The text is silent on an illegal break with a scratch (re-racked), the 8 off the table (a person "
        "decides) and balls off the table (they stay out).",
    ),
    Clause(
        "UPL Loss of rack",
        C | P,
        "The 8 before the group is cleared, with its last ball or on a foul (break excepted); deliberate "
        "fouls; playing on after the 8 before all balls rest.",
    ),
    Clause("UPL Winning", C, "The 8 on a legal shot after the own group, in any pocket."),
    Clause(
        "UPL Sportsmanship",
        P,
        "A first offence is warned, the second loses the rack; a thrown or unscrewed cue loses it at once.",
    ),
    Clause("UPL Roster size", C, "Up to eight players on a roster."),
    Clause(
        "UPL Clock",
        C,
        "30 seconds a shot and one extension of 30 seconds a rack; the match clock runs on in time-outs.",
    ),
    Clause(
        "UPL Coaching",
        P,
        "Only for players up to 450 and only in an extension. A coach's call when it is used: foul, again in "
        "the match: rack lost; a player's is denied; anybody else's, or for a better player: ball in hand.",
    ),
)
