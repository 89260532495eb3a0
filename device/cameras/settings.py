"""What the configuration says of a camera, one model a kind; unknown keys are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """A part of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class FileCamera(Settings):
    """A video file replayed as if it were live."""

    kind: Literal["file"]
    path: Path
    speed: Literal["live", "fast"] = "live"
    times: int = Field(default=1, ge=1)
    """How often the file is played, one after the other."""


class V4l2Camera(Settings):
    """A USB camera. `device` is best a `/dev/v4l/by-id/…` path: `/dev/video0` may be another camera tomorrow."""

    kind: Literal["v4l2"]
    device: str = "auto"
    width: int = Field(default=1280, ge=160, le=8192)
    height: int = Field(default=720, ge=120, le=8192)
    rate: float = Field(default=60, gt=0, le=240)
    format: Literal["MJPG", "YUYV"] = "MJPG"
    exposure_us: float | None = Field(default=2000, gt=0)
    gain: float | None = Field(default=None, ge=0)


class RtspCamera(Settings):
    """A network camera. `transport` tcp loses nothing on the way; udp is a little faster."""

    kind: Literal["rtsp"]
    url: str = Field(pattern=r"^rtsps?://")
    transport: Literal["tcp", "udp"] = "tcp"
    open_timeout: float = Field(default=10, gt=0)
    read_timeout: float = Field(default=5, gt=0)


class GstreamerCamera(Settings):
    """Any GStreamer pipeline that ends in raw video; what follows it (conversion, sink) is added."""

    kind: Literal["gstreamer"]
    pipeline: str = Field(min_length=1)
    start_timeout: float = Field(default=15, gt=0)


class PiCamera(Settings):
    """A Raspberry Pi camera module through picamera2; `preset` names the sensor and its mode."""

    kind: Literal["picamera2"]
    preset: Literal["imx296", "imx708", "imx708-wide", "imx708-fast", "imx708-fast-wide", "imx477", "imx219"] = "imx296"
    number: int = Field(default=0, ge=0)
    exposure_us: int | None = Field(default=1000, gt=0)
    gain: float | None = Field(default=None, gt=0)
    mains: Literal[50, 60, 0] = 50
    """Frequency of the lamps' supply, for the automatic exposure's flicker avoidance; 0 for direct current."""


AnyCamera = Annotated[
    FileCamera | V4l2Camera | RtspCamera | GstreamerCamera | PiCamera,
    Field(discriminator="kind"),
]
