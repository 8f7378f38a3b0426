"""Products that are made with both factors exchanged: ``(b.T @ a.T).T`` has the bits of ``a @ b`` where the unit treats both alike."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import mmasmt

from .._arrays import is_torch
from . import chains, kept
from .units import models

# Its NaN are those of the first factor; `python/tests/test_turned.py` proves the others symmetric, for all registers.
NOT_SYMMETRIC = frozenset({"hopper/mma.m16n8k16.f64.f64.f64.f64"})
# Steps of a chain of fused multiply-adds that is made for all results side by side, such as the window of a depthwise convolution.
_SHORT = 256
# Columns that are summed side by side: fewer take as long.
_STRIP = 32


@cache
def is_symmetric(unit: str) -> bool:
    """Whether a unit of the table gives the same register with a and b exchanged; other units are not asked."""
    if unit not in models() or unit in NOT_SYMMETRIC:
        return False
    kinds = mmasmt.signature(unit)
    return kinds.a.format == kinds.b.format and kinds.scale is None


def strips(m: int, n: int) -> int:
    """Results that are summed for one of m x n, those that fill a strip up included."""
    few, many = sorted((m, n))
    if n > few or n >= _STRIP:
        return m * -(-n // _STRIP) * _STRIP
    return few * -(-many // _STRIP) * _STRIP


def sums(a: Any, b: Any, start: Any, *, unit: str, model: str, threads: int) -> Any:
    """``a @ b + start`` by a model that is made of the unit, for arrays or tensors of shapes (B, M, K) and (B, K, N)."""
    if model == chains.UNIT and start is None and b.shape[-1] == 1 and a.shape[-1] <= _SHORT:
        found = chains.chained(*(x.detach().numpy() if is_torch(x) else x for x in (a, b)))
        if found is not None:
            return sys.modules["torch"].from_numpy(found) if is_torch(a) else found
    found = kept.product(a, b, start, model=model, threads=threads)
    if found is not None:
        return found
    if not (b.shape[-1] < _STRIP and b.shape[-1] < a.shape[-2] and is_symmetric(unit)):
        return mmasmt.matmul(a, b, start, model=model, threads=threads)
    turned = None if start is None else start.swapaxes(-1, -2)
    return mmasmt.matmul(b.swapaxes(-1, -2), a.swapaxes(-1, -2), turned, model=model, threads=threads).swapaxes(-1, -2)
