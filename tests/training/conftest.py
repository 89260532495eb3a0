"""Training needs PyTorch, which the product does not: where it is not installed, these are not collected.

The project's checks install it and run them.
"""

from __future__ import annotations

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("torch") and importlib.util.find_spec("onnx") else ["test_*.py"]
