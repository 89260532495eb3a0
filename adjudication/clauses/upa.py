"""UPA amateur 9-ball (2015), clause by clause."""

from __future__ import annotations

from typing import Final

from adjudication.clauses.clause import Clause, Who

C, F, P = Who.CAMERA, Who.FLAG, Who.PERSON

UPA: Final[tuple[Clause, ...]] = (
    Clause(
        "UPA 1.0",
        C,
        "The lowest ball must be hit first; after that any ball may fall and the shooter goes on. Without a "
        "pocketed ball some ball must reach a rail after the contact. The 9 on a legal shot wins; on a foul "
        "it is spotted.",
    ),
    Clause(
        "UPA 2.0",
        P,
        "The lower Speed breaks first, then breaks alternate; equal Speeds lag to the foot rail and back, the"
        " ball closer to the head rail wins.",
    ),
    Clause(
        "UPA 2.1",
        C,
        "Diamond with the 1 on the foot spot (within a dime's radius), the 9 in the centre, the 2 at the far "
        "point. A wrong rack is racked again before the break and is never a foul.",
    ),
    Clause("UPA 2.2", P, "Without an official the breaker racks."),
    Clause(
        "UPA 3.0",
        C,
        "Break from behind the head string; a ball pocketed or three balls to rails, else an illegal break: "
        "re-rack, the opponent breaks or has the offender break again.",
    ),
    Clause(
        "UPA 3.0 fouls",
        C,
        "Fouls on a legal break: the 1 not hit first, the cue ball pocketed or off the table, a ball off the "
        "table or on top of a rail. They count towards three in a row.",
    ),
    Clause("UPA 4.0", C, "The 9 legally pocketed on the break wins."),
    Clause(
        "UPA 5.0",
        P | C,
        "A push-out, declared, only on the shot right after a legal break: wrong or no contact and no rail "
        "are no fouls. Balls stay down, the 9 is spotted, the opponent shoots or passes back.",
    ),
    Clause("UPA 6.0", C, "After the break the shooter goes on while balls are legally pocketed."),
    Clause("UPA 7.0", C, "A foul gives ball in hand; of several fouls on one shot only one counts."),
    Clause(
        "UPA 7.1a",
        F,
        "The cue ball touched other than by a stroke is a foul; in hand it may be placed with ferrule or "
        "shaft, not with the tip.",
    ),
    Clause("UPA 7.1b", F, "A moving ball touched, or made to hit a foreign object, is a foul."),
    Clause(
        "UPA 7.1c",
        F,
        "A still ball moved by accident: the opponent has it restored or left; restoring without consent is a"
        " foul. The 9 pocketed by hand or cue: foul, and the opponent says where it goes.",
    ),
    Clause("UPA 7.2", C, "The cue ball pocketed or off the table is a foul."),
    Clause("UPA 7.3", C, "Hitting no ball, or another ball than the lowest first, is a foul."),
    Clause("UPA 7.4", C, "No ball pocketed and none to a rail after the contact is a foul."),
    Clause(
        "UPA 7.5",
        C | F,
        "A ball at rest off the playing surface is a foul and stays out, the 9 is spotted. One that comes "
        "back is a foul only if it touched a person or a thing.",
    ),
    Clause("UPA 7.6", P, "At least one foot on the floor at the stroke."),
    Clause("UPA 7.7", P, "A scooped or miscued jump is a foul."),
    Clause("UPA 7.8", C, "No stroke while a ball moves; a ball that only settles does not count as moving."),
    Clause(
        "UPA 7.9",
        F,
        "The cue ball struck twice is a foul; a referee presumes it at half an inch or less without a raised cue.",
    ),
    Clause("UPA 7.10", C, "The break is played from behind the head string."),
    Clause("UPA 7.11", P, "No ball may be touched while the cue ball is placed."),
    Clause("UPA 7.12", P, "Interference is a foul after an official warning."),
    Clause("UPA 7.13", P, "Marking the table is a foul unless the mark is removed before the stroke."),
    Clause("UPA 7.14", C | P, "Out of turn: no penalty, the rightful player returns."),
    Clause("UPA 7.15", P, "Equipment is used as it is meant to be."),
    Clause("UPA 8.1", C, "The opponent's legally pocketed 9 loses the game."),
    Clause(
        "UPA 8.2",
        C | P,
        "The third foul in a row in one rack loses it, if the player was warned before the third stroke.",
    ),
    Clause("UPA 8.3", P, "A conceded game is lost."),
    Clause("UPA 8.4", P, "Unscrewing the cue or putting on a jacket when the match may end concedes it."),
    Clause("UPA 8.5", P, "Tapping balls after a warning loses the game."),
    Clause(
        "UPA 8.6",
        P,
        "One time-out of two minutes a game with one team-mate; unasked advice is a foul, the team's second "
        "loses the game.",
    ),
    Clause("UPA 9.1", P, "Fifteen minutes to begin, and between matches; else the match is forfeited."),
    Clause(
        "UPA 9.2",
        C | P,
        "After a warning a clock of 60 seconds a shot, called at 50; the time keeper says whether the shooter"
        " was stroking.",
    ),
    Clause("UPA 9.3", C, "Hits that cannot be told apart are the shooter's."),
    Clause("UPA 9.4", C, "A ball that comes back out of a pocket is not pocketed."),
    Clause("UPA 9.5", C, "A hanging ball that falls within five seconds is pocketed; later it goes back to the edge."),
    Clause("UPA 9.6", F, "A ball held up in a pocket by other balls counts as pocketed."),
    Clause(
        "UPA 9.7",
        C,
        "A ball that settles stays, but out of a pocket it is put back; a shot that it affected is played again.",
    ),
    Clause("UPA 9.8", P, "A jump is legal by a downward stroke with the tip alone."),
    Clause("UPA 10.2", P, "Operator, referee or an agreed spectator officiates."),
    Clause("UPA 10.3", P, "Without an official the players watch the rules themselves."),
    Clause(
        "UPA 10.4",
        C | P,
        "A questionable hit is watched when the opponent asks; with nobody watching it is the shooter's call.",
    ),
    Clause("UPA 10.8", C | P, "A foul must be called before the next stroke; after it the shot counts as fair."),
    Clause(
        "UPA 10.9",
        P,
        "Disturbed balls are restored; those a player moved, only if the opponent wishes; a shot that was "
        "affected may be replayed.",
    ),
    Clause("UPA 10.11", P, "An official may have a shot or a game played again."),
    Clause("UPA 10.12", P, "The operator resolves disputes."),
    Clause("UPA 11.0", P, "What the text does not cover the operator rules, with the reason kept."),
)
