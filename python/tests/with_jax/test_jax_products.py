"""Products of matrices of JAX: dimensions, formats, precisions and algorithms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mmasmt
import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install './python[jax]'")

import jax.numpy as jnp
import ml_dtypes
from given import H100, drawn, emulated
from jax import lax
from orders import chain, rounded, same


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float8_e4m3fn"])
def test_a_product_has_the_sums_of_the_unit(name: str) -> None:
    dtype = jnp.dtype(name)
    a, b = drawn(0, 5, 70, dtype=dtype), drawn(1, 70, 6, dtype=dtype)
    function = emulated(lambda a, b: lax.dot(a, b, preferred_element_type=jnp.float32))
    expected = mmasmt.matmul(a, b, model=H100[name])
    assert same(function(a, b), expected)
    assert same(jax.jit(function)(a, b), expected)
    # This processor sums in another way, and so does every other kind of unit.
    assert not same(a.astype(np.float32) @ b.astype(np.float32), expected)


def test_a_result_of_16_bits_is_rounded_once_from_f32() -> None:
    a, b = drawn(2, 4, 64, dtype=ml_dtypes.bfloat16), drawn(3, 64, 4, dtype=ml_dtypes.bfloat16)
    sums = mmasmt.matmul(a, b, model=H100["bfloat16"])
    exact = [[nearest(float(x)) for x in row] for row in sums]
    found = np.asarray(emulated(lambda a, b: a @ b)(a, b))
    assert found.dtype == ml_dtypes.bfloat16 and found.astype(np.float32).tolist() == exact


def nearest(value: float) -> float:
    """The nearest bf16: eight bits of a fraction, the even one of two."""
    unit = Fraction(2) ** (np.frexp(value)[1] - 8)
    return float(round(Fraction(value) / unit) * unit)


def test_f32_is_a_chain_of_fused_multiply_adds_where_it_is_asked_for() -> None:
    a, b = drawn(4, 3, 9), drawn(5, 9, 2)
    expected = chain(a, b)
    assert same(emulated(lambda a, b: jnp.dot(a, b, precision="highest"))(a, b), expected)
    assert same(emulated(lambda a, b: a @ b, tf32=False)(a, b), expected)
    with jax.default_matmul_precision("highest"):
        assert same(emulated(lambda a, b: a @ b)(a, b), expected)
    # Machines without TF32, and those of AMD, for which XLA does not ask for it.
    assert same(emulated(lambda a, b: a @ b, "V100")(a, b), expected)
    assert emulated_kind("MI300X") == "f32" and emulated_kind("RTX 4090") == "tf32"


def emulated_kind(machine: str) -> str:
    function = emulated(lambda a: a @ a, machine)
    function(np.eye(2, dtype=np.float32))
    return str(function.calls[0].shape.kind)


@pytest.mark.parametrize("precision", [None, "high", ("highest", "default"), "TF32_TF32_F32"])
def test_f32_is_tf32_otherwise(precision: Any) -> None:
    a, b = drawn(6, 3, 24), drawn(7, 24, 5)
    expected = mmasmt.matmul(tf32(a), tf32(b), model=H100["tf32"])
    found = emulated(lambda a, b: lax.dot(a, b, precision=precision))(a, b)
    if precision == ("highest", "default"):
        assert same(found, mmasmt.matmul(a, b, model="sfma:fmt=f32"))
    else:
        assert same(found, expected)
    assert not same(expected, mmasmt.matmul(a, b, model="sfma:fmt=f32"))


def tf32(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Ten bits of a fraction, the even one of two, from exact fractions."""
    units = [Fraction(2) ** (int(np.frexp(value)[1]) - 11) for value in x.flat]
    return np.array([float(round(Fraction(float(v)) / u) * u) for v, u in zip(x.flat, units)], np.float32).reshape(x.shape)


DIMENSIONS = [
    (((1,), (0,)), ((), ())),
    (((1,), (1,)), ((0,), (0,))),
    (((0,), (2,)), ((2,), (0,))),
    (((1, 0), (2, 1)), ((), ())),
    (((), ()), ((0, 2), (1, 0))),
    (((0, 1, 2), (0, 1, 2)), ((), ())),
    (((), ()), ((), ())),
]


@pytest.mark.parametrize("dimensions", DIMENSIONS)
def test_any_dimensions_are_as_in_jax(dimensions: Any) -> None:
    """Of small integers every sum is exact, so that JAX's own product has the same bits."""
    (sum_a, sum_b), (batch_a, batch_b) = dimensions
    random = np.random.default_rng(8)
    sizes_a, sizes_b = [3, 4, 2], [2, 5, 3]
    for i, j in zip((*sum_a, *batch_a), (*sum_b, *batch_b)):
        sizes_b[j] = sizes_a[i]
    a, b = (random.integers(-4, 5, size).astype(np.float16) for size in (sizes_a, sizes_b))
    function = emulated(lambda a, b: lax.dot_general(a, b, dimensions, preferred_element_type=jnp.float32))
    # A product that is -0 is one in JAX alone.
    expected = lax.dot_general(a, b, dimensions, preferred_element_type=jnp.float32) + 0.0
    assert same(function(a, b), expected)
    assert sum(call.count for call in function.calls) == 1


def test_empty_products_are_zeros() -> None:
    for m, k, n in ((0, 4, 3), (2, 0, 3), (2, 4, 0)):
        found = emulated(lambda a, b: a @ b)(np.ones((m, k), np.float16), np.ones((k, n), np.float16))
        assert same(found, np.zeros((m, n), np.float16))


# Parts of f32: what bf16 and TF32 hold of the first bits, and the rest.
def cut(x: np.ndarray[Any, Any], bits: int, parts: int) -> list[np.ndarray[Any, Any]]:
    found = []
    rest = [Fraction(float(value)) for value in x.flat]
    for part in range(parts):
        values = []
        for value in rest:
            unit = Fraction(2) ** (int(np.frexp(float(value))[1]) - bits) if value else Fraction(1)
            # The last part is rounded to nearest, others toward zero.
            steps = round(value / unit) if part == parts - 1 else int(value / unit)
            values.append(steps * unit)
        found.append(np.array([float(value) for value in values], np.float32).reshape(x.shape))
        rest = [value - own for value, own in zip(rest, values)]
    return found


ORDERS = {
    "BF16_BF16_F32_X3": "lh hl hh",
    "BF16_BF16_F32_X6": "mm hl lh hm mh hh",
    "BF16_BF16_F32_X9": "ll ml lm mm lh hl mh hm hh",
    "TF32_TF32_F32_X3": "lh hl hh",
}


@pytest.mark.parametrize("name", ORDERS)
def test_algorithms_of_several_products(name: str) -> None:
    letters, bits, unit = ("hml", 8, H100["bfloat16"]) if name.startswith("BF16") else ("hl", 11, H100["tf32"])
    letters = "hl" if name.endswith("X3") else letters
    a, b = drawn(9, 12, 40), drawn(10, 40, 9)
    # The products of the high parts cancel, so that the order of the others is seen.
    a, b = np.concatenate([a, -cut(a, bits, 2)[0]], 1), np.concatenate([b, cut(b, bits, 2)[0]], 0)
    parts = [dict(zip(letters, cut(x, bits, len(letters)))) for x in (a, b)]
    products = [mmasmt.matmul(parts[0][one], parts[1][other], model=unit) for one, other in ORDERS[name].split()]
    expected = products[0]
    for product in products[1:]:
        expected = np.vectorize(lambda x, y: rounded(Fraction(float(x)) + Fraction(float(y))))(expected, product).astype(np.float32)
    function = emulated(lambda a, b: lax.dot(a, b, precision=name))
    assert same(function(a, b), expected)
    assert sum(call.count for call in function.calls) == len(products)
    # An infinity stays one, though its low part is not a number.
    a[0, 0] = np.inf
    b[0] = 1
    assert np.isposinf(np.asarray(function(a, b))[0]).all()


def test_algorithms_convert_operands() -> None:
    a, b = drawn(11, 3, 40), drawn(12, 40, 3)
    for name, dtype in (("F16_F16_F32", np.float16), ("BF16_BF16_F32", ml_dtypes.bfloat16)):
        expected = mmasmt.matmul(a.astype(dtype), b.astype(dtype), model=H100[np.dtype(dtype).name])
        assert same(emulated(lambda a, b, name=name: lax.dot(a, b, precision=name))(a, b), expected)


def test_fp8_without_fast_accumulation_is_promoted_every_128_products() -> None:
    a, b = (drawn(seed, *shape, dtype=ml_dtypes.float8_e4m3fn) for seed, shape in ((13, (4, 300)), (14, (300, 4))))
    unit = H100["float8_e4m3fn"]
    fast, slow = (mmasmt.matmul(a, b, model=model) for model in (unit, f"promote({unit}):every=4"))
    assert not same(fast, slow)

    def found(precision: Any, machine: str = "H100") -> Any:
        return emulated(lambda a, b: lax.dot(a, b, precision=precision, preferred_element_type=jnp.float32), machine)(a, b)

    for precision in (None, "default", "ANY_F8_ANY_F8_F32_FAST_ACCUM"):
        assert same(found(precision), fast)
    for precision in ("high", "highest", "ANY_F8_ANY_F8_F32"):
        assert same(found(precision), slow)
    # Blackwell sums FP8 in f32.
    assert same(found("highest", "B200"), found(None, "B200"))


def test_subnormal_numbers_are_kept() -> None:
    """XLA flushes them in the threads that call Python; the models do not."""
    a = np.full((1, 4), 2.0**-74, np.float32)
    expected = np.full((1, 1), 2.0**-146, np.float32)
    for tf32 in (False, True):
        for threads in (1, 2):
            function = emulated(lambda a, b: a @ b, tf32=tf32, threads=threads)
            assert same(function(a, a.T), expected) and same(jax.jit(function)(a, a.T), expected)
    tiny = np.full((1, 1), 2.0**-140, np.float32)
    for name in ("F32_F32_F32", "BF16_BF16_F32_X6"):
        found = emulated(lambda a, b, name=name: lax.dot(a, b, precision=name))(tiny, np.ones((1, 1), np.float32))
        # The middle and low parts of 2^-140 are zero, and bf16 has the number itself only to 2^-133.
        assert same(found, tiny if name == "F32_F32_F32" else np.zeros((1, 1), np.float32))


def test_nan_and_signed_zeros_are_those_of_the_machine() -> None:
    a = np.array([[np.nan, 1], [-0.0, 0]], np.float16)
    b = np.array([[1], [0]], np.float16)
    codes = {machine: np.asarray(emulated(lambda a, b: a @ b, machine)(a, b)).view(np.uint16)[:, 0] for machine in ("H100", "MI300X")}
    assert codes["H100"].tolist() == [0x7FFF, 0] and codes["MI300X"].tolist() == [0x7E00, 0]
    # A sum that is rounded to -0 becomes +0 in the epilogue.
    tiny = np.array([[0, 0, 0, 2.0**-100]], np.float32)
    assert np.signbit(mmasmt.matmul(-tiny, tiny.T, model="sfma:fmt=f32"))
    assert same(emulated(lambda a, b: a @ b, tf32=False)(-tiny, tiny.T), np.zeros((1, 1), np.float32))


def test_integers_are_left_alone() -> None:
    a = np.arange(12, dtype=np.int8).reshape(3, 4)
    function = emulated(lambda a: lax.dot(a, a.T, preferred_element_type=jnp.int32))
    assert same(function(a), a.astype(np.int32) @ a.T.astype(np.int32))
    assert function.log.exact == {"dot_general": 1} and not function.calls
    assert "of integers: exact on every machine" in function.report()


def test_f64_where_jax_has_it() -> None:
    with jax.enable_x64(True):
        a, b = np.random.default_rng(17).normal(size=(2, 3, 9)), np.random.default_rng(18).normal(size=(2, 9, 4))
        found = emulated(lambda a, b: a @ b, "A100")(a, b)
        assert same(found, mmasmt.matmul(a, b, model="ampere/mma.m8n8k4.f64.f64.f64.f64"))
