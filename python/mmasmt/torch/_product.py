"""One product of matrices as a library makes it: the one place where sums are made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch

import mmasmt

from .._emulation.plan import Plan, model_of
from ._rounding import F32, F64, canonical, fma_f32, to_tf32

_FORMATS = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "s32": torch.int32,
    "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "e4m3fnuz": torch.float8_e4m3fnuz, "e5m2fnuz": torch.float8_e5m2fnuz,
}  # fmt: skip
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
    out = dtype_of(plan.out)
    for name, value in (("start", start), ("scales", scales)):
        if value is not None and (plan.parts > 1 or plan.every):
            raise ValueError(f"{name}: expected a plan of one chain, found {plan.order_text()}")
    if plan.round_in == "tf32":
        a, b = to_tf32(a), to_tf32(b)
    total = _sums(a, b, plan, start, threads, scales)
    if plan.out == "s32":
        return total
    total = _epilogue(total, plan, c, bias)
    return canonical(_converted(total, plan, out), plan.nan)


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
        found: torch.Tensor = mmasmt.matmul(a, b, start, model=model, threads=threads)
        return found
    codes = [x.contiguous().numpy() for x in (a, b, *scales)]
    sums = mmasmt.matmul(codes[0], codes[1], model=model, scale_a=codes[2], scale_b=codes[3], threads=threads)
    return torch.from_numpy(sums)


def _epilogue(total: torch.Tensor, plan: Plan, c: torch.Tensor | None, bias: torch.Tensor | None) -> torch.Tensor:
    """``fma(alpha, sum, beta * c)``; nothing is rounded that a machine does not round."""
    if plan.alpha == 0:
        total = torch.zeros_like(total)
    elif c is None and bias is None:
        # `fma(alpha, sum, +0)`: a sum of -0 becomes +0.
        total = total * plan.alpha + 0.0 if total.dtype == F64 else (total.double() * plan.alpha + 0.0).to(F32)
    for addend in (c, bias):
        if addend is None or (addend is c and plan.beta == 0):
            continue
        value = addend.to(total.dtype)
        if addend is c and plan.beta != 1:
            value = value * plan.beta
        if plan.alpha in (0, 1) or (addend is bias and c is not None):
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
