"""Products of matrices and vectors: `mm`, `addmm`, `bmm`, `baddbmm`, `mv`, `dot` and their relatives."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ._handlers import emulated
from ._offers import Emulation


@emulated("mm")
def mm(run: Emulation, a: Tensor, b: Tensor, out_dtype: torch.dtype | None = None) -> Tensor:
    return run.product("mm", a[None], b[None], out=out_dtype)[0]


@emulated("bmm")
def bmm(run: Emulation, a: Tensor, b: Tensor, out_dtype: torch.dtype | None = None) -> Tensor:
    return run.product("bmm", a, b, out=out_dtype)


@emulated("addmm")
def addmm(
    run: Emulation, c: Tensor, a: Tensor, b: Tensor, out_dtype: torch.dtype | None = None, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """cuBLASLt adds a bias of one dimension in f32, GEMM a C that was copied in the format of the result: the same ``fma``."""
    row = c.dim() == 1 and beta == 1
    c = c.expand(a.shape[0], b.shape[1])[None]
    return run.product("addmm", a[None], b[None], c, is_bias=row, out=out_dtype, alpha=alpha, beta=beta)[0]


@emulated("_addmm_activation")
def addmm_activation(
    run: Emulation, c: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1, use_gelu: bool = False
) -> Tensor:
    if use_gelu:
        run.log.notes["GELU of an epilogue is by a tanh of this processor"] += 1
    c = c.expand(a.shape[0], b.shape[1])[None]
    activation = "gelu_tanh" if use_gelu else "relu"
    return run.product("_addmm_activation", a[None], b[None], c, alpha=alpha, beta=beta, activation=activation)[0]


@emulated("baddbmm")
def baddbmm(
    run: Emulation, c: Tensor, a: Tensor, b: Tensor, out_dtype: torch.dtype | None = None, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    c = c.expand(a.shape[0], a.shape[1], b.shape[2])
    return run.product("baddbmm", a, b, c, out=out_dtype, alpha=alpha, beta=beta)


@emulated("addbmm")
def addbmm(run: Emulation, c: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """One `addmm` after the other, each rounded to the format of the result, as PyTorch does it on every device."""
    total = c.expand(a.shape[1], b.shape[2])
    if not a.shape[0]:
        return total * beta if beta != 0 else torch.zeros_like(total)
    for one, other in zip(a, b):
        total = run.product("addbmm", one[None], other[None], total[None], alpha=alpha, beta=beta)[0]
        beta = 1
    return total


@emulated("mv")
def mv(run: Emulation, a: Tensor, x: Tensor) -> Tensor:
    return run.product("mv", a[None], x[None, :, None])[0, :, 0]


@emulated("addmv")
def addmv(run: Emulation, c: Tensor, a: Tensor, x: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    c = c.expand(a.shape[0])[None, :, None]
    return run.product("addmv", a[None], x[None, :, None], c, alpha=alpha, beta=beta)[0, :, 0]


@emulated("dot", "vdot")
def dot(run: Emulation, a: Tensor, b: Tensor) -> Tensor:
    return run.product("dot", a[None, None], b[None, :, None])[0, 0, 0]
