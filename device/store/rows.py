"""A record as rows of the index."""

from __future__ import annotations

from adjudication.rejudging import ruling_of
from device.store.tables import FoulRow, RackRow, ShotRow
from record.entries import Declaration, Entry, Override
from record.rack import RackRecord
from record.ruling import Ruling
from record.shot import Shot


def rows_of(record: RackRecord, file: str) -> tuple[RackRow, list[ShotRow], list[FoulRow]]:
    """The rows of a rack. A shot's ruling is the last that the machine gave it; a person's stands beside it."""
    shots = [_shot_row(record, position) for position, entry in enumerate(record.entries) if isinstance(entry, Shot)]
    fouls = [
        FoulRow(rack=row.rack, number=row.number, code=code, started=row.started)
        for row in shots
        for code in dict.fromkeys(row.fouls.split())
    ]
    winner = _winner(record)
    names = {player.id: player.name for player in record.players}
    rack = RackRow(
        id=record.rack_id,
        table_id=record.table_id,
        started=record.started,
        league=record.rules,
        player_a=names.get("A", "A"),
        player_b=names.get("B", "B"),
        breaker=record.breaker,
        winner=winner,
        over=winner is not None,
        shots=len(shots),
        fouls=sum(bool(row.fouls) for row in shots),
        open_reviews=sum((row.needs_review or row.protested) and not row.reviewed for row in shots),
        overrides=sum(row.overridden for row in shots),
        sealed=bool(record.seals),
        file=file,
    )
    return rack, shots, fouls


def _winner(record: RackRecord) -> str | None:
    """Who has won by the last word that was said."""
    for entry in reversed(record.entries):
        ruling = entry.ruling if isinstance(entry, Override) else ruling_of(entry)
        if ruling is not None:
            return ruling.winner
    return None


def _shot_row(record: RackRecord, position: int) -> ShotRow:
    shot = record.entries[position]
    assert isinstance(shot, Shot)
    after = said_of(record.entries, position)
    ruling = final_ruling(shot, after)
    overrides = [entry for entry in after if isinstance(entry, Override)]
    confirmed = any(isinstance(e, Declaration) and e.what in ("confirm", "fact") and e.by == "referee" for e in after)
    protested = any(isinstance(entry, Declaration) and entry.what == "protest" for entry in after)
    before = next((e for e in reversed(record.entries[:position]) if isinstance(e, Shot)), None)
    player = shot.player or record.breaker
    name = next((one.name for one in record.players if one.id == player), player)
    judged_by = overrides[-1].ruling if overrides else None
    return ShotRow(
        rack=record.rack_id,
        number=shot.index,
        started=record.started,
        table_id=record.table_id,
        league=record.rules,
        player=player,
        player_name=name,
        on_break=before is None,
        t_strike=shot.t_strike,
        duration=shot.t_rest - shot.t_strike,
        taken=None if before is None else shot.t_strike - before.t_rest,
        call=ruling.call if ruling else "none",
        fouls=" ".join(foul.code for foul in ruling.fouls) if ruling else "",
        clauses=", ".join(ruling.clauses) if ruling else "",
        potted=sum(e.type == "pocketed" and e.ball != "cue" and e.ball not in shot.layout_after for e in shot.events),
        goes_on=bool(ruling and ruling.next.player == player),
        needs_review=bool(ruling and ruling.needs_review),
        reviewed=bool(overrides) or confirmed,
        overridden=bool(overrides),
        agreed=_agree(ruling, judged_by),
        protested=protested,
        explanation=ruling.explanation if ruling else "; ".join(shot.notes),
    )


def said_of(entries: list[Entry], position: int) -> list[Entry]:
    """What was said of a shot: declarations up to the next stroke, and all that names the shot later."""
    shot = entries[position]
    assert isinstance(shot, Shot)
    found: list[Entry] = []
    still_last = True
    for entry in entries[position + 1 :]:
        if isinstance(entry, Shot):
            still_last = False
        elif isinstance(entry, Override):
            if entry.of_shot == shot.index:
                found.append(entry)
        elif isinstance(entry, Declaration):
            of_shot = (entry.model_extra or {}).get("of_shot")
            if of_shot == shot.index or (of_shot is None and still_last):
                found.append(entry)
    return found


def final_ruling(shot: Shot, after: list[Entry]) -> Ruling | None:
    """The machine's last word on a shot: its own ruling, or the one made again from what was reported of it."""
    again = [
        entry.ruling
        for entry in after
        if isinstance(entry, Declaration) and entry.what in ("foul", "fact") and entry.ruling is not None
    ]
    return again[-1] if again else shot.ruling


def _agree(machine: Ruling | None, person: Ruling | None) -> bool | None:
    """Whether a person's ruling was the machine's; None where no person ruled."""
    if machine is None or person is None:
        return None
    same_fouls = {foul.code for foul in machine.fouls} == {foul.code for foul in person.fouls}
    return machine.call == person.call and same_fouls and machine.winner == person.winner
