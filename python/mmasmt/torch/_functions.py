"""Single products of a machine, as functions: with gradients and tangents, and usable inside of `torch.compile`, `export` and `vmap`."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._emulation.plan import Plan
from .._emulation.plans import Shape, plan_of
from .._emulation.tables import Plans, rules_of
from ._derivatives import made
from ._operator import Operands, kind_of
from ._product import NAMES, with_out
from ._scaled import scaled_mm as _scaled_mm


def matmul(
    a: Tensor, b: Tensor, c: Tensor | None = None, *, machine: str, out_dtype: torch.dtype | None = None, alpha: float = 1.0,
    beta: float = 1.0, bias: Tensor | None = None, tf32: bool = False, plans: Plans = (), threads: int = 0,
) -> Tensor:  # fmt: skip
    """``alpha * (a @ b) + beta * c`` as a machine's library computes it.

    Parameters
    ----------
    a, b : Tensor
        Of shapes (..., M, K) and (..., K, N), on the CPU, in f16, bf16, f32, f64 or FP8, both in the same; dimensions before the
        last two are repeated as PyTorch does.
    c : Tensor, optional
        Of shape (..., M, N).
    machine : str
        A product or an architecture.
    out_dtype : dtype, optional
        Of the result; that of `a` if it is missing.
    alpha, beta : float
        Rounded to f32 where sums are in f32.
    bias : Tensor, optional
        Of shape (N,), added in f32 before the one rounding.
    tf32 : bool
        Whether operands in f32 are rounded to TF32.
    plans, threads
        As for `emulate`.

    Raises
    ------
    Refused
        If the machine has no unit for these operands.
    ValueError
        If shapes or types do not fit.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> a = torch.full((1, 2), 2.0**-12, dtype=torch.float16)
    >>> c = torch.ones(1, 1)
    >>> [float(mt.matmul(a, a.T, c, machine=name, out_dtype=torch.float32) - 1) for name in ("V100", "H100")]
    [1.1920928955078125e-07, 1.1920928955078125e-07]
    """
    if a.dim() < 2 or b.dim() < 2:
        raise ValueError(f"a, b: expected at least two dimensions each, found shapes {tuple(a.shape)} and {tuple(b.shape)}")
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"a, b: expected as many columns of a as rows of b, found shapes {tuple(a.shape)} and {tuple(b.shape)}")
    if a.dtype.itemsize > 1 and a.dtype != b.dtype:
        raise ValueError(f"a, b: expected one type, found {a.dtype} and {b.dtype}; convert one of them")
    for name, x in (("a", a), ("b", b)):
        if x.dtype not in NAMES or not x.dtype.is_floating_point:
            raise ValueError(f"{name}: expected f16, bf16, f32, f64 or FP8, found {x.dtype}")
    out = a.dtype if out_dtype is None else out_dtype
    batch = a.shape[:-2] if b.dim() == 2 else torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    if b.dim() == 2:
        # One matrix for all rows is one product, as a library has it.
        rows, given = a.reshape(1, -1, k), (1, math.prod(batch) * m)
        columns = b[None]
    else:
        rows, columns = a.expand(*batch, m, k).reshape(-1, m, k), b.expand(*batch, k, n).reshape(-1, k, n)
        given = (rows.shape[0], m)
    kind = kind_of(a, b, tf32)
    op = "bmm" if given[0] != 1 else "mm" if c is None and bias is None else "addmm"
    shape = Shape(op, *given, n, k, kind, NAMES[out], bias=bias is not None)
    plan, _ = plan_of(machine, shape, rules_of(machine, plans))
    factors = [x if kind == "f64" else float(np.float32(x)) for x in (alpha, beta)]
    addend = None if c is None else c.expand(*batch, m, n).reshape(*given, n)
    plan = _with_factors(plan, out, *factors)
    return made(machine, plan, Operands(rows, columns, addend, bias), threads).reshape(*batch, m, n)


@lru_cache(maxsize=4096)
def _with_factors(plan: Plan, out: torch.dtype, alpha: float, beta: float) -> Plan:
    return with_out(plan, out, alpha=alpha, beta=beta)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None, *, machine: str, **options: Any) -> Tensor:
    """``x @ weight.T + bias`` as a machine's library computes it: all rows in one product, the bias before the one rounding.

    Parameters
    ----------
    x, weight, bias : Tensor
        Of shapes (..., K), (N, K) and (N,).
    machine : str
        A product or an architecture.
    **options
        As for `matmul`.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> x = torch.ones(3, 4, dtype=torch.bfloat16)
    >>> mt.linear(x, x[:2], machine="H100").tolist()
    [[4.0, 4.0], [4.0, 4.0], [4.0, 4.0]]
    """
    found = matmul(x.reshape(-1, x.shape[-1]), weight.T, bias=bias, machine=machine, **options)
    return found.reshape(*x.shape[:-1], weight.shape[0])


def scaled_mm(
    a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, bias: Tensor | None = None, *, machine: str,
    scale_result: Tensor | None = None, out_dtype: torch.dtype | None = None, use_fast_accum: bool = False, plans: Plans = (),
    threads: int = 0,
) -> Tensor:  # fmt: skip
    """`torch._scaled_mm` as a machine's library computes it; it has no gradient.

    Parameters
    ----------
    a, b : Tensor
        Matrices of FP8, of shapes (M, K) and (K, N).
    scale_a, scale_b : Tensor
        In f32: one number each, or of shapes (M, 1) and (1, N), or a scale for each 128 k.
    machine : str
        A product or an architecture.
    bias, scale_result, out_dtype, use_fast_accum
        As for `torch._scaled_mm`.
    plans, threads
        As for `emulate`.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> a = torch.ones(16, 32).to(torch.float8_e4m3fn)
    >>> half = torch.tensor(0.5)
    >>> mt.scaled_mm(a, a.T, half, half, machine="RTX 4090", out_dtype=torch.bfloat16)[0, 0].item()
    8.0
    """
    from ._mode import emulate

    run = emulate(machine, plans=plans, unknown="ignore", threads=threads)
    return _scaled_mm(run, a, b, scale_a, scale_b, bias, scale_result, out_dtype, use_fast_accum)
