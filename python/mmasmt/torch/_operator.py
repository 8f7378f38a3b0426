"""The one operator that PyTorch sees: opaque, with fake tensors; `_derivatives` has its gradients, tangents and `vmap`."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .._emulation.errors import Refused
from .._emulation.plan import plan_of_text
from ._product import NAMES, dtype_of
from ._product import product as _made

_SCHEMA = (
    "(Tensor a, Tensor b, Tensor? c, Tensor? bias, Tensor? start, Tensor? scale_a, Tensor? scale_b, "
    "str plan, str machine, int threads) -> Tensor"
)


class Operands(NamedTuple):
    """What `product` of the seam multiplies and adds."""

    a: Tensor
    b: Tensor
    c: Tensor | None = None
    bias: Tensor | None = None
    start: Tensor | None = None
    scale_a: Tensor | None = None
    scale_b: Tensor | None = None


def _run(
    a: Tensor, b: Tensor, c: Tensor | None, bias: Tensor | None, start: Tensor | None, scale_a: Tensor | None, scale_b: Tensor | None,
    plan: str, machine: str, threads: int,
) -> Tensor:  # fmt: skip
    # A graph calls the operator by itself, which would drop tangents; here nothing tells whether there are any.
    if forward_ad._current_level >= 0 and torch._C._is_fwd_grad_enabled():
        raise Refused(
            "mmasmt::product: expected no forward derivative of a graph that was exported or traced, found one; call the function that it "
            "was made of, or take a gradient"
        )
    scales = (scale_a, scale_b) if scale_a is not None and scale_b is not None else None
    return _made(a, b, plan_of_text(plan), c, bias, start, threads, scales)


product: Any = torch.library.custom_op("mmasmt::product", _run, mutates_args=(), device_types="cpu", schema=_SCHEMA)


@product.register_fake
def _fake(a: Tensor, b: Tensor, *others: Any) -> Tensor:
    plan = others[-3]
    return a.new_empty(a.shape[0], a.shape[1], b.shape[2], dtype=dtype_of(plan_of_text(plan).out))


def kind_of(a: Tensor, b: Tensor, tf32: bool = False) -> str:
    """The format of the operands as the table of units has it."""
    first, second = NAMES[a.dtype], NAMES[b.dtype]
    if first == second == "f32" and tf32:
        return "tf32"
    return f"{first}.{second}" if a.dtype.itemsize == 1 else first
