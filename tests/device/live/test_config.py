"""The configuration: the documented example is right and whole, and what is wrong is refused in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import device
from device.alerts.settings import GpioSettings, MqttSettings, WebhookSettings
from device.cameras.settings import FileCamera, GstreamerCamera, PiCamera, RtspCamera, V4l2Camera
from device.live.config import Config, ConfigError, read_config

EXAMPLE = Path(device.__file__).parents[1] / "deploy" / "headstring.toml"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "c.toml"
    path.write_text(text, encoding="utf-8")
    return path


CAMERA = '[camera]\nkind = "picamera2"\n'


def test_the_example_is_read() -> None:
    config = read_config(EXAMPLE)
    assert isinstance(config.camera, PiCamera)
    assert config == Config.model_validate(
        {
            "camera": {"kind": "picamera2"},
            "table": {"size": "9ft"},
            "rules": {"league": "upa-9ball"},
            "clips": {},
            "web": {},
        }
    )


def uncommented(section: str) -> list[dict[str, Any]]:
    """The example's section with its comments taken as settings; one for each `kind`."""
    lines, inside = [], False
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        plain = line.lstrip("# ")
        if plain.startswith("[") and plain.rstrip().endswith("]"):
            inside = plain.startswith(f"[{section}]")
        elif inside and "=" in plain and not plain.startswith("-"):
            lines.append(plain)
    text = "\n".join(lines)
    parts = text.split("kind = ") if "kind = " in text else [text]
    return [tomllib.loads(("kind = " if len(parts) > 1 else "") + part) for part in parts if part.strip()]


@pytest.mark.parametrize("model", [FileCamera, V4l2Camera, RtspCamera, GstreamerCamera, PiCamera])
def test_the_example_explains_every_key_of_every_camera(model: type[BaseModel]) -> None:
    kind = model.model_fields["kind"].annotation
    shown = next(one for one in uncommented("camera") if f"'{one['kind']}'" in str(kind))
    assert set(shown) == set(model.model_fields)
    model.model_validate(shown)


@pytest.mark.parametrize(
    ("section", "model"),
    [
        ("alerts.mqtt", MqttSettings),
        ("alerts.webhook", WebhookSettings),
        ("alerts.gpio", GpioSettings),
        *[
            (name, next(iter(get_args(field.annotation)), field.annotation))
            for name, field in Config.model_fields.items()
            if name not in ("camera", "alerts")
        ],
    ],
)
def test_the_example_explains_every_key(section: str, model: type[BaseModel]) -> None:
    (shown,) = uncommented(section)
    assert set(shown) == set(model.model_fields)
    model.model_validate(shown)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CAMERA + "colour = 1\n", "unknown key camera.picamera2.colour"),
        (CAMERA + '[rules]\nleague = "chess"\n', "rules.league: unknown league 'chess'"),
        (CAMERA + '[table]\nsize = "12ft"\n', "table.size: unknown table '12ft'"),
        (CAMERA + "[live]\nqueue = 0\n", "live.queue"),
        ('[camera]\nkind = "webcam"\n', "camera"),
        ("", "camera: Field required"),
        ("[camera\n", "is no TOML"),
        (CAMERA + "[alerts.mqtt]\nport = 1\n", "alerts.mqtt.host"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_the_key(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        read_config(written(tmp_path, text))
    assert says in str(error.value)
    assert "\n" not in str(error.value).strip() or "TOML" in str(error.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        read_config(tmp_path / "none.toml")
