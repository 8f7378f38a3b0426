"""The code of the pages about whole models, from the first block to the last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

PAGES = Path(__file__).parents[3] / "docs" / "src"


@pytest.mark.parametrize("name", ["whole-models", "fp8-models", "batch-size", "rl", "audit", "tensor-parallel"])
def test_page(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "audit":
        pytest.importorskip("safetensors", reason="safetensors is not installed: pip install './python[torch]'")
    blocks = re.findall(r"^```python\n(.*?)^```$", (PAGES / f"{name}.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 1
    exec(compile("\n".join(blocks), name, "exec"), {})
    if name == "whole-models":
        assert "results have other bits" in capsys.readouterr().out
