"""Chains of fused multiply-adds of f32 for products with one column, such as depthwise convolutions: all results side by side.

Where both significands are short the product is exact in f32, and one addition is the whole operation. Otherwise the product is exact in
f64, and the sum there rounds to f32 as the exact one does, unless it lies just in the middle between two numbers of f32 or below its
least normal one: such sums are made by the model.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import mmasmt

UNIT = "sfma:fmt=f32"
# Bits of f32 below a significand of 12, whose products have 24.
_LOW = 0xFFF
# Bits of f64 below a significand of f32, and the middle between two of these.
_CUT, _MIDDLE = (1 << 29) - 1, 1 << 28
_LEAST, _MOST = 2.0**-126, 2.0**127


def chained(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """``a @ b`` of shapes (B, M, K) and (B, K, 1); None where a NaN comes out, whose code is the model's to say."""
    if not np.float32(2.0**-149) * np.float32(1):
        # Somebody has subnormal numbers flushed.
        return None
    steps, factors = np.ascontiguousarray(a.transpose(2, 0, 1)), b.transpose(1, 0, 2)
    total = np.zeros(a.shape[:2], np.float32)
    with np.errstate(all="ignore"):
        if _is_exact(a, b):
            product = np.empty_like(total)
            for step, factor in zip(steps, factors):
                np.multiply(step, factor, out=product)
                total += product
        else:
            for step, factor in zip(steps, factors):
                total = _fused(step, factor, total)
        # The last instruction is filled up with products of +0.
        if a.shape[2] % mmasmt.signature(UNIT).products:
            total += np.float32(0)
    return None if bool(np.isnan(total).any()) else total[..., None]


def _is_exact(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> bool:
    """Whether every product is a number of f32."""
    least = most = 1.0
    for x in (a, b):
        code = np.ravel(x, order="K").view(np.uint32)
        if int(np.bitwise_or.reduce(code)) & _LOW:
            return False
        size = code & np.uint32(0x7FFFFFFF)
        most *= float(size.max(initial=0).view(np.float32))
        # A zero becomes the greatest number.
        size -= np.uint32(1)
        least *= float((size.min(initial=0x7F7FFFFF) + np.uint32(1)).view(np.float32))
    return least >= _LEAST and most < _MOST


def _fused(a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """``fma(a, b, c)`` of f32."""
    total = np.multiply(a, b, dtype=np.float64)
    total += c
    found: npt.NDArray[np.float32] = total.astype(np.float32)
    unsure = (total.view(np.int64) & _CUT) == _MIDDLE
    unsure |= (np.abs(total) < _LEAST) & (total != 0)
    if bool(unsure.any()):
        few, others = a[unsure], np.broadcast_to(b, a.shape)[unsure]
        found[unsure] = mmasmt.dot(few[:, None], others[:, None], c[unsure], model="sfma:K=1,fmt=f32")
    return found
