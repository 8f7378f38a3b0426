"""The code of the pages about whole models, from the first block to the last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

PAGES = Path(__file__).parents[3] / "docs" / "src"


@pytest.mark.parametrize("name", ["whole-models", "fp8-models", "batch-size", "rl"])
def test_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (PAGES / f"{name}.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 1
    exec(compile("\n".join(blocks), name, "exec"), {})
    if name == "whole-models":
        assert "results have other bits" in capsys.readouterr().out
