"""Which /dev/video is which camera: names that stay (by-id), and finding a camera again under another number."""

from __future__ import annotations

from pathlib import Path

from device.cameras.camera import CameraError

BY_ID = Path("v4l/by-id")
_CAPTURE = "video-index0"


def find_device(wanted: str, dev: Path = Path("/dev")) -> Path:
    """The device file that `wanted` means now.

    `wanted` is a `/dev/v4l/by-id/…` path, a part of such a name, a `/dev/videoN`, or `auto` for the only USB camera.

    Raises:
        CameraError: there is none, or more than one; the message lists what is there.
    """
    cameras = stable_names(dev)
    if wanted == "auto":
        return _only(cameras, dev)
    path = Path(wanted) if Path(wanted).is_absolute() else dev / wanted
    if path.exists():
        return path.resolve()
    fitting = {name: device for name, device in cameras.items() if Path(wanted).name in name}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    raise CameraError(f"no camera {wanted}: {_there_are(cameras)}")


def stable_names(dev: Path = Path("/dev")) -> dict[str, Path]:
    """Names by which cameras keep being known → the device file they are now; only ends that give pictures."""
    folder = dev / BY_ID
    links = sorted(folder.iterdir()) if folder.is_dir() else []
    return {link.name: link.resolve() for link in links if link.name.endswith(_CAPTURE) and link.resolve().exists()}


def lasting_name(device: Path, dev: Path = Path("/dev")) -> str:
    """The name under which to look for this device again; the device itself where it has none."""
    return next((name for name, there in stable_names(dev).items() if there == device.resolve()), str(device))


def _only(cameras: dict[str, Path], dev: Path) -> Path:
    if len(cameras) == 1:
        return next(iter(cameras.values()))
    bare = sorted(dev.glob("video[0-9]*"))
    if not cameras and len(bare) == 1:
        return bare[0]
    raise CameraError(f"which camera? {_there_are(cameras)}")


def _there_are(cameras: dict[str, Path]) -> str:
    if not cameras:
        return "none is connected; plug one in, and see that the user is in the group video"
    return "connected are " + ", ".join(sorted(cameras)) + "; name one with camera.device"
