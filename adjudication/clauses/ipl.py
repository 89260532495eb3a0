"""IPL 8-ball, clause by clause."""

from __future__ import annotations

from typing import Final

from adjudication.clauses.clause import Clause, Who

C, F, P = Who.CAMERA, Who.FLAG, Who.PERSON

IPL: Final[tuple[Clause, ...]] = (
    Clause(
        "IPL Match",
        C,
        "Nine games of one point in three sets, nobody twice in a set; six points give a bonus point. A "
        "forfeit is 10–0; a late team loses a game every five minutes and the match at thirty.",
    ),
    Clause(
        "IPL Players",
        C,
        "One game binds a player to the team for the season; two matches on two dates make eligible for play-"
        "offs; rescheduling needs 48 hours.",
    ),
    Clause(
        "IPL Hosts",
        P,
        "The home team referees the first game, then the teams alternate; practice is the home team's 60 to "
        "30 minutes before, then the visitors'.",
    ),
    Clause(
        "IPL Season",
        C,
        "When a team drops out, matches that were to come against it score nothing and every other team's "
        "lowest match is dropped.",
    ),
    Clause("IPL Toss", P, "A coin toss each game; the winner chooses who breaks; callers alternate, visitors first."),
    Clause(
        "IPL Call",
        P,
        "Ball and pocket are called where they are not obvious; a bank, a combination or the 8 without a "
        "recorded call is asked about.",
    ),
    Clause(
        "IPL Break",
        C,
        "From behind the head string, a ball pocketed or four balls to rails; else a foul: the opponent "
        "accepts the table, breaks, or has the offender break again.",
    ),
    Clause(
        "IPL Break scratch",
        C | F,
        "Balls stay down (the 8 loses), the table is open, in hand behind the head string; a ball behind the "
        "line may not be shot at directly.",
    ),
    Clause(
        "IPL Break jump",
        C,
        "A ball off the table on the break: foul, the ball is spotted (the 8 loses); the table as it lies or "
        "in hand behind the head string.",
    ),
    Clause(
        "IPL Eight on the break",
        C,
        "The 8 on the break wins, unless the cue ball is pocketed or off the table, which loses.",
    ),
    Clause(
        "IPL Groups",
        C,
        "Balls of one group on the break set the breaker's group; both leave the table open. Later the called"
        " ball's group; a combination on an open table must start on that group.",
    ),
    Clause(
        "IPL Legal shot",
        C,
        "Own group first, then a ball pocketed or any ball to a rail; with a ball frozen to a rail that was "
        "hit rail first, another rail.",
    ),
    Clause("IPL Split", C, "Hits that cannot be told apart are the shooter's."),
    Clause("IPL Foul", C, "Ball in hand anywhere (break: behind the head string); balls pocketed on a foul stay down."),
    Clause(
        "IPL Off table",
        C,
        "An object ball off the table ends the turn and is spotted, no ball in hand; the 8 loses the rack.",
    ),
    Clause(
        "IPL Eight assist",
        C,
        "A shot that used the 8 ends the turn. On the 8, touching another ball ends the turn, and loses if "
        "the 8 falls.",
    ),
    Clause(
        "IPL Loss",
        C | P,
        "A foul while pocketing the 8, the 8 early, out of turn, off the table or in another pocket than "
        "called, a scratch when the 8 is on.",
    ),
    Clause(
        "IPL Doubles",
        P,
        "A pair one short misses that player's turn; a foul before a missed turn gives ball in hand to the "
        "offender's own partner.",
    ),
    Clause(
        "IPL Fouls",
        F | P,
        "Any ball moved by hand, stick or clothing (it stays), foot, coaching beyond the time-outs, marks, "
        "scooped jumps, a forward stroke while placing.",
    ),
    Clause("IPL Time-outs", P, "Two of two minutes a game in singles, none in doubles."),
    Clause("IPL Stalemate", P, "No legal shot without losing: the game is played again."),
)
