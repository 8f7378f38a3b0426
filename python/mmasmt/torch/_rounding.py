"""Roundings around a unit: one rounding where a machine rounds once."""

from __future__ import annotations

import torch

from .._emulation import rounding
from .._emulation.rounding import NAN_ONES
from .._formats import torch_dtype

F32, F64 = torch.float32, torch.float64

_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_ONES = {torch_dtype(name): code for name, code in NAN_ONES.items()}


def bits(x: torch.Tensor) -> torch.Tensor:
    """The registers of a tensor, as integers of the same width."""
    return x.contiguous().view(_BITS[x.element_size()])


def ranks(x: torch.Tensor) -> torch.Tensor:
    """Registers in the order of their numbers, both zeros 0: neighbours are one unit in the last place apart."""
    width = 8 * x.element_size()
    code = bits(x).to(torch.int64)
    magnitude = code & ((1 << (width - 1)) - 1)
    negative = (code < 0) if x.element_size() > 1 else (code >> 7 != 0)
    return torch.where(negative, -magnitude, magnitude)


def canonical(x: torch.Tensor, nan: str) -> torch.Tensor:
    """The tensor with every NaN as the machine writes it; `nan` is ``ones`` or ``quiet``."""
    if nan != "ones" or x.dtype not in _ONES:
        return x
    found = x.isnan()
    if not bool(found.any()):
        return x
    code = torch.tensor(_ONES[x.dtype], dtype=_BITS[x.element_size()])
    return torch.where(found, code, bits(x)).view(x.dtype)


def to_tf32(x: torch.Tensor) -> torch.Tensor:
    """f32 rounded to TF32, to nearest even: the 13 low bits are zero."""
    return torch.from_numpy(rounding.to_tf32(x.detach().numpy()))


def add_in(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """``x + y`` rounded to the format of `x`.

    Numbers of 16 bits are added in f32, whose 24 bits are enough for two roundings to be one (Figueroa 1995).
    """
    wide = F64 if x.dtype == F64 else F32
    return (x.to(wide) + y.to(wide)).to(x.dtype)


def fma_f32(alpha: float | torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """``alpha * x + y`` of f32, rounded once.

    The product is exact in f64. The sum is rounded there to odd, so that the second rounding, to f32, sees whatever the first one
    cut (Boldo and Melquiond 2008).
    """
    product = x.double() * (alpha.double() if isinstance(alpha, torch.Tensor) else alpha)
    addend = y.double()
    total = product + addend
    # Knuth's exact error of the sum.
    part = total - product
    error = (product - (total - part)) + (addend - part)
    code = total.view(torch.int64)
    inexact = (error != 0) & torch.isfinite(total) & ((code & 1) == 0)
    # Toward the exact sum by one unit in the last place: away from zero if the error has the sign of the sum.
    away = (error > 0) == (total > 0)
    moved = torch.where(away, code + 1, code - 1).view(F64)
    return torch.where(inexact, moved, total).to(F32)
