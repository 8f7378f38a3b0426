"""One product of matrices as a library makes it: the one place where sums are made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch

import mmasmt

from .._emulation.plan import FORMATS, Plan, model_of
from .._emulation.turned import sums
from .._formats import torch_dtype
from ._ranks import all_reduced
from ._rounding import F32, F64, add_in, canonical, fma_f32, to_tf32

_FORMATS: dict[str, torch.dtype] = {name: torch_dtype(name) for name in FORMATS}
Scales = tuple[torch.Tensor, torch.Tensor] | None
NAMES = {dtype: name for name, dtype in _FORMATS.items()}


def dtype_of(name: str) -> torch.dtype:
    """The type of PyTorch of a format of the models."""
    return _FORMATS[name]


def product(
    a: torch.Tensor,
    b: torch.Tensor,
    plan: Plan,
    c: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    start: torch.Tensor | None = None,
    threads: int = 0,
    scales: Scales = None,
) -> torch.Tensor:
    """``a @ b`` by a plan.

    Parameters
    ----------
    a, b : Tensor
        Of shapes (B, M, K) and (B, K, N), in the formats of the plan's unit; f32 where the plan rounds to TF32.
    plan : Plan
        How the sum is made.
    c : Tensor, optional
        Of shape (B, M, N), what the epilogue adds, multiplied by `beta`.
    bias : Tensor, optional
        Of shape (N,), added in the same place and with the same rounding; beside `c` it is added after it.
    start : Tensor, optional
        Of shape (B, M, N) in the format of the accumulator: the first c of the chain. A plan with one part and one sum takes it.
    threads : int
        How many to use; 0 for as many as there are processors.
    scales : pair of Tensor, optional
        Block scales as codes, of shapes (B, M, K / block) and (B, K / block, N), where the unit has them; `a` and `b` are codes then as
        well. A plan with one part and one sum takes them.

    Returns
    -------
    Tensor
        Of shape (B, M, N), in the format of the plan.
    """
    for name, value in (("start", start), ("scales", scales)):
        if value is not None and (plan.parts > 1 or plan.every):
            raise ValueError(f"{name}: expected a plan of one chain, found {plan.order_text()}")
    if plan.ranks > 1:
        return _of_ranks(a, b, plan, c, bias, start, threads, scales)
    total = _sums(*rounded_in(plan, a, b), plan, start, threads, scales)
    return total if plan.out == "s32" else finished(total, plan, c, bias, a.element_size() == 1)


def _of_ranks(
    a: torch.Tensor, b: torch.Tensor, plan: Plan, c: torch.Tensor | None, bias: torch.Tensor | None, start: torch.Tensor | None,
    threads: int, scales: Scales,
) -> torch.Tensor:  # fmt: skip
    """A product of several devices, each with its part of k, and their all-reduce."""
    k, addends = a.shape[-1], [x for x in (c, bias) if x is not None]
    if k % plan.ranks:
        raise ValueError(f"ranks: expected a divisor of {k}, the K of the product, found {plan.ranks}")
    if start is not None or scales is not None or plan.activation != "none" or plan.scale != 1 or plan.saturate:
        raise ValueError("ranks: expected a product without start, block scales, activation or FP8 results over several devices")
    is_after = plan.row_bias == "after"
    if addends and (plan.row_bias == "none" or (is_after and plan.beta != 1)):
        raise ValueError("row_bias: expected first, or after with beta = 1, beside an addend over several devices")
    one, own = replace(plan, ranks=1), k // plan.ranks
    results = []
    for rank in range(plan.ranks):
        at = slice(rank * own, (rank + 1) * own)
        added = (c, bias) if rank == 0 and not is_after else (None, None)
        results.append(product(a[..., at], b[:, at], one, *added, threads=threads))
    total = all_reduced(results, plan.reduce, plan.chunk)
    for addend in addends if is_after else ():
        total = add_in(total, addend)
    return canonical(total, plan.nan)


def rounded_in(plan: Plan, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Operands as the unit of a plan takes them."""
    return (to_tf32(a), to_tf32(b)) if plan.round_in == "tf32" else (a, b)


def finished(
    total: torch.Tensor, plan: Plan, c: torch.Tensor | None, bias: torch.Tensor | None, is_scaled: bool
) -> torch.Tensor:
    """The result of a plan from its sums: the epilogue, the conversion, and NaN as the machine writes it; `is_scaled` is for FP8."""
    return canonical(_converted(_epilogue(total, plan, c, bias, is_scaled), plan, dtype_of(plan.out)), plan.nan)


def _sums(
    a: torch.Tensor, b: torch.Tensor, plan: Plan, start: torch.Tensor | None, threads: int, scales: Scales
) -> torch.Tensor:
    """The sums of a plan, from `start` or +0."""
    batch, m, k = a.shape
    n = b.shape[-1]
    if k == 0 or batch * m * n == 0:
        kinds = mmasmt.signature(plan.unit)
        return torch.zeros(batch, m, n, dtype=dtype_of(kinds.d.format)) if start is None else start.clone()
    model = model_of(plan)
    if scales is None:
        found: torch.Tensor = sums(a, b, start, unit=plan.unit, model=model, threads=threads)
        return found.contiguous()
    codes = [x.contiguous().numpy() for x in (a, b, *scales)]
    scaled = mmasmt.matmul(codes[0], codes[1], model=model, scale_a=codes[2], scale_b=codes[3], threads=threads)
    return torch.from_numpy(scaled)


def _epilogue(
    total: torch.Tensor, plan: Plan, c: torch.Tensor | None, bias: torch.Tensor | None, is_scaled: bool
) -> torch.Tensor:
    """``fma(alpha, sum, beta * c)``; nothing is rounded that a machine does not round."""
    # A product reads no operands where alpha is 0; scales of FP8 are multiplied in any case, so that 0 times a NaN is one.
    is_empty = plan.alpha == 0 and not is_scaled
    if is_empty:
        total = torch.zeros_like(total)
    elif c is None and bias is None:
        # `fma(alpha, sum, +0)`: a sum of -0 becomes +0.
        if plan.alpha == 1:
            total = total + 0.0
        else:
            total = total * plan.alpha + 0.0 if total.dtype == F64 else (total.double() * plan.alpha + 0.0).to(F32)
    for addend in (c, bias):
        if addend is None or (addend is c and plan.beta == 0):
            continue
        value = addend.to(total.dtype)
        if addend is c and plan.beta != 1:
            value = value * plan.beta
        if is_empty or plan.alpha == 1 or (addend is bias and c is not None):
            total = total + value
        elif total.dtype == F64:
            total = _fma_f64(plan.alpha, total, value)
        else:
            total = fma_f32(plan.alpha, total, value.expand(total.shape))
    return _activated(total, plan)


def _fma_f64(alpha: float, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    factor = np.full((*x.shape, 1), alpha)
    found: torch.Tensor = mmasmt.dot(x.contiguous()[..., None], factor, y.expand(x.shape).contiguous(), model="sfma:K=1,fmt=f64")
    return found


def _activated(total: torch.Tensor, plan: Plan) -> torch.Tensor:
    if plan.activation == "relu":
        return total.clamp(min=0)
    if plan.activation != "none":
        return torch.nn.functional.gelu(total, approximate="tanh" if plan.activation == "gelu_tanh" else "none")
    return total


def _converted(total: torch.Tensor, plan: Plan, out: torch.dtype) -> torch.Tensor:
    if plan.scale != 1:
        total = total * plan.scale
    if plan.saturate:
        most = torch.finfo(out).max
        total = total.clamp(-most, most)
    return total.to(out)


def with_out(plan: Plan, out: torch.dtype, **changed: Any) -> Plan:
    """The plan with another format of the result, and other keys of the epilogue."""
    return replace(plan, out=NAMES[out], **changed)
