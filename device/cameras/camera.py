"""What a camera is to the live loop: it is opened, hands over frames, can be locked, tells its facts, is closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vision.frame import Frame


class CameraError(Exception):
    """A camera that cannot be opened or set up; the message is one sentence that says what to do."""


class CameraLostError(CameraError):
    """A camera that worked and does not any more: it may come back."""


class CameraGoneError(CameraError):
    """A camera that did not come back in any of the tries allowed: only a new process may help."""


class SourceEndedError(Exception):
    """The end of a source that has one (a file)."""


@dataclass(frozen=True)
class CameraFacts:
    """What a camera really does, as far as it tells.

    `rate` is measured from the frames' own times, frames a second; `nominal_rate` is what was asked for. `exposure_us`
    in microseconds. `locked` is true once exposure, gain and white balance are seen to be fixed, None where the camera
    does not tell.
    """

    name: str
    size: tuple[int, int] | None = None
    layout: str = "?"
    nominal_rate: float | None = None
    rate: float | None = None
    exposure_us: float | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    locked: bool | None = None


class Camera(Protocol):
    """One camera.

    Times of frames are seconds since the first one since `open`, by the camera's own monotonic clock where it has one.
    """

    def open(self) -> None:
        """Start it.

        Raises:
            CameraError: no such camera, no such library, or it refuses the settings.
        """

    def next_frame(self, timeout: float) -> Frame | None:
        """The next frame; None where none came within `timeout` seconds.

        Raises:
            CameraLostError: the camera is gone.
            SourceEndedError: the source has come to its end.
        """

    def lock(self) -> None:
        """Hold exposure, gain and white balance as they are now (during a shot)."""

    def unlock(self) -> None:
        """Let the camera measure the light again (between shots)."""

    def facts(self) -> CameraFacts:
        """What is known of it now."""

    def close(self) -> None:
        """Stop it and give everything back; may be called at any time, more than once."""
