"""The code of the pages about whole models, from the first block to the last."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

PAGES = Path(__file__).parents[3] / "docs" / "src"


@pytest.mark.parametrize("name", ["whole-models", "fp8-models", "batch-size", "rl", "audit", "audit-log", "tensor-parallel"])
def test_page(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name.startswith("audit"):
        pytest.importorskip("safetensors", reason="safetensors is not installed: pip install './python[torch]'")
    blocks = re.findall(r"^```python\n(.*?)^```$", (PAGES / f"{name}.md").read_text(), re.MULTILINE | re.DOTALL)
    if find_spec("mmaemu") is None:
        # The plans of this library are in that package.
        blocks = [block for block in blocks if 'library="cublaslt' not in block]
    assert len(blocks) > 1
    exec(compile("\n".join(blocks), name, "exec"), {})
    if name == "whole-models":
        assert "results have other bits" in capsys.readouterr().out
