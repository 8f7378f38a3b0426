"""A process that was forked computes as its parent does, and files are read again once they changed."""

from __future__ import annotations

import os
import pathlib
import signal
import time

import mmasmt
import numpy as np
import pytest

MODEL = "fda:K=4"


def product() -> float:
    ones = np.ones((64, 64), np.float64)
    return float(np.asarray(mmasmt.matmul(ones, ones, model=MODEL), np.float64).sum())


def status_of(child: int, seconds: float = 60) -> int | None:
    """The exit status of a child; None if it does not end, and is ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_multiplies() -> None:
    expected = product()
    child = os.fork()
    if child == 0:
        # A child of the child as well.
        inner = os.fork()
        same = product() == expected
        if inner == 0:
            os._exit(0 if same else 1)
        os._exit(0 if same and status_of(inner) == 0 else 1)
    assert status_of(child) == 0
    assert product() == expected


def text(factors: str) -> str:
    return f"unit u {{ a, b: {factors}[1] c, d: f32 d = round(sum(a * b, c)) to f32 }}"


def test_an_edited_file_has_its_new_formats(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "u.unit"
    for factors in ["f16", "bf16", "e4m3"]:
        path.write_text(text(factors))
        model = f"unit:{path}"
        assert mmasmt.signature(model).a.format == factors
        found = mmasmt.matmul(np.array([[1.5]]), np.array([[1.0]]), model=model)
        assert float(np.asarray(found, np.float64)[0, 0]) == 1.5
