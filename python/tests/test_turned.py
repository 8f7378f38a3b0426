"""Units that give the same register with both factors exchanged: each is proved so, and the one that does not is refuted."""

from __future__ import annotations

from pathlib import Path

import mmasmt
import numpy as np
import pytest
from mmasmt import _schema as schema
from mmasmt._ask import ask
from mmasmt._emulation import turned, units

ALIKE = sorted(unit for unit in units.models() if unit in turned.NOT_SYMMETRIC or turned.is_symmetric(unit))


@pytest.mark.parametrize("unit", ALIKE)
def test_units_are_symmetric(unit: str, tmp_path: Path) -> None:
    """For all registers, NaN and infinities among them."""
    kinds = mmasmt.signature(unit)
    a, b = ([f"{name}{i}" for i in range(kinds.products)] for name in "ab")
    lines = [f"(declare-const {x} (_ BitVec {kinds.a.width}))" for x in a + b]
    lines.append(f"(declare-const c (_ BitVec {kinds.c.width}))")
    lines.append(f"(assert (distinct (f {' '.join(a + b)} c) (f {' '.join(b + a)} c)))")
    claim = tmp_path / "symmetric.smt2"
    claim.write_text("\n".join(lines))
    found = ask(schema.ProveClaim, "prove", claim=str(claim), function=f"f={unit}")
    assert found["verdict"] == ("refuted" if unit in turned.NOT_SYMMETRIC else "proved")


@pytest.mark.parametrize("unit", ["hopper/wgmma.m64nNk16.f32.f16.f16", "sfma:fmt=f32", "hopper/mma.m16n8k16.f64.f64.f64.f64"])
@pytest.mark.parametrize("n", [1, 7, 31, 32])
def test_turned_products_have_the_same_bits(unit: str, n: int) -> None:
    draw, kinds = np.random.default_rng(n), mmasmt.signature(unit)
    kind, wide = {"f16": ("f2", "u4"), "f32": ("f4", "u4"), "f64": ("f8", "u8")}[kinds.a.format]
    a, b = draw.normal(size=(1, 40, 70)).astype(kind), draw.normal(size=(1, 70, n)).astype(kind)
    a[0, 3, 5], b[0, 9, 0], a[0, 1, 2], start = np.nan, -np.inf, np.inf, draw.normal(size=(1, 40, n)).astype(wide.replace("u", "f"))
    for model in (unit, f"splitk({unit}):S=3,tile=16"):
        own = None if "splitk" in model else start
        found = turned.sums(a, b, own, unit=unit, model=model, threads=1)
        wanted = mmasmt.matmul(a, b, own, model=model, threads=1)
        assert np.array_equal(np.ascontiguousarray(found).view(wide), wanted.view(wide))
