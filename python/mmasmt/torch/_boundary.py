"""Elements of a product whose exact sums lie nearest to where the result is rounded the other way: there machines part first.

Two units whose sums differ by little give the same result nearly everywhere, as it has fewer bits than their sums. One product in f64
finds the elements that tell them apart.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from .._emulation.plan import Plan
from ._contexts import native
from ._operator import Operands
from ._product import dtype_of

# Elements that are looked at: those of some rows, where a product has more.
_MOST = 1 << 18
# Bits of a significand.
_BITS = {torch.float64: 53, torch.float32: 24, torch.float16: 11, torch.bfloat16: 8}


def nearest(plan: Plan, operands: Operands, count: int, draw: random.Random) -> Tensor:
    """So many elements, as numbers in a result of shape (B, M, N); fewer where the sums of some are no ordinary numbers."""
    a, b, c, bias, start, *scales = operands
    batch, m, n = a.shape[0], a.shape[1], b.shape[2]
    if not count or any(x is not None for x in (start, *scales)) or dtype_of(plan.out) not in _BITS:
        return torch.zeros(0, dtype=torch.int64)
    most = max(1, _MOST // (batch * n))
    rows = torch.tensor(sorted(draw.sample(range(m), min(m, most))), dtype=torch.int64)
    with native():
        # Codes of FP8 have no index before PyTorch 2.8.
        total = plan.alpha * (a.double()[:, rows] @ b.double())
    if c is not None:
        total = total + plan.beta * c.double()[:, rows]
    if bias is not None:
        total = total + bias.double()
    flat = distance(total, dtype_of(plan.out)).reshape(-1)
    found = flat.argsort()[:count]
    found = found[flat[found].isfinite()]
    matrix, row, column = found // (len(rows) * n), found // n % len(rows), found % n
    return matrix * (m * n) + rows[row] * n + column


def distance(total: Tensor, out: torch.dtype) -> Tensor:
    """How far numbers are from the middle between two neighbours of a format, in units of its last place; infinite for no numbers."""
    _, exponent = torch.frexp(total)
    places = torch.ldexp(total.abs(), _BITS[out] - exponent.clamp(min=_least(out)))
    apart = (places - places.floor() - 0.5).abs()
    is_ordinary = total.isfinite() & (total != 0) & (total.abs() <= torch.finfo(out).max)
    return torch.where(is_ordinary, apart, torch.inf)


def _least(out: torch.dtype) -> int:
    """The exponent below which numbers are subnormal, as `torch.frexp` counts."""
    return int(torch.frexp(torch.tensor(torch.finfo(out).tiny, dtype=torch.float64))[1])
