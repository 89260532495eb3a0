"""A rack's record kept as one document, written whole at each entry: a reader sees the rack up to some entry."""

from __future__ import annotations

from pathlib import Path

from device.files import write_text
from record.document import from_json, to_json
from record.entries import Entry
from record.rack import RackRecord


class DocumentJournal:
    """One rack's file.

    `append` raises OutputError where the disk is full or read-only; the file stays as it was.
    """

    def __init__(self, path: Path, record: RackRecord) -> None:
        self._path, self._record = path, record

    @staticmethod
    def open(path: Path, header: RackRecord) -> DocumentJournal:
        """The rack's file as it is, or a new one.

        Raises:
            OutputError: it cannot be written.
            RecordError: there is a file that is no record.
        """
        if path.exists():
            return DocumentJournal(path, from_json(path.read_text(encoding="utf-8")))
        write_text(path, to_json(header))
        return DocumentJournal(path, header)

    @property
    def record(self) -> RackRecord:
        return self._record

    def append(self, entry: Entry) -> None:
        grown = self._record.model_copy(update={"entries": [*self._record.entries, entry]})
        write_text(self._path, to_json(grown))
        self._record = grown

    def close(self) -> None:
        """The file is whole at any time."""
