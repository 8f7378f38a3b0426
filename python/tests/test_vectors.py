"""Vectors that others computed, through the arrays of Python."""

import os
import re
from pathlib import Path

import mmasmt
import numpy as np
import pytest
from mmasmt import _native
from mmasmt._formats import container

SHARED = Path(__file__).parents[3] / "shared"


def rows(text: str) -> list[int]:
    return [int(word, 16) for word in text.split(",")]


def check(path: Path, model: str) -> tuple[int, int]:
    """How many vectors of a file the model reproduces, and does not."""
    kinds = mmasmt.signature(model)
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]

    def column(at: int, width: int, length: int) -> np.ndarray:
        padded = [(values + [0] * length)[:length] for values in (rows(line[at]) for line in lines)]
        return np.array(padded, container(width))

    k = kinds.products
    scales = {}
    if kinds.scale is not None:
        blocks = k // kinds.block
        scales = {name: column(at, kinds.scale.width, blocks) for name, at in (("scale_a", 3), ("scale_b", 4))}
    c = column(0, kinds.c.width, 1)[:, 0]
    d = mmasmt.dot(column(1, kinds.a.width, k), column(2, kinds.b.width, k), c, model=model, **scales)
    expected = np.array([int(line[-1], 16) for line in lines], container(kinds.d.width))
    same = int(np.sum(d.view(expected.dtype) == expected))
    return same, len(lines) - same


def test_the_newest_vectors_of_mma_sim() -> None:
    index = SHARED / "mma-sim-2-vectors" / "index.tsv"
    if not index.exists():
        assert not os.environ.get("MMASMT_TOOLS"), f"{index} is missing, as MMASMT_TOOLS is set"
        pytest.skip(f"{index} is not there")
    _, text = _native.command(["check", "--index", str(index)])
    files = re.findall(r"^(\S+): \d+ passed, \d+ failed +\[(\S+)\]", text, re.MULTILINE)
    assert len(files) == 316
    counts = np.array([check(Path(path), model) for path, model in files])
    # Mistakes of that program, and other NaNs than those of DMMA: tests/findings/shared_vectors.rs names them.
    assert counts.sum(axis=0).tolist() == [45_140, 20]
