"""Convolutions of JAX as products: every layout, groups, dilations, and gradients."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install './python[jax]'")

import mmasmt.jax as mj
from jax import lax
from orders import chain, same


def emulated(function: Any, machine: str = "H100", **options: Any) -> Any:
    return mj.emulate(function, machine, unknown="ignore", **options)


def whole(seed: int, *shape: int) -> Any:
    """Small integers, of whose products every sum is exact."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(np.float16)


CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "plain": ((2, 3, 7, 6), (4, 3, 3, 2), {}),
    "same": ((2, 3, 7, 6), (4, 3, 3, 2), {"padding": "SAME", "window_strides": (2, 3)}),
    "dilated": ((1, 2, 9, 9), (3, 2, 3, 3), {"rhs_dilation": (2, 3), "padding": [(2, 1), (0, 3)]}),
    "transposed": ((1, 2, 4, 5), (3, 2, 3, 3), {"lhs_dilation": (2, 3), "padding": [(2, 1), (0, 3)]}),
    "cropped": ((1, 2, 8, 8), (3, 2, 3, 3), {"padding": [(-1, 2), (1, -2)]}),
    "cropped and spread": ((1, 2, 5, 5), (3, 2, 3, 3), {"lhs_dilation": (3, 2), "padding": [(-1, -2), (3, -1)]}),
    "groups": ((2, 6, 5, 5), (4, 3, 3, 3), {"feature_group_count": 2}),
    "depthwise": ((2, 6, 5, 5), (12, 1, 3, 3), {"feature_group_count": 6}),
    "groups of the batch": ((4, 3, 5, 5), (6, 3, 3, 3), {"batch_group_count": 2}),
    "channels last": ((2, 7, 6, 3), (3, 2, 3, 4), {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}),
    "mixed": ((7, 2, 3, 6), (3, 4, 2, 3), {"dimension_numbers": ("HNCW", "HOWI", "WCHN")}),
    "one dimension": ((2, 3, 9), (4, 3, 4), {"padding": [(3, 0)], "rhs_dilation": (2,)}),
    "three dimensions": ((1, 2, 4, 5, 3), (3, 2, 2, 2, 2), {"window_strides": (1, 2, 1)}),
    "no dimension": ((2, 3), (4, 3), {"padding": []}),
    "empty": ((2, 3, 2, 2), (4, 3, 3, 3), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_convolution_is_as_in_jax(name: str) -> None:
    shape, of_filters, options = CASES[name]
    x, filters = whole(0, *shape), whole(1, *of_filters)
    given = {"window_strides": (1,) * (len(shape) - 2), "padding": "VALID", **options}

    def function(x: Any, filters: Any) -> Any:
        return lax.conv_general_dilated(x, filters, **given, preferred_element_type=np.float32)

    run = emulated(function)
    # A result that is -0 is one in JAX alone.
    expected = function(x, filters) + 0.0
    assert same(jax.jit(run)(x, filters), expected)
    if expected.size:
        assert sum(call.count for call in run.calls) == 1
        gradients = [jax.jit(jax.grad(lambda x, w, f=f: (f(x, w) ** 2).sum(), (0, 1))) for f in (function, run)]
        found, wanted = gradients[1](x, filters), gradients[0](x, filters)
        assert all(same(one + 0.0, other + 0.0) for one, other in zip(found, wanted))


def test_k_runs_over_the_window_then_channels() -> None:
    """By hand: fused multiply-adds of f32 for each result."""
    random = np.random.default_rng(2)
    x, filters = (random.normal(size=size).astype(np.float32) for size in ((2, 3, 4, 4), (2, 3, 2, 2)))
    in_f32, in_tf32 = (emulated(lambda x, w, p=p: lax.conv(x, w, (1, 1), "VALID", precision=p)) for p in ("highest", "default"))
    found = in_f32(x, filters)
    window = list(itertools.product(range(2), range(2), range(3)))
    columns = np.array([[filters[o, c, r, s] for o in range(2)] for r, s, c in window])
    expected = np.empty((2, 2, 3, 3), np.float32)
    for n, i, j in itertools.product(range(2), range(3), range(3)):
        row = np.array([[x[n, c, i + r, j + s] for r, s, c in window]])
        expected[n, :, i, j] = chain(row, columns)[0]
    assert same(found, expected)
    # A processor may have the same chain, so that its own bits would tell nothing.
    assert not same(found, in_tf32(x, filters)) and [call.count for call in in_f32.calls] == [1]


def test_convolutions_of_f32_are_in_tf32_and_the_report_says_what_is_assumed() -> None:
    x = np.ones((1, 2, 4, 4), np.float32)
    run = emulated(lambda x: lax.conv(x, x[:, :, :2, :2], (1, 1), "VALID"))
    run(x)
    assert [str(call.shape) for call in run.calls] == ["conv_general_dilated (9 x 8) (8 x 1) tf32 -> f32"]
    assert "close, not exact: the order of k in a convolution is assumed: the window, then channels (1 x)" in run.report()


def test_convolutions_of_integers_are_left_alone() -> None:
    x = np.arange(16, dtype=np.int8).reshape(1, 1, 4, 4)
    function = lambda x: lax.conv_general_dilated(x, x, (1, 1), "SAME", preferred_element_type=np.int32)
    run = emulated(function)
    assert same(run(x), function(x)) and run.log.exact == {"conv_general_dilated": 1}


def test_a_convolution_of_complex_numbers_is_refused() -> None:
    x = np.ones((1, 1, 4, 4), np.complex64)
    with pytest.raises(mj.Refused, match=r"^conv_general_dilated of complex64\[1, 1, 16\] and complex64\[1, 16, 1\] is not emulated "):
        emulated(lambda x: lax.conv(x, x, (1, 1), "VALID"))(x)
