"""What leaves the desk: tables as CSV, a score sheet as PDF, clips, and an evidence bundle that verifies offline."""

from __future__ import annotations

import csv
import io
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response

from device.store import questions
from device.web.bundle import bundle
from device.web.routes.racks import Asked, RackId, read_rack
from device.web.routes.review import Number, clip_path, drawn
from device.web.scoresheet import sheet
from device.web.sending import send_file
from device.web.visitors import TheDesk, Viewer
from record.shot import Shot

router = APIRouter(prefix="/api/v1", tags=["exports"])

_MOST = 100_000
_COLUMNS = (
    ("rack", "rack"),
    ("number", "shot"),
    ("started", "rack started (UTC)"),
    ("table_id", "table"),
    ("league", "league"),
    ("player_name", "player"),
    ("t_strike", "stroke (s)"),
    ("taken", "taken (s)"),
    ("duration", "duration (s)"),
    ("potted", "balls pocketed"),
    ("call", "call"),
    ("fouls", "fouls"),
    ("clauses", "clauses"),
    ("needs_review", "needs review"),
    ("reviewed", "reviewed"),
    ("overridden", "overridden"),
    ("explanation", "explanation"),
)


@router.get("/shots.csv")
def shots_csv(
    desk: TheDesk, person: Viewer, asked: Asked, most: Annotated[int, Query(ge=1, le=_MOST)] = 10_000
) -> Response:
    """Shots as a table, with units in its heading."""
    del person
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([heading for _, heading in _COLUMNS])
    mark, left = None, most
    while left > 0:
        page = questions.shots(desk.library.engine, asked, min(left, 200), mark)
        for row in page.rows:
            writer.writerow([_cell(getattr(row, key)) for key, _ in _COLUMNS])
        left -= len(page.rows)
        mark = page.next
        if mark is None:
            break
    headers = {"content-disposition": 'attachment; filename="shots.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def _cell(value: object) -> object:
    """A value that no spreadsheet takes for a formula."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return "" if value is None else value


@router.get("/racks/{rack_id}/sheet.pdf")
def score_sheet(desk: TheDesk, person: Viewer, rack_id: RackId) -> Response:
    """The rack's score sheet with a diagram of each shot."""
    del person
    headers = {"content-disposition": f'attachment; filename="{rack_id}.pdf"'}
    return Response(sheet(read_rack(desk, rack_id), drawn), media_type="application/pdf", headers=headers)


@router.get("/racks/{rack_id}/shots/{number}/clip.mp4")
def clip(desk: TheDesk, person: Viewer, rack_id: RackId, number: Number, request: Request) -> Response:
    """A shot's clip; one range of it where one is asked for."""
    del person
    record = read_rack(desk, rack_id)
    if all(entry.index != number for entry in record.entries if isinstance(entry, Shot)):
        raise HTTPException(404, "there is no such shot")
    path = clip_path(desk, record.rack_id, number)
    if not path.is_file():
        raise HTTPException(404, "there is no clip of this shot")
    return send_file(path, "video/mp4", request.headers.get("range"))


@router.get("/racks/{rack_id}/bundle.zip")
def evidence(desk: TheDesk, person: Viewer, rack_id: RackId) -> Response:
    """Record, clips, diagrams, the public key, and how to verify them without the network."""
    del person
    record = read_rack(desk, rack_id)
    path = desk.library.path_of(rack_id)
    clips = {e.index: clip_path(desk, record.rack_id, e.index) for e in record.entries if isinstance(e, Shot)}
    data = bundle(record, path, {k: p for k, p in clips.items() if p.is_file()}, drawn, desk.keys)
    headers = {"content-disposition": f'attachment; filename="{rack_id}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)
