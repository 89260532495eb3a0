"""Two processes never watch with one data folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.live.claim import Claim, ClaimedError
from device.terminal import Exit
from tests.device.test_command_line import refused


def test_a_second_watch_is_refused_until_the_first_ends(demo_clip: Path, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text(f'[camera]\nkind = "file"\npath = "{demo_clip}"\n[data]\nfolder = "{tmp_path / "data"}"\n')
    with Claim(tmp_path / "data"):
        refused(Exit.UNREADABLE, "another headstring watches", "run", "--config", config)
        with pytest.raises(ClaimedError):
            Claim(tmp_path / "data")
    Claim(tmp_path / "data").close()


def test_a_folder_that_cannot_be_written_is_no_reason_not_to_watch(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Claim(tmp_path / "file").close()
