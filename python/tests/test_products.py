"""One meaning of a model along k: `matmul` of the package gives what `mmasmt matmul` gives, and what one dot product of all K gives."""

from __future__ import annotations

import pathlib
from typing import Any

import mmasmt
import numpy as np
import pytest
from mmasmt import _native

DEPTH = 130
UNITS = {
    **dict.fromkeys(["promote", "splitk", "epilogue", "plain", "markidis", "ootomo-yokota", "eq24", "words"], "fda:K=4"),
    **dict.fromkeys(["cutlass-3xtf32", "triton-tf32x3", "xla-tf32x3"], "fda:K=4,in=tf32"),
    **dict.fromkeys(["cutlass-9xbf16", "triton-bf16x3", "triton-bf16x6", "xla-bf16x3", "xla-bf16x6", "xla-bf16x9"], "fda:K=4,in=bf16"),
    **dict.fromkeys(["xla-fp8x3", "xla-fp8x4"], "fda:K=4,in=e4m3"),
}
ROWS = [
    "fp8.fast.ada.f32.e4m3.e4m3", "fp8.slow.ada.f32.e4m3.e5m2", "fp8.fast.hopper.f32.e5m2.e4m3", "fp8.slow.hopper.f32.e4m3.e4m3",
    "gemm.hopper.f32.f16.f16", "gemm.hopper.f32.bf16.bf16", "gemm.hopper.f32.tf32.tf32", "gemm-tf32.hopper.f32.f32.f32",
    "gemm.hopper.f64.f64.f64",
]  # fmt: skip
TEXTS = [f"{name}({unit})" for name, unit in UNITS.items()] + [f"cublas/{row}" for row in ROWS]


def with_key(text: str, key: str) -> str:
    return f"{text}{',' if '):' in text else ':'}{key}"


def operands(text: str) -> list[Any]:
    """Small integers and halves, which every format has."""
    rng = np.random.default_rng(1)
    return [rng.integers(-8, 9, shape).astype(np.float64) / 2 for shape in ((2, DEPTH), (DEPTH, 3))]


@pytest.mark.parametrize("text", [*TEXTS, "splitk(fda:K=4):S=3", "promote(fda:K=4):every=3"])
def test_every_door_gives_the_same_product(text: str, tmp_path: pathlib.Path) -> None:
    a, b = operands(text)
    found = mmasmt.matmul(a, b, model=text)
    whole = with_key(text, f"K={DEPTH}")
    rows = mmasmt.dot(a[:, None, :], b.T[None, :, :], model=whole)
    assert np.array_equal(found.view(np.uint8), rows.view(np.uint8))
    for name, value in (("a", a), ("b", b)):
        np.save(tmp_path / f"{name}.npy", value)
    files = [str(tmp_path / f"{name}.npy") for name in "abd"]
    status, said = _native.command(["matmul", *files[:2], "--on", text, "-o", files[2]])
    assert status == 0, said
    assert np.array_equal(np.load(files[2]).view(np.uint8), found.view(np.uint8))


def test_a_length_that_is_given_is_kept() -> None:
    a, b = operands("")
    given = mmasmt.matmul(a, b, model="splitk(fda:K=4):S=2,K=16")
    assert np.array_equal(given, mmasmt.matmul(a, b, model="repeat(splitk(fda:K=4):S=2,K=16)"))
    with pytest.raises(ValueError, match="does not read c, so that runs do not go on from each other"):
        mmasmt.matmul(a, b, model="cublas/gemm.hopper.f32.f16.f16:K=16")


def test_a_c_that_is_not_read_is_refused() -> None:
    row = "cublas/gemm.hopper.f32.f16.f16"
    a, b = operands("")
    ones = np.ones((2, 3), np.float32)
    with pytest.raises(ValueError, match="does not read c"):
        mmasmt.matmul(a, b, ones, model=row)
    assert np.array_equal(mmasmt.matmul(a, b, 0 * ones, model=row), mmasmt.matmul(a, b, model=row))
    for ask in (mmasmt.dot, mmasmt.exact, mmasmt.explain):
        with pytest.raises((ValueError, RuntimeError), match="not read"):
            ask(np.ones(16), np.ones(16), 1, model=row)


def test_arrays_of_any_order_are_the_same() -> None:
    a, b = (array.astype(np.float16) for array in operands(""))
    model = "markidis(fda:K=4)"
    wanted = mmasmt.matmul(a.astype(np.float32), b.astype(np.float32), model=model)
    assert np.array_equal(wanted, mmasmt.matmul(np.asfortranarray(a), b.astype(">f4"), model=model))
