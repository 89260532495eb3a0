"""What becomes of a trained network: its weights for going on from, and one self-contained ONNX file in eight bits."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import nn

Field = npt.NDArray[np.floating[Any]]

INPUT: Final = "picture"


def save_weights(network: nn.Module, path: Path) -> None:
    """Writes all weights as half-precision arrays: enough to go on from."""
    arrays: dict[str, Any] = {
        name: value.detach().numpy().astype(np.float16 if value.dtype.is_floating_point else np.int64)
        for name, value in network.state_dict().items()
    }
    np.savez_compressed(path, **arrays)


def load_weights(network: nn.Module, path: Path) -> None:
    """Reads what `save_weights` wrote. Raises RuntimeError where it is another network's."""
    with np.load(path, allow_pickle=False) as data:
        state = {
            name: torch.from_numpy(data[name].astype(np.float32) if data[name].dtype.kind == "f" else data[name])
            for name in data.files
        }
    network.load_state_dict(state)


def export(network: nn.Module, example: torch.Tensor, path: Path, free: dict[int, str]) -> None:
    """Saves `network` in full precision, the axes in `free` (axis → name) of its input left open."""
    network.eval()
    answer = {0: free[0]} | ({2: "rows4", 3: "columns4"} if len(free) > 1 else {})
    with warnings.catch_warnings():
        # The newer exporter needs a package more, and writes the same.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network,
            (example,),
            str(path),
            input_names=[INPUT],
            output_names=["answer"],
            dynamic_axes={INPUT: free, "answer": answer},
            opset_version=17,
            dynamo=False,
        )
    model = onnx.load(str(path))
    onnx.checker.check_model(model)
    onnx.save_model(model, str(path), save_as_external_data=False)


class _Shown(CalibrationDataReader):  # type: ignore[misc, unused-ignore]
    """Hands pictures to the measuring of each layer's range."""

    def __init__(self, pictures: Iterable[Field]) -> None:
        self._left: Iterator[Field] = iter(pictures)

    def get_next(self) -> dict[str, Field] | None:
        picture = next(self._left, None)
        return None if picture is None else {INPUT: picture}


def quantise(full: Path, out: Path, pictures: Iterable[Field]) -> None:
    """Writes the network in `full` with eight-bit weights and activations, their ranges measured on `pictures`.

    Each picture is (N, 3, H, W), float32, 0 to 255. Weights have a scale for each channel (Krishnamoorthi 2018).
    """
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.onnx"
        quant_pre_process(str(full), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready),
            str(out),
            _Shown(pictures),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
        )
    onnx.checker.check_model(onnx.load(str(out)))
