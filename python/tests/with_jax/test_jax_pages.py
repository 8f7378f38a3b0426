"""The code of the page about JAX, from the first block to the last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="JAX is not installed: pip install './python[jax]'")

PAGE = Path(__file__).parents[3] / "docs" / "src" / "jax.md"


def test_page(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 4
    exec(compile("\n".join(blocks), "jax", "exec"), {})
    text = capsys.readouterr().out
    for expected in (
        "results have other bits",
        "XLA chooses between cuBLAS, Triton",
        "lu of float32[3,3] is not emulated for H100: ",
        "1 x lu: computed by this processor, not emulated",
    ):
        assert expected in text
    # More parts, smaller errors.
    errors = [float(value) for value in re.findall(r"largest error (\S+)", text)]
    assert errors[0] > 3 * errors[1] > 9 * errors[2]
