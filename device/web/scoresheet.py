"""A rack's score sheet as PDF: who played, each shot with its ruling and diagram, who won."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime

from fpdf import FPDF

from adjudication.leagues import BOOKS
from device.store.rows import rows_of
from record.rack import RackRecord


def sheet(record: RackRecord, drawn: Callable[[RackRecord, int], bytes]) -> bytes:
    """The sheet; `drawn` makes a shot's diagram as PNG."""
    rack, shots, _ = rows_of(record, "")
    page = FPDF(format="A4")
    page.set_creation_date(_begun(record))
    page.set_title(f"Rack {record.rack_id}")
    page.set_auto_page_break(True, margin=15)
    page.add_page()
    _line(page, f"{rack.player_a} against {rack.player_b}", 16, bold=True)
    title = BOOKS[record.rules].title if record.rules in BOOKS else record.rules
    names = {"A": rack.player_a, "B": rack.player_b}
    _line(page, f"{title}   table {record.table_id}   {record.started}   rack {record.rack_id}", 9)
    won = f"won by {names[rack.winner]}" if rack.winner else "not finished"
    _line(page, f"{names[rack.breaker]} broke; {won}; {rack.shots} shots, {rack.fouls} with a foul", 11)
    page.ln(3)
    for row in shots:
        if page.get_y() > 190:
            page.add_page()
        flag = "   NEEDS REVIEW" if row.needs_review and not row.reviewed else ""
        ruled = "   overruled by a person" if row.overridden else ""
        _line(
            page,
            f"Shot {row.number + 1}   {row.player_name}   {row.call.replace('_', ' ')}{flag}{ruled}",
            11,
            bold=True,
        )
        _line(page, f"{row.explanation}  [{row.clauses}]", 10)
        page.image(io.BytesIO(drawn(record, row.number)), w=120)
        page.ln(3)
    return bytes(page.output())


def _begun(record: RackRecord) -> datetime:
    """When the rack began: the sheet's date, so that the same rack makes the same sheet."""
    try:
        begun = datetime.fromisoformat(record.started.replace("Z", "+00:00"))
    except ValueError:
        return datetime(2026, 1, 1, tzinfo=UTC)
    return begun if begun.tzinfo is not None else begun.replace(tzinfo=UTC)


def _line(page: FPDF, text: str, size: int, *, bold: bool = False) -> None:
    page.set_font("Helvetica", "B" if bold else "", size)
    page.multi_cell(0, size * 0.5, _plain(text), new_x="LMARGIN", new_y="NEXT")


def _plain(text: str) -> str:
    """Text in the letters that the built-in fonts have; others become a question mark."""
    return text.encode("latin-1", "replace").decode("latin-1")
