"""Writes a trained network as one self-contained ONNX file."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from torch import nn


def export(network: nn.Module, example: torch.Tensor, path: Path, free: dict[int, str]) -> None:
    """Saves `network` with the axes in `free` (axis → name) of its input left open; weights inside the file."""
    network.eval()
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=["picture"],
        output_names=["answer"],
        dynamic_axes={"picture": free, "answer": {0: free[0]} | ({2: "rows4", 3: "columns4"} if len(free) > 1 else {})},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(path))
    onnx.checker.check_model(model)
    onnx.save_model(model, str(path), save_as_external_data=False)
