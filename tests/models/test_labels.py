"""Marked pictures in COCO and YOLO form are read back as they were written; wrong ones are refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from models.labels import Box, LabelError, Marked, read, write_coco, write_yolo

SIZES = {"one.png": (1280, 720), "two.png": (1280, 720)}
MARKED = [
    Marked("one.png", 1280, 720, (Box("cue", 100.0, 50.0, 30.5, 30.25), Box("14", 640.0, 300.0, 28.0, 29.0))),
    Marked("two.png", 1280, 720, (Box("ball", 900.25, 600.5, 31.0, 30.0),)),
]


def close(one: Marked, other: Marked) -> bool:
    return (one.picture, one.width, one.height, len(one.boxes)) == (
        other.picture,
        other.width,
        other.height,
        len(other.boxes),
    ) and all(
        a.name == b.name
        and (a.left, a.top, a.width, a.height) == pytest.approx((b.left, b.top, b.width, b.height), abs=0.01)
        for a, b in zip(one.boxes, other.boxes, strict=True)
    )


@pytest.mark.parametrize("write", [write_coco, write_yolo])
def test_labels_come_back_as_they_were_written(tmp_path: Path, write: Any) -> None:
    write(tmp_path, MARKED)
    found = read(tmp_path, SIZES)
    assert all(close(a, b) for a, b in zip(found, MARKED, strict=True))


def test_the_coco_file_is_what_other_tools_expect(tmp_path: Path) -> None:
    document = json.loads(write_coco(tmp_path, MARKED).read_text())
    assert [c["name"] for c in document["categories"]] == ["cue", *(str(n) for n in range(1, 16)), "ball"]
    assert document["images"][0] == {"id": 1, "file_name": "one.png", "width": 1280, "height": 720}
    assert document["annotations"][1] == {
        "id": 2,
        "image_id": 1,
        "category_id": 15,
        "bbox": [640.0, 300.0, 28.0, 29.0],
        "area": 812.0,
        "iscrowd": 0,
    }


def test_the_yolo_files_are_what_other_tools_expect(tmp_path: Path) -> None:
    labels = write_yolo(tmp_path, MARKED)
    assert (labels / "two.txt").read_text() == "16 0.715430 0.854861 0.024219 0.041667\n"


def test_a_ball_s_centre_is_in_pixel_coordinates() -> None:
    """A box from the left edge of pixel 10 to the right edge of pixel 12 is centred on pixel 11."""
    assert Box("8", 10.0, 20.0, 3.0, 5.0).centre == (11.0, 22.0)


def coco(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = {
        "images": [{"id": 1, "file_name": "one.png", "width": 1280, "height": 720}],
        "categories": [{"id": 1, "name": "8"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [5, 5, 20, 20]}],
    }
    return document | changes


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (coco(categories=[{"id": 1, "name": "dog"}]), "unknown class 'dog'"),
        (coco(images=[{"id": 1, "file_name": "../../etc/passwd"}]), "passwd, which is not in"),
        (coco(annotations=[{"image_id": 9, "category_id": 1, "bbox": [5, 5, 20, 20]}]), "no COCO file"),
        (coco(annotations=[{"image_id": 1, "category_id": 1, "bbox": [5, 5, 20]}]), "no COCO file"),
        (coco(annotations=[{"image_id": 1, "category_id": 1, "bbox": [5000, 5, 20, 20]}]), "does not lie in"),
        (coco(annotations=[{"image_id": 1, "category_id": 1, "bbox": [5, 5, -20, 20]}]), "does not lie in"),
        ([1, 2], "no COCO file"),
    ],
)
def test_wrong_coco_files_are_refused(tmp_path: Path, document: Any, said: str) -> None:
    (tmp_path / "annotations.json").write_text(json.dumps(document))
    with pytest.raises(LabelError, match=said):
        read(tmp_path, SIZES)


@pytest.mark.parametrize(
    ("line", "said"), [("0 0.5 0.5 0.1", "known class"), ("99 0.5 0.5 0.1 0.1", "known class"), ("x", "known class")]
)
def test_wrong_yolo_files_are_refused(tmp_path: Path, line: str, said: str) -> None:
    write_yolo(tmp_path, MARKED)
    (tmp_path / "labels" / "one.txt").write_text(line + "\n")
    with pytest.raises(LabelError, match=said):
        read(tmp_path, SIZES)


def test_labels_of_a_picture_that_is_not_there_are_refused(tmp_path: Path) -> None:
    write_yolo(tmp_path, MARKED)
    with pytest.raises(LabelError, match="not in pictures"):
        read(tmp_path, {"one.png": (1280, 720)})


def test_no_labels_and_two_kinds_of_them_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="holds no labels"):
        read(tmp_path, SIZES)
    write_coco(tmp_path, MARKED)
    write_yolo(tmp_path, MARKED)
    with pytest.raises(LabelError, match="holds both"):
        read(tmp_path, SIZES)
