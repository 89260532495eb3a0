"""A trained network's weights come back, and its eight-bit form says what the full one says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from models.loading import FINDER_PATH, NAMER_PATH, Finder, Namer
from models.training import finder, namer
from models.training.export import load_weights, save_weights
from models.training.networks import FinderNetwork, NamerNetwork


@pytest.fixture(scope="module")
def shipped() -> tuple[FinderNetwork, NamerNetwork]:
    found = FinderNetwork(), NamerNetwork()
    load_weights(found[0], FINDER_PATH.with_suffix(".weights.npz"))
    load_weights(found[1], NAMER_PATH.with_suffix(".weights.npz"))
    return found[0].eval(), found[1].eval()


def test_weights_come_back_to_half_precision(tmp_path: Path) -> None:
    torch.manual_seed(3)
    one, other = NamerNetwork(), NamerNetwork()
    save_weights(one, tmp_path / "weights.npz")
    load_weights(other, tmp_path / "weights.npz")
    for name, value in one.state_dict().items():
        assert torch.allclose(value.float(), other.state_dict()[name].float(), atol=1e-3), name


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    save_weights(NamerNetwork(), tmp_path / "weights.npz")
    with pytest.raises(RuntimeError):
        load_weights(FinderNetwork(), tmp_path / "weights.npz")


def test_the_networks_that_ship_are_their_weights(shipped: tuple[FinderNetwork, NamerNetwork]) -> None:
    """What runs in eight bits names and places as the weights beside it do."""
    rng = np.random.default_rng(4)
    crops = rng.integers(0, 255, (16, 40, 40, 3), dtype=np.uint8)
    planes = torch.from_numpy(crops).permute(0, 3, 1, 2).float()
    with torch.no_grad():
        full = shipped[1](planes).numpy()
    said = Namer()(crops)
    assert np.abs(said.centre - 19.5 - full[:, :2]).mean() < 1.0
    assert (said.names.argmax(axis=1) == full[:, 5:22].argmax(axis=1)).mean() > 0.8


def test_what_is_written_is_what_the_device_loads(tmp_path: Path, shipped: tuple[FinderNetwork, NamerNetwork]) -> None:
    rng = np.random.default_rng(5)
    windows = [rng.integers(0, 255, (160, 160, 3), dtype=np.uint8) for _ in range(3)]
    finder.write(shipped[0], tmp_path / "finder.onnx", iter(windows))
    namer.write(shipped[1], tmp_path / "namer.onnx", torch.zeros(8, 3, 40, 40, dtype=torch.uint8))
    assert Finder(tmp_path / "finder.onnx")(np.zeros((160, 320, 3), dtype=np.uint8)).heat.shape == (40, 80)
    assert len(Namer(tmp_path / "namer.onnx")(np.zeros((5, 40, 40, 3), dtype=np.uint8)).names) == 5
    assert (tmp_path / "finder.onnx").stat().st_size < 700_000
