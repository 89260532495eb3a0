"""The configuration of `headstring run`, one TOML file; what it does not know, it refuses in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator

from adjudication.leagues import BOOKS
from calibration.table import BALL_DIAMETER, UnknownTableError, table_named
from device.alerts.settings import AlertSettings
from device.cameras.settings import AnyCamera, Settings
from device.web.settings import WebSettings


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names the key and says what is wrong in one line."""


class TableSettings(Settings):
    """The table under the camera. Without `calibration` it is found in the camera's picture at the start."""

    name: str = "table-1"
    size: str = "9ft"
    ball: float = BALL_DIAMETER
    head_end: Literal["left", "right", "top", "bottom"] | None = None
    calibration: Path | None = None

    @field_validator("size")
    @classmethod
    def _known(cls, value: str) -> str:
        try:
            table_named(value)
        except UnknownTableError as error:
            raise ValueError(str(error)) from None
        return value


class RulesSettings(Settings):
    """What is played; `options` go into each record. `breaks`: who breaks the next rack."""

    league: str = "upa-9ball"
    options: dict[str, Any] = Field(default_factory=dict)
    breaks: Literal["winner", "alternate"] = "alternate"
    first_breaker: Literal["A", "B"] = "A"

    @field_validator("league")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in BOOKS:
            raise ValueError(f"unknown league {value!r}: known are {', '.join(BOOKS)}")
        return value


class PlayersSettings(Settings):
    a: str = Field(default="Player A", min_length=1, max_length=80)
    b: str = Field(default="Player B", min_length=1, max_length=80)


class DataSettings(Settings):
    """Where records go."""

    folder: Path = Path("/var/lib/headstring")


class LiveSettings(Settings):
    """How the loop runs: `queue` frames may wait for detection; at rest about `rest_rate` a second are looked at.

    `models` is a folder with a venue's own networks (`headstring train`); without it those that ship are used.
    """

    queue: int = Field(default=30, ge=2, le=600)
    rest_rate: float = Field(default=10, ge=5, le=240)
    models: Path | None = None


class ClipSettings(Settings):
    """Clips of shots: `seconds` are held in memory within `memory_mb`; ordinary ones are kept `days`, and make room
    where less than `free_mb` of the disk are free; flagged ones stay, or `flagged_days`; below `last_mb` none is begun.
    """

    seconds: float = Field(default=45, ge=5, le=600)
    memory_mb: int = Field(default=96, ge=8, le=4000)
    width: int = Field(default=960, ge=320, le=3840)
    days: float = Field(default=14, ge=0)
    flagged_days: float | None = Field(default=None, ge=0)
    free_mb: int = Field(default=2000, ge=0)
    last_mb: int = Field(default=300, ge=0)


class HealthSettings(Settings):
    """`metrics_port` serves Prometheus metrics on this machine only, unless `metrics_host` says otherwise."""

    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    metrics_host: str = "127.0.0.1"
    log_file: Path | None = None
    log_bytes: int = Field(default=5_000_000, ge=10_000)


class Config(Settings):
    """Everything that `headstring run` wants to know."""

    camera: AnyCamera
    table: TableSettings = TableSettings()
    rules: RulesSettings = RulesSettings()
    players: PlayersSettings = PlayersSettings()
    data: DataSettings = DataSettings()
    live: LiveSettings = LiveSettings()
    alerts: AlertSettings = AlertSettings()
    health: HealthSettings = HealthSettings()
    clips: ClipSettings | None = None
    web: WebSettings | None = None


def read_config(path: Path) -> Config:
    """Read a configuration.

    Raises:
        ConfigError: the file is missing, is no TOML, or says something unknown or impossible.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from None
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}") from None
    try:
        return Config.model_validate(value)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_first(error)}") from None


def _first(error: ValidationError) -> str:
    found = error.errors()[0]
    where = ".".join(str(part) for part in found["loc"])
    if found["type"] == "extra_forbidden":
        return f"unknown key {where}"
    message = str(found["msg"]).removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
