"""`tolerance` and `bias`, with everything that they say of random operands computed again from these operands by Fractions and NumPy."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import mmasmt

UNIT = "H100/HMMA.16816.F32"
K = 64


def test_shares_are_those_of_kernels_written_in_numpy(tmp_path: Path) -> None:
    file = tmp_path / "drawn.npz"
    found = mmasmt.tolerance(UNIT, k=K, range=(3, 1), draw=("normal", "2*uniform"), draw_c="uniform", samples=300, seed=5, out=file, elements=64)
    drawn = np.load(file)
    a, b, c, right = (drawn[name] for name in "abcd")
    c, right = c[:, 0], right[:, 0]
    assert a.shape == b.shape == (300, K) and np.all(np.abs(a) <= 3) and np.all(np.abs(b) <= 2) and np.all(np.abs(c) <= 1)

    def chain(a: np.ndarray, b: np.ndarray, c: np.ndarray, narrow: object = None, model: str = UNIT) -> np.ndarray:
        d = c
        for k in range(0, K, 16):
            d = np.asarray(mmasmt.dot(a[:, k : k + 16], b[:, k : k + 16], d, model=model))
            if narrow is not None:
                d = d.astype(narrow).astype(np.float32)
        return d

    def without(count: int) -> np.ndarray:
        fewer = a.copy()
        fewer[:, K - count :] = 0
        return chain(fewer, b, c)

    ml_dtypes = pytest.importorskip("ml_dtypes")
    kernels = {
        "sum stored in f16 after each 16 products": chain(a, b, c, np.float16),
        "sum stored in bf16 after each 16 products": chain(a, b, c, ml_dtypes.bfloat16),
        "last 16 products lost": without(16),
        "last product lost": without(1),
        "c left out": chain(a, b, np.zeros_like(c)),
        **{f"F = {bits}": chain(a, b, c, model=f"fda:K=16,F={bits}") for bits in (24, 23, 21, 17, 13)},
    }
    # An instruction of Hopper takes its 16 products at once.
    assert "K=16" in mmasmt.model(UNIT).specification or np.array_equal(chain(a, b, c), right)
    assert np.array_equal(chain(a, b, c), right)
    assert {kernel.name for kernel in found.wrong} == set(kernels)

    exact, size = [], []
    for row, other, addend in zip(a, b, c):
        products = [Fraction(float(x)) * Fraction(float(y)) for x, y in zip(row, other)] + [Fraction(float(addend))]
        exact.append(sum(products))
        size.append(sum(map(abs, products)))

    def errors(d: np.ndarray) -> list[Fraction]:
        return [abs(Fraction(float(x)) - y) for x, y in zip(d, exact)]

    proved = found.data["proved"]
    bound = {name: _fraction(proved[name]["hex"]) for name in ("relative", "absolute", "atol")}
    assert Fraction(found.relative) >= bound["relative"] and Fraction(found.atol) >= bound["atol"]
    largest = max(error / of for error, of in zip(errors(right), size))
    for kernel in found.wrong:
        d = kernels[kernel.name]
        told = kernel.data
        own = errors(d)
        assert told["proved"]["outside"] == sum(error > bound["relative"] * of + bound["absolute"] for error, of in zip(own, size))
        assert told["atol"]["outside"] == sum(error > bound["atol"] for error in own)
        assert told["largest_random"]["outside"] == sum(error / of > largest for error, of in zip(own, size))
        assert told["bits"]["outside"] == int(np.sum(d.view(np.uint32) != right.view(np.uint32)))
        share = told["proved"]["outside"] / 300
        assert kernel.proved == share and math.isclose(told["proved"]["test_fails"], 1 - (1 - share) ** 64, abs_tol=1e-12)
    assert any(0 < kernel.proved < 1 for kernel in found.wrong)

    # The lines to paste pass the right kernel and catch a wrong one.
    names = {"d": right.astype(float), "a": a.astype(float)[:, None, :], "b": b.astype(float)[:, :, None], "c": c.astype(float), "numpy": np}
    whole = names["a"] @ names["b"]
    names |= {"exact": whole[:, 0, 0] + names["c"]}
    line = next(line for line in found.paste if line.startswith("numpy"))
    exec(line, names)
    with pytest.raises(AssertionError):
        exec(line, {**names, "d": kernels["last 16 products lost"].astype(float)})


def _fraction(text: str) -> Fraction:
    """A number as the program writes it, ``0x1.8p-3``, of any length."""
    digits, exponent = text.removeprefix("0x").split("p")
    whole, _, part = digits.partition(".")
    return Fraction(int(whole + part, 16), 16 ** len(part)) * Fraction(2) ** int(exponent)


def test_what_is_pasted_holds_for_a_product_of_matrices() -> None:
    rng = np.random.default_rng(1)
    a, b = (rng.uniform(-2, 2, shape).astype(np.float16) for shape in ((20, K), (K, 20)))
    found = mmasmt.tolerance(UNIT, k=K, range=2, samples=50)
    names = {name: of.astype(float) for name, of in {"a": a, "b": b, "d": np.asarray(mmasmt.matmul(a, b, model=UNIT))}.items()}
    names["exact"] = names["a"] @ names["b"]
    assert len(found.paste) == 3
    for line in found.paste:
        if not line.startswith("torch"):
            exec(line, {**names, "numpy": np})


def test_numbers_of_ones_own_are_drawn(tmp_path: Path) -> None:
    own = np.array([0.5, -3.0, 1.25])
    file = tmp_path / "drawn.npz"
    mmasmt.tolerance(UNIT, k=16, draw=(own, "normal"), samples=30, out=file)
    assert set(np.unique(np.load(file)["a"])) == set(own)
    [row] = mmasmt.bias(["_"], on=[UNIT], lengths=[32], draw=np.abs(own), samples=200)
    assert row.too_low + row.exact + row.too_high == 200 and row.mean <= 0
    with pytest.raises(ValueError, match="finite numbers"):
        mmasmt.bias(["_"], on=[UNIT], draw=np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match="expected normal, uniform"):
        mmasmt.tolerance(UNIT, k=16, draw="gauss")
    with pytest.raises(ValueError, match="is not 0"):
        mmasmt.tolerance(UNIT, k=16, range=1, draw_c="normal")


def test_bounds_of_matrices_are_kept_and_results_outside_are_told() -> None:
    rng = np.random.default_rng(7)
    a, b = (rng.standard_normal(shape).astype(np.float16) for shape in ((6, K), (K, 5)))
    c = rng.standard_normal((6, 5)).astype(np.float32)
    right = np.asarray(mmasmt.matmul(a, b, c, model=UNIT))
    d = right.copy()
    d[2, 3] += np.float32(0.01)
    d[0, 1] = np.nextafter(d[0, 1], np.float32(np.inf))
    d[5, 4] = np.nan
    found = mmasmt.tolerance(UNIT, a=a, b=b, c=c, d=d, atol=1e-3)
    assert found.products == K and np.array_equal(found.right, right)
    wide = [x.astype(float) for x in (a, b, c)]
    size = np.abs(wide[0]) @ np.abs(wide[1]) + np.abs(wide[2])
    exact = wide[0] @ wide[1] + wide[2]
    assert np.allclose(found.exact, exact, rtol=1e-12, atol=1e-12)
    assert np.all(np.abs(right - exact) <= found.bound) and np.all(found.bound < 1e-5 * size)
    assert found.outside == [(2, 3), (5, 4)] and found.outside_yours == found.outside
    assert found.other_bits == [(0, 1), (2, 3), (5, 4)]
    assert found.covered == 30 and found.right_outside_yours == []
    narrow = mmasmt.tolerance(UNIT, a=a, b=b, c=c, atol=0)
    own = [tuple(place) for place in np.argwhere(right.astype(float) != narrow.exact)]
    assert narrow.right_outside_yours == own and narrow.outside is None
    # With smaller numbers the bound is smaller, as it is that of these very matrices.
    less = mmasmt.tolerance(UNIT, a=a / 4, b=b, c=c / 4)
    assert np.all(less.bound <= found.bound / 3)
    with pytest.raises(ValueError, match="6 x 5"):
        mmasmt.tolerance(UNIT, a=a, b=b, d=d[:5])
    with pytest.raises(ValueError, match="finite"):
        mmasmt.tolerance(UNIT, a=np.full((1, 16), np.inf, np.float16), b=b[:16])
