"""What happens to a rack beyond its journal: sealed when it ends, in the index all along, its shots as clips.

None of this may stop a ruling: what fails here is said once and tried again with the next entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from device.clips.budget import Kept
from device.clips.recorder import Shelf, ShelfError
from device.keys import KeyStoreError
from device.live.leftovers import finish
from device.store.library import Library, UnknownRackError
from device.store.opening import StoreError
from device.store.tables import ClipRow
from record.document import RecordError
from record.journal import JournalError
from record.rack import RackRecord


class Keeping:
    """The index and the seals of one data folder; `library` gives the index, None while there is none.

    `seal` may raise KeyStoreError: then the rack is written without a seal, which is said.
    """

    def __init__(
        self,
        folder: Path,
        library: Callable[[], Library | None],
        seal: Callable[[RackRecord], RackRecord],
        complain: Callable[[str], None],
    ) -> None:
        self._folder, self._library, self._seal, self._complain = folder, library, seal, complain
        self._failing = False

    def written(self, record: RackRecord) -> None:
        """An entry is in the journal: bring the index up to it."""
        library = self._library()
        if library is None:
            return
        try:
            library.note(record)
            self._failing = False
        except StoreError as error:
            self._say(f"the index is behind ({error}); records go on")

    def finished(self, record: RackRecord) -> None:
        """A rack has ended: one sealed document in place of its journal.

        Raises:
            JournalError, OutputError: it cannot be written now; then the journal stays and holds all.
        """
        whole = finish(self._folder, record, self._sealed)
        library = self._library()
        if library is None:
            return
        try:
            library.reindex(whole.rack_id)
        except (StoreError, UnknownRackError, RecordError, JournalError, OSError) as error:
            self._say(f"the index is behind ({error}); `headstring store rebuild` makes it again")

    def _sealed(self, record: RackRecord) -> RackRecord:
        try:
            return self._seal(record)
        except KeyStoreError as error:
            self._complain(f"the rack {record.rack_id} is not sealed ({error}); `headstring seal` does it later")
            return record

    def _say(self, text: str) -> None:
        if not self._failing:
            self._complain(text)
        self._failing = True


def shelf_of(library: Callable[[], Library | None]) -> Shelf:
    """Clips as the index notes them."""

    def index() -> Library:
        found = library()
        if found is None:
            raise ShelfError("there is no index now")
        return found

    def kept() -> list[Kept]:
        with _as_shelf():
            return [Kept(row.file, row.made, row.size, row.flagged) for row in index().clips()]

    def add(clip: Kept, rack: str, number: int) -> None:
        row = ClipRow(file=clip.file, rack=rack, number=number, made=clip.made, size=clip.size, flagged=clip.flagged)
        with _as_shelf():
            index().note_clip(row)

    def drop(file: str) -> None:
        with _as_shelf():
            index().forget_clip(file)

    return Shelf(kept, add, drop)


@contextmanager
def _as_shelf() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise ShelfError(str(error)) from None
