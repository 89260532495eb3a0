"""Loads the two networks and runs them; a file that cannot be trusted is refused with one clear sentence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from models.onnx_file import FormatError, keeps_its_weights
from models.rectified import CROP_SIZE, GRID_MULTIPLE

Field = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

FINDER_PATH: Final = Path(__file__).with_name("finder.onnx")
NAMER_PATH: Final = Path(__file__).with_name("namer.onnx")

STRIDE: Final = 4
"""Top-view pixels to a side of one of the finder's cells."""
NAMES: Final = 17
"""The sixteen balls in the order of `vision.detections.BALL_NAMES`, then "not a ball"."""

_MOST_BYTES: Final = 5_000_000
_MARKS_WIDE: Final = 3
_SHORTEST: Final = 0.02
_WIDER: Final = 0.98
_FLOOR: Final = 0.13
"""The namer's own standard deviations (crop pixels) are taken times this, and the floor is added in squares: so its
stated 95 % regions hold 95 of 100 balls on drawn pictures (`models.training.honesty`)."""
_TEMPERATURE: Final = 0.82
"""Its name logits are divided by this, which makes the probabilities as likely as they say (same command)."""
_FINDER_OUTPUTS: Final = 4
_NAMER_OUTPUTS: Final = 26


class ModelError(Exception):
    """A network's file is missing, damaged, or not the network it should be."""


@dataclass(frozen=True, eq=False)
class Peaks:
    """Where the finder sees balls, best first: `places` (N, 2), top-view pixels (column, row); `score` (N,) 0 to 1."""

    places: Floats
    score: Floats

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True, eq=False)
class Findings:
    """The finder's answer for one top view, a cell for every 4 × 4 pixels.

    Cell [i, j] is centred on pixel (column 4j + 1.5, row 4i + 1.5).
    `heat` (rows, columns) chance of a ball's centre; `offset` (rows, columns, 2) from the cell's centre to the ball's,
    in top-view pixels (column, row); `cover` (rows, columns) chance that a hand, arm, cue or body hides the cell.
    """

    heat: Field
    offset: Field
    cover: Field

    def peaks(self, least: float = 0.3) -> Peaks:
        """Local maxima of the heat above `least`; two are never nearer than half a ball."""
        around = cv2.dilate(self.heat, np.ones((_MARKS_WIDE, _MARKS_WIDE), dtype=np.uint8))
        rows, columns = np.nonzero((self.heat >= around) & (self.heat > least))
        score = self.heat[rows, columns].astype(np.float64)
        cells = np.column_stack([columns, rows]) * STRIDE + (STRIDE - 1) / 2
        places = (cells + self.offset[rows, columns]).astype(np.float64)
        order = np.argsort(-score, kind="stable")
        return _apart(places[order], score[order], least=1.5 * STRIDE)


def _apart(places: Floats, score: Floats, least: float) -> Peaks:
    """Those that no better one (they come best first) lies nearer to than `least`."""
    close = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) < least
    kept = best_of_close(close)
    return Peaks(places[kept], score[kept])


def best_of_close(close: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of N, the best first, to keep (N,) so that no two are left that are `close` (N, N)."""
    kept = np.ones(len(close), dtype=bool)
    for k in range(1, len(close)):
        kept[k] = not (close[k, :k] & kept[:k]).any()
    return kept


@dataclass(frozen=True, eq=False)
class Names:
    """The namer's answer for N crops; lengths in crop pixels.

    Attributes:
        centre: (N, 2) projection of the ball's centre (mid-exposure for a moving ball), from the crop's corner pixel.
        cov: (N, 2, 2) covariance of `centre`.
        names: (N, 17) probabilities, rows sum to one; the last column is "not a ball".
        covered: (N,) share of the ball's disc that something hides.
        streak: (N, 2) half the way the ball moved during the exposure, known up to its sign (x ≥ 0).
    """

    centre: Floats
    cov: Floats
    names: Floats
    covered: Floats
    streak: Floats


class _Network:
    """One ONNX file on ONNX Runtime, one thread, no spinning."""

    def __init__(self, path: Path, sides: tuple[int | None, int | None], outputs: int) -> None:
        blob = _read(path)
        self.sha256 = hashlib.sha256(blob).hexdigest()
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4
        _must_stand_alone(blob, path)
        try:
            self._session: Any = ort.InferenceSession(blob, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelError(f"{path} is damaged or no self-contained ONNX network: {_first_line(error)}") from error
        inputs, answers = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(answers) != 1 or inputs[0].type != "tensor(float)":
            raise ModelError(f"{path} is not the expected network: it must take one picture and give one answer")
        shape = inputs[0].shape
        fits = (
            len(shape) == 4
            and shape[1] == 3
            and all(want is None or have == want for have, want in zip(shape[2:], sides, strict=True))
        )
        if not fits or len(answers[0].shape) < 2 or answers[0].shape[1] != outputs:
            raise ModelError(f"{path} is not the expected network: it maps {shape} to {answers[0].shape}")
        self._input = inputs[0].name

    def run(self, pictures: Picture) -> Field:
        """Pictures (N, H, W, 3) → the raw answer."""
        planes = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), dtype=np.float32)
        return np.asarray(self._session.run(None, {self._input: planes})[0], dtype=np.float32)


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ModelError(f"{path} is too large for a network of this project ({path.stat().st_size} bytes)")
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the network {path}: {error.strerror or error}") from error


def _must_stand_alone(blob: bytes, path: Path) -> None:
    try:
        alone = keeps_its_weights(blob)
    except FormatError as error:
        raise ModelError(f"{path} is damaged or no ONNX network: it holds {error}") from None
    if not alone:
        raise ModelError(f"{path} takes weights from another file: only a self-contained network is run")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


class Finder:
    """Finds balls and cover in a top view (`models.rectified.TopView`)."""

    def __init__(self, path: Path = FINDER_PATH) -> None:
        """Raises ModelError where the file is not a finder."""
        self._network = _Network(path, (None, None), _FINDER_OUTPUTS)

    @property
    def sha256(self) -> str:
        return self._network.sha256

    def __call__(self, top_view: Picture) -> Findings:
        """Top view (H, W, 3) BGR 0 to 255, H and W multiples of 8 → heat, offsets and cover of H/4 × W/4 cells."""
        height, width = top_view.shape[:2]
        if height % GRID_MULTIPLE or width % GRID_MULTIPLE or top_view.ndim != 3:
            raise ValueError(f"a top view's sides must be multiples of {GRID_MULTIPLE}, not {top_view.shape}")
        answer = self._network.run(top_view[None])[0]
        return Findings(_chance(answer[0]), STRIDE * answer[1:3].transpose(1, 2, 0), _chance(answer[3]))


class Namer:
    """Names balls in crops (`models.rectified.crop_placements`, `cut`) and says where their centres are."""

    def __init__(self, path: Path = NAMER_PATH) -> None:
        """Raises ModelError where the file is not a namer."""
        self._network = _Network(path, (CROP_SIZE, CROP_SIZE), _NAMER_OUTPUTS)

    @property
    def sha256(self) -> str:
        return self._network.sha256

    def __call__(self, crops: Picture) -> Names:
        """Crops (N, 40, 40, 3) BGR 0 to 255; N may be 0."""
        answer = self._network.run(crops) if len(crops) else np.zeros((0, _NAMER_OUTPUTS), dtype=np.float32)
        raw = answer.astype(np.float64)
        return Names(
            raw[:, :2] + (CROP_SIZE - 1) / 2,
            _covariance(raw[:, 2:4], raw[:, 4]),
            _softmax(raw[:, 5 : 5 + NAMES] / _TEMPERATURE),
            _chance(raw[:, 22]),
            _streak(raw[:, 23:26]),
        )


def networks(folder: Path | None = None) -> tuple[Finder, Namer]:
    """The networks that ship, or a venue's own out of its folder.

    Raises:
        ModelError: a file is missing or is not what it should be.
    """
    if folder is None:
        return Finder(), Namer()
    return Finder(folder / FINDER_PATH.name), Namer(folder / NAMER_PATH.name)


def _chance(logit: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -40, 40))))


def _softmax(logits: Floats) -> Floats:
    risen = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(risen / risen.sum(axis=1, keepdims=True))


def _covariance(log_sigma: Floats, turn: Floats) -> Floats:
    sx, sy = _WIDER * (np.exp(np.clip(log_sigma, -6, 4)) + _SHORTEST).T
    both = 0.95 * np.tanh(turn) * sx * sy
    raw = np.stack([np.stack([sx**2, both], axis=-1), np.stack([both, sy**2], axis=-1)], axis=1)
    return np.asarray(raw + np.eye(2) * _FLOOR**2)


def _streak(code: Floats) -> Floats:
    """Undoes the doubled angle in which a streak has no sign."""
    length = np.maximum(code[:, 0], 0)
    angle = np.arctan2(code[:, 2], code[:, 1]) / 2
    return np.column_stack([length * np.cos(angle), length * np.sin(angle)])
