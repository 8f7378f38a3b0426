"""Chains of fused multiply-adds that are made side by side have the bits of the model, whatever is multiplied."""

from __future__ import annotations

import mmasmt
import numpy as np
import pytest
from mmasmt._emulation import chains, turned

KINDS = ["f16", "bf16", "f32", "wide", "tiny", "cancel", "halfway"]


def operands(kind: str, draw: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    a, b = draw.normal(size=(3, 200, k)).astype("f4"), draw.normal(size=(3, k, 1)).astype("f4")
    if kind == "f16":
        return a.astype("f2").astype("f4"), b.astype("f2").astype("f4")
    if kind == "bf16":
        return tuple((x.view("u4") & 0xFFFF0000).view("f4") for x in (a, b))
    if kind == "wide":
        a = draw.integers(0, 1 << 32, a.shape, dtype=np.uint32)
        a[(a >> 23 & 255) == 255] = 0
        return a.view("f4"), b
    if kind == "tiny":
        return a * np.float32(2.0**-80), b * np.float32(2.0**-66)
    if kind == "cancel":
        a[..., k // 2 :] = -a[..., : k - k // 2]
        b[:, k // 2 :] = b[:, : k - k // 2]
    if kind == "halfway":
        # One and half a unit in its last place, and a little more or less.
        a[...], b[...] = 0, 1
        a[..., 0], a[..., 1] = 1, 2.0**-24
        b[:, 1:2] = 1 + draw.integers(-1, 2, (3, 1, 1)).astype("f4") * np.float32(2.0**-23)
    return a, b


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 9, 49])
def test_chains_have_the_bits_of_the_model(kind: str, k: int) -> None:
    if kind == "halfway" and k == 1:
        pytest.skip("there is one product")
    a, b = operands(kind, np.random.default_rng(KINDS.index(kind) * 100 + k), k)
    wanted = mmasmt.matmul(a, b, model=chains.UNIT)
    found = chains.chained(a, b)
    if found is None:
        assert np.isnan(wanted).any()
    else:
        assert np.array_equal(found.view("u4"), wanted.view("u4"))
    total = turned.sums(a, b, None, unit=chains.UNIT, model=chains.UNIT, threads=1)
    assert np.array_equal(np.ascontiguousarray(total).view("u4"), wanted.view("u4"))


def test_a_nan_is_of_the_model() -> None:
    a, b = operands("f16", np.random.default_rng(0), 9)
    a[0, 0, 0] = np.nan
    assert chains.chained(a, b) is None
    a[0, 0, 0], b[0, 0] = np.inf, 1
    found = chains.chained(a, b)
    assert found is not None and np.isposinf(found[0, 0, 0])
