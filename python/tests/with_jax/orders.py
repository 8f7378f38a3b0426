"""Sums in f32 by hand, from exact fractions: fused multiply-adds along k, each rounded once to nearest even."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np


def rounded(value: Fraction) -> np.float32:
    """The nearest number of f32, even where two are near; far from the ends of its range."""
    if value == 0:
        return np.float32(0)
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, -126) - 23)
    # `round` of a fraction takes the even one of two.
    return np.float32(float(round(value / unit) * unit))


def chain(a: Any, b: Any) -> np.ndarray[Any, Any]:
    """``a @ b`` of f32 matrices, one fused multiply-add after the other."""
    a, b = np.asarray(a), np.asarray(b)
    found = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = np.float32(0)
            for k in range(a.shape[1]):
                total = rounded(Fraction(float(a[i, k])) * Fraction(float(b[k, j])) + Fraction(float(total)))
            found[i, j] = total
    return found


def bits(x: Any) -> np.ndarray[Any, Any]:
    """The registers of an array."""
    array = np.ascontiguousarray(np.asarray(x))
    return array.view(f"uint{8 * array.itemsize}")


def same(found: Any, expected: Any) -> bool:
    """Whether two arrays have one type, one shape and the same bits."""
    found, expected = np.asarray(found), np.asarray(expected)
    return found.dtype == expected.dtype and found.shape == expected.shape and bool((bits(found) == bits(expected)).all())
