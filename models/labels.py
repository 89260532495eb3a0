"""Pictures with their balls marked, as other tools keep them: COCO (one JSON file) and YOLO (a text file a picture).

A folder holds `pictures/` and either `annotations.json` or `labels/` with `classes.txt`. Boxes are those of the balls'
outlines, whole even where something covers a part.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CLASSES: Final = ("cue", *(str(n) for n in range(1, 16)), "ball")
"""The names a box may bear; `ball` for one that nobody can or wants to name."""
UNNAMED: Final = "ball"
PICTURES, COCO, YOLO, YOLO_CLASSES = "pictures", "annotations.json", "labels", "classes.txt"
_MOST_BYTES: Final = 50_000_000


class LabelError(ValueError):
    """Labels that cannot be used; the message names the file and says what is wrong in one sentence."""


@dataclass(frozen=True)
class Box:
    """One ball: its name (of `CLASSES`), left and top edge, width and height, pixels."""

    name: str
    left: float
    top: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, in pixel coordinates whose whole numbers are pixel centres."""
        return self.left + self.width / 2 - 0.5, self.top + self.height / 2 - 0.5


@dataclass(frozen=True)
class Marked:
    """One picture's balls; `picture` is its file's name in the folder's `pictures`."""

    picture: str
    width: int
    height: int
    boxes: tuple[Box, ...]


def write_coco(folder: Path, marked: Sequence[Marked]) -> Path:
    """Writes `annotations.json`; gives its path."""
    images = [{"id": k, "file_name": m.picture, "width": m.width, "height": m.height} for k, m in enumerate(marked, 1)]
    annotations: list[dict[str, Any]] = []
    for k, one in enumerate(marked, 1):
        for box in one.boxes:
            rounded = [round(v, 2) for v in (box.left, box.top, box.width, box.height)]
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": k,
                    "category_id": CLASSES.index(box.name) + 1,
                    "bbox": rounded,
                    "area": round(box.width * box.height, 2),
                    "iscrowd": 0,
                }
            )
    categories = [{"id": k, "name": name, "supercategory": "ball"} for k, name in enumerate(CLASSES, 1)]
    path = folder / COCO
    document = {"images": images, "annotations": annotations, "categories": categories}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return path


def write_yolo(folder: Path, marked: Sequence[Marked]) -> Path:
    """Writes `labels/NAME.txt` for each picture and `classes.txt`; gives the labels' folder."""
    labels = folder / YOLO
    labels.mkdir(parents=True, exist_ok=True)
    (folder / YOLO_CLASSES).write_text("\n".join(CLASSES) + "\n", encoding="utf-8")
    for one in marked:
        lines = [
            f"{CLASSES.index(b.name)} {(b.left + b.width / 2) / one.width:.6f} "
            f"{(b.top + b.height / 2) / one.height:.6f} {b.width / one.width:.6f} {b.height / one.height:.6f}"
            for b in one.boxes
        ]
        (labels / f"{Path(one.picture).stem}.txt").write_text("".join(f"{x}\n" for x in lines), encoding="utf-8")
    return labels


def read(folder: Path, sizes: dict[str, tuple[int, int]]) -> list[Marked]:
    """The marked pictures of a folder, in the order of their names.

    Args:
        folder: with `annotations.json` or `labels/`, not both.
        sizes: width and height of each picture there is, by its file's name.

    Raises:
        LabelError: no labels, both kinds, a damaged file, an unknown class, a box outside its picture, or labels for
            a picture that is not there.
    """
    coco, yolo = folder / COCO, folder / YOLO
    if coco.is_file() and yolo.is_dir():
        raise LabelError(f"{folder} holds both {COCO} and {YOLO}/: keep the one that is right")
    if coco.is_file():
        found = _read_coco(coco, sizes)
    elif yolo.is_dir():
        found = _read_yolo(folder, sizes)
    else:
        raise LabelError(f"{folder} holds no labels: {COCO} (COCO) or {YOLO}/ with {YOLO_CLASSES} (YOLO)")
    for one in found:
        for box in one.boxes:
            _must_fit(box, one)
    return sorted(found, key=lambda m: m.picture)


def _must_fit(box: Box, one: Marked) -> None:
    x, y = box.centre
    if box.width <= 0 or box.height <= 0 or not (0 <= x <= one.width and 0 <= y <= one.height):
        raise LabelError(f"{one.picture}: a box of {box.name!r} at {x:.0f}, {y:.0f} does not lie in the picture")


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise LabelError(f"{path} is too large for labels")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError(f"cannot read {path}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from None


def _read_coco(path: Path, sizes: dict[str, tuple[int, int]]) -> list[Marked]:
    try:
        document = json.loads(_text(path))
        names = {c["id"]: _class(str(c["name"]), path) for c in document["categories"]}
        files = {i["id"]: Path(str(i["file_name"])).name for i in document["images"]}
        boxes: dict[int, list[Box]] = {key: [] for key in files}
        for a in document["annotations"]:
            left, top, width, height = (float(v) for v in a["bbox"])
            boxes[a["image_id"]].append(Box(names[a["category_id"]], left, top, width, height))
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, LabelError):
            raise
        raise LabelError(f"{path} is no COCO file of boxes ({type(error).__name__}: {error})") from None
    return [Marked(file, *_size(file, sizes, path), tuple(boxes[key])) for key, file in files.items()]


def _read_yolo(folder: Path, sizes: dict[str, tuple[int, int]]) -> list[Marked]:
    classes = folder / YOLO_CLASSES
    names = [_class(line.strip(), classes) for line in _text(classes).splitlines() if line.strip()]
    by_stem = {Path(name).stem: name for name in sizes}
    found = []
    for path in sorted((folder / YOLO).glob("*.txt")):
        picture = by_stem.get(path.stem)
        if picture is None:
            raise LabelError(f"{path} has labels for a picture that is not in {PICTURES}/")
        width, height = sizes[picture]
        boxes = [_yolo_box(line, names, width, height, path) for line in _text(path).splitlines() if line.strip()]
        found.append(Marked(picture, width, height, tuple(boxes)))
    return found


def _yolo_box(line: str, names: Sequence[str], width: int, height: int, path: Path) -> Box:
    try:
        number, x, y, w, h = line.split()[:5]
        box = [float(v) for v in (x, y, w, h)]
        name = names[int(number)]
    except (ValueError, IndexError):
        raise LabelError(f"{path}: {line!r} is not `class x y width height` with a known class") from None
    return Box(name, (box[0] - box[2] / 2) * width, (box[1] - box[3] / 2) * height, box[2] * width, box[3] * height)


def _class(name: str, path: Path) -> str:
    if name not in CLASSES:
        raise LabelError(f"{path}: unknown class {name!r}: known are {', '.join(CLASSES)}")
    return name


def _size(file: str, sizes: dict[str, tuple[int, int]], path: Path) -> tuple[int, int]:
    if file not in sizes:
        raise LabelError(f"{path} has labels for {file}, which is not in {PICTURES}/")
    return sizes[file]
