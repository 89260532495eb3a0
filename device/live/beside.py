"""What goes on beside the watch, as far as it is wanted: the index and seals, clips, the window to the pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from calibration.calibration import Calibration
from device.clips.masking import mask_of
from device.clips.recorder import ClipRecorder
from device.live.racks import NewEntry
from device.live.window import Window
from record.shot import Shot
from vision.frame import Frame

if TYPE_CHECKING:
    from device.live.keeping import Keeping


_PATIENCE: Final = 120.0


@dataclass(frozen=True)
class Beside:
    """What goes on beside the watch, as far as it is wanted: the index and seals, clips, the window to the pages."""

    keeping: Keeping | None = None
    clips: ClipRecorder | None = None
    window: Window | None = None
    masked: bool = True

    def open(self, calibration: Calibration) -> None:
        """The table is known: clips begin, and the window opens."""
        if self.clips is not None:
            self.clips.masked = mask_of(calibration) if self.masked else None
            self.clips.start()
        if self.window is not None:
            self.window.opened(self.clips.picture if self.clips is not None else lambda: None)

    def looked_at(self, frame: Frame) -> None:
        if self.clips is not None:
            self.clips.take(frame)

    def cut(self, new: NewEntry) -> None:
        """Have a clip of a shot."""
        shot = new.entry
        if self.clips is None or not isinstance(shot, Shot):
            return
        ruling = shot.ruling
        flagged = ruling is not None and (ruling.needs_review or bool(ruling.fouls))
        start, end = shot.t_strike + new.began, shot.t_rest + new.began
        self.clips.cut(new.header.rack_id, shot.index, start, end, flagged=flagged)

    def finish(self) -> None:
        """The source has ended by itself: there is time to write the last clips."""
        if self.clips is not None:
            self.clips.close(_PATIENCE)

    def close(self) -> None:
        if self.clips is not None:
            self.clips.close()
        if self.window is not None:
            self.window.close()
