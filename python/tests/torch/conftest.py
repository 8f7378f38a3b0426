"""These tests are for PyTorch: they are skipped where it is not installed."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
