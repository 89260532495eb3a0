"""The journal: what was committed stays through cuts, kills, full disks and strangers; nothing is invented."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from record.chain import canonical, next_link
from record.entries import Entry, Observation
from record.journal import DamagedJournalError, Journal, JournalBusyError, JournalError, read_journal
from record.rack import RackRecord
from tests.adjudication.racks import layout, rack, says, shot

HEADER = rack("upa-9ball")
ENTRIES: list[Entry] = [
    shot(0, "A", "cue>1 2|left 5|foot 7|right", layout()),
    says(16.0, "B", "push_out"),
    Observation(t=17.0, what="view_blocked"),
    shot(1, "B", "cue>3", layout(cue=(-0.3, 0.1))),
]


def _no_sync(handle: int) -> None:
    """For tests that cut no power."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.create(tmp_path / "rack.journal", HEADER, _no_sync) as made:
        yield made


def _whole(path: Path, count: int = len(ENTRIES)) -> bytes:
    with Journal.create(path, HEADER, _no_sync) as made:
        for entry in ENTRIES[:count]:
            made.append(entry)
    return path.read_bytes()


def test_what_is_appended_is_read_back(journal: Journal) -> None:
    for entry in ENTRIES:
        journal.append(entry)
    assert read_journal(journal.path).entries == journal.record.entries == ENTRIES


def test_each_entry_is_synced_before_append_returns(tmp_path: Path) -> None:
    synced: list[int] = []
    path = tmp_path / "rack.journal"
    journal = Journal.create(path, HEADER, lambda handle: synced.append(os.fstat(handle).st_size))
    before = len(synced)
    journal.append(ENTRIES[0])
    assert len(synced) == before + 1
    assert synced[-1] == path.stat().st_size
    journal.close()


def test_cut_at_any_byte_at_most_the_entry_in_progress_is_lost(tmp_path: Path) -> None:
    data = _whole(tmp_path / "whole.journal")
    ends = [k + 1 for k, byte in enumerate(data) if byte == ord("\n")]
    path = tmp_path / "cut.journal"
    for cut in range(ends[0], len(data) + 1):
        path.write_bytes(data[:cut])
        committed = sum(end <= cut for end in ends) - 1
        reopened, repair = Journal.reopen(path, _no_sync)
        with reopened:
            assert reopened.record.entries == ENTRIES[:committed]
            assert (repair is None) == (cut in ends)
            if committed < len(ENTRIES):
                reopened.append(ENTRIES[committed])
        assert read_journal(path).entries == ENTRIES[: committed + 1]
        for left in tmp_path.glob("cut.journal.torn-*"):
            left.unlink()


def test_a_journal_has_its_name_only_with_its_header_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "rack.journal"
    names_at_sync: list[bool] = []
    Journal.create(path, HEADER, lambda handle: names_at_sync.append(path.exists())).close()
    assert names_at_sync == [False, True]
    assert [left.name for left in tmp_path.iterdir()] == ["rack.journal"]


def test_a_journal_that_cannot_be_begun_leaves_nothing(tmp_path: Path) -> None:
    def sync(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(JournalError, match="No space left"):
        Journal.create(tmp_path / "rack.journal", HEADER, sync)
    assert list(tmp_path.iterdir()) == []


def test_a_repair_is_said_and_what_was_cut_off_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "rack.journal"
    data = _whole(path)
    path.write_bytes(data[:-20])
    reopened, repair = Journal.reopen(path, _no_sync)
    reopened.close()
    assert repair is not None
    assert "broke off after 3 entries" in repair.text
    assert data.endswith(repair.kept.read_bytes() + data[-20:])


def test_a_cut_header_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "rack.journal"
    data = _whole(path)
    path.write_bytes(data[:30])
    with pytest.raises(DamagedJournalError, match="no sound header"):
        Journal.reopen(path)


def test_a_repair_is_cut_off_only_when_it_is_kept_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "rack.journal"
    data = _whole(path)
    path.write_bytes(data[:-20])
    sizes: list[int] = []
    reopened, _ = Journal.reopen(path, lambda handle: sizes.append(path.stat().st_size))
    reopened.close()
    assert sizes == [len(data) - 20, len(data) - 20, data[:-1].rfind(b"\n") + 1]


def test_a_changed_bit_anywhere_is_noticed(tmp_path: Path) -> None:
    """In the last line it is repaired as an entry that was damaged and kept; before it, it is an error."""
    path = tmp_path / "rack.journal"
    data = _whole(path)
    last = data[:-1].rfind(b"\n") + 1
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        if at < last:
            with pytest.raises(DamagedJournalError):
                read_journal(path)
        else:
            _last_entry_is_lost_in_the_open(path)


def _last_entry_is_lost_in_the_open(path: Path) -> None:
    try:
        reopened, repair = Journal.reopen(path, _no_sync)
    except DamagedJournalError:
        return
    reopened.close()
    assert reopened.record.entries == ENTRIES[:-1]
    assert repair is not None
    assert "after 3 entries" in repair.text
    repair.kept.unlink()


@pytest.mark.parametrize("bit", range(8))
def test_a_checksum_and_a_line_end_count_bit_by_bit(tmp_path: Path, bit: int) -> None:
    """Hexadecimal digits in capitals are not what was written; a lost line end joins two sound lines."""
    path = tmp_path / "rack.journal"
    data = _whole(path)
    second, last = data.find(b"\n") + 1, data[:-1].rfind(b"\n")
    for at in [*range(second, second + 11), last]:
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        with pytest.raises(DamagedJournalError):
            Journal.reopen(path)


def test_damage_in_the_middle_is_named_with_the_record_up_to_it(tmp_path: Path) -> None:
    path = tmp_path / "rack.journal"
    lines = _whole(path).split(b"\n")
    lines[2] = lines[2][:-5] + b"xxxxx"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(DamagedJournalError, match=r"entry 1 .* is damaged") as caught:
        Journal.reopen(path)
    assert caught.value.entry == 1
    assert caught.value.beginning is not None
    assert caught.value.beginning.entries == ENTRIES[:1]


def test_an_entry_of_a_later_version_is_no_damage_and_is_not_cut_off(tmp_path: Path) -> None:
    """After a rollback the older version must leave what it does not understand alone."""
    path = tmp_path / "rack.journal"
    data = _whole(path)
    value = {"type": "hologram", "t": 90.0}
    link = next_link(data.splitlines()[-1].split(b" ")[2].decode(), value)
    rest = link.encode() + b" " + canonical(value)
    path.write_bytes(data + b"5 %08x %s\n" % (zlib.crc32(rest), rest))
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"entry 4 .* does not know; update headstring"):
        Journal.reopen(path)
    assert path.read_bytes() == before


def test_an_entry_put_in_with_a_right_checksum_does_not_fit_the_chain(tmp_path: Path) -> None:
    one, two = tmp_path / "one.journal", tmp_path / "two.journal"
    lines = _whole(one).split(b"\n")
    with Journal.create(two, HEADER, _no_sync) as other:
        other.append(ENTRIES[3])
    lines[1] = two.read_bytes().split(b"\n")[1]
    one.write_bytes(b"\n".join(lines))
    with pytest.raises(DamagedJournalError):
        read_journal(one)


def test_two_writers_of_one_journal_are_refused(journal: Journal) -> None:
    with pytest.raises(JournalBusyError, match="another process"):
        Journal.reopen(journal.path)


def test_an_existing_journal_is_not_begun_again(journal: Journal) -> None:
    with pytest.raises(JournalError, match="exists"):
        Journal.create(journal.path, HEADER)


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot begin the journal"):
        Journal.create(tmp_path / "none" / "rack.journal", HEADER)


def test_on_a_full_disk_the_journal_stays_whole_and_goes_on_when_there_is_space(tmp_path: Path) -> None:
    """The process may not make files larger than a bit more than the journal: the write breaks off in the middle."""
    path = tmp_path / "rack.journal"
    journal = Journal.create(path, HEADER, _no_sync)
    journal.append(ENTRIES[0])
    size = path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40, hard))
        with pytest.raises(JournalError, match="cannot write the journal"):
            journal.append(ENTRIES[1])
        assert path.stat().st_size == size
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    journal.append(ENTRIES[1])
    journal.close()
    assert read_journal(path).entries == ENTRIES[:2]


def test_a_sync_that_fails_takes_the_entry_back(tmp_path: Path) -> None:
    fails = [False]

    def sync(handle: int) -> None:
        if fails[0]:
            raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "rack.journal"
    with Journal.create(path, HEADER, sync) as journal:
        fails[0] = True
        with pytest.raises(JournalError, match="Input/output"):
            journal.append(ENTRIES[0])
        fails[0] = False
        assert read_journal(path).entries == []
        journal.append(ENTRIES[0])
    assert read_journal(path).entries == ENTRIES[:1]


def test_after_an_interrupt_the_next_entry_is_kept(tmp_path: Path) -> None:
    """The interrupt comes when the line is written and not yet said to be committed."""
    interrupts = [False]

    def sync(handle: int) -> None:
        if interrupts[0]:
            raise KeyboardInterrupt

    path = tmp_path / "rack.journal"
    with Journal.create(path, HEADER, sync) as journal:
        interrupts[0] = True
        with pytest.raises(KeyboardInterrupt):
            journal.append(ENTRIES[0])
        interrupts[0] = False
        journal.append(ENTRIES[1])
    assert read_journal(path).entries == [ENTRIES[1]]


def test_what_a_failed_write_left_is_cut_off_before_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that refuses the write in its middle and then the cut as well, for a while."""
    path = tmp_path / "rack.journal"
    with Journal.create(path, HEADER, _no_sync) as journal:
        with monkeypatch.context() as broken:
            broken.setattr(os, "write", _HalfWrites(os.write))
            broken.setattr(os, "ftruncate", _refuses)
            for _ in range(2):
                with pytest.raises(JournalError, match="Input/output error"):
                    journal.append(ENTRIES[0])
        assert not path.read_bytes().endswith(b"\n")
        journal.append(ENTRIES[1])
    assert read_journal(path).entries == [ENTRIES[1]]


class _HalfWrites:
    """Writes forty bytes of a line; then the disk fails."""

    def __init__(self, write: Callable[[int, bytes], int]) -> None:
        self._write, self._begun = write, False

    def __call__(self, handle: int, data: bytes) -> int:
        if self._begun:
            _refuses()
        self._begun = True
        return self._write(handle, data[:40])


def _refuses(*_: object) -> None:
    raise OSError(errno.EIO, "Input/output error")


def test_a_closed_journal_says_so(journal: Journal) -> None:
    journal.close()
    with pytest.raises(JournalError, match="is closed"):
        journal.append(ENTRIES[0])


def test_on_a_device_that_is_full_nothing_is_committed_until_it_is_not(journal: Journal) -> None:
    """The kernel's own full device in the file's place: it refuses the write, and cannot be cut either."""
    journal.append(ENTRIES[0])
    handle = journal._handle
    kept, full = os.dup(handle), os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, handle)
    with pytest.raises(JournalError, match="No space left"):
        journal.append(ENTRIES[1])
    os.dup2(kept, handle)
    journal.append(ENTRIES[1])
    assert read_journal(journal.path).entries == ENTRIES[:2]
    os.close(kept)
    os.close(full)


def test_a_folder_that_takes_no_files_is_one_sentence() -> None:
    """The kernel lets nobody make files in /sys, not even root."""
    with pytest.raises(
        JournalError, match=r"cannot begin the journal /sys/rack.journal: (Read-only|Permission denied)"
    ):
        Journal.create(Path("/sys/rack.journal"), HEADER)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(("kills", "first", "longest"), [(80, 0, 0.006), (500, 1, 0.006)])
def test_killed_at_any_moment_no_committed_entry_is_lost_and_none_invented(
    tmp_path: Path, kills: int, first: int, longest: float
) -> None:
    """Writers, each killed at a random moment, some before they began; each said over a pipe what it had committed."""
    rng = random.Random(4)
    for number in range(kills):
        path = tmp_path / f"{number}.journal"
        acknowledged = _killed_writer(path, first, rng.uniform(0.0, longest))
        assert path.exists() or acknowledged == 0
        if path.exists():
            reopened, _ = Journal.reopen(path, _no_sync)
            reopened.close()
            there = reopened.record.entries
            assert len(there) in (acknowledged, acknowledged + 1)
            assert there == [_numbered(k) for k in range(len(there))]
        for left in tmp_path.iterdir():
            left.unlink()


def _numbered(k: int) -> Entry:
    return Observation.model_validate(
        {"t": float(k), "what": "shot_clock", "number": k, "padding": "x" * (37 * k % 900)}
    )


def _killed_writer(path: Path, first: int, after: float) -> int:
    """How many entries a writer had said to have committed when it was killed, `after` seconds from the first ones."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            journal = Journal.create(path, HEADER, _no_sync)
            for k in range(10_000):
                journal.append(_numbered(k))
                os.write(writable, b".")
        finally:
            os._exit(0)
    os.close(writable)
    said = len(os.read(readable, first))
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while data := os.read(readable, 65536):
        said += len(data)
    os.close(readable)
    return said


def test_a_record_is_the_same_through_a_journal(tmp_path: Path) -> None:
    record: RackRecord = rack("upa-9ball", *ENTRIES)
    with Journal.create(tmp_path / "rack.journal", record, _no_sync):
        pass
    assert read_journal(tmp_path / "rack.journal") == record
