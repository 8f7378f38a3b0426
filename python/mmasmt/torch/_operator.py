"""The one operator that PyTorch sees: opaque, with fake tensors, gradients and `vmap`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from ._errors import Refused
from ._plans import Shape, plan_of
from ._product import NAMES, Plan, dtype_of, plan_of_text
from ._product import product as _made

_SCHEMA = "(Tensor a, Tensor b, Tensor? c, Tensor? bias, Tensor? start, str plan, str machine, int threads) -> Tensor"


def _run(
    a: torch.Tensor,
    b: torch.Tensor,
    c: torch.Tensor | None,
    bias: torch.Tensor | None,
    start: torch.Tensor | None,
    plan: str,
    machine: str,
    threads: int,
) -> torch.Tensor:
    return _made(a, b, plan_of_text(plan), c, bias, start, threads)


product: Any = torch.library.custom_op("mmasmt::product", _run, mutates_args=(), device_types="cpu", schema=_SCHEMA)


@product.register_fake
def _fake(a: torch.Tensor, b: torch.Tensor, c: Any, bias: Any, start: Any, plan: str, machine: str, threads: int) -> torch.Tensor:
    return a.new_empty(a.shape[0], a.shape[1], b.shape[2], dtype=dtype_of(plan_of_text(plan).out))


def made(
    machine: str,
    shape: Shape,
    plan: Plan,
    operands: tuple[torch.Tensor, torch.Tensor],
    c: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    start: torch.Tensor | None = None,
    threads: int = 0,
) -> torch.Tensor:
    """The product by way of the operator."""
    found: torch.Tensor = product(*operands, c, bias, start, plan.text(), machine, threads)
    return found


def kind_of(a: torch.Tensor, b: torch.Tensor, tf32: bool = False) -> str:
    """The format of the operands as the table of units has it."""
    first, second = NAMES[a.dtype], NAMES[b.dtype]
    if first == second == "f32" and tf32:
        return "tf32"
    return f"{first}.{second}" if a.dtype.itemsize == 1 else first


def _setup(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    a, b, c, bias, _start, plan, machine, threads = inputs
    ctx.save_for_backward(a, b)
    ctx.of = (None if c is None else c.dtype, None if bias is None else bias.dtype, plan_of_text(plan), machine, threads)


def _backward(ctx: Any, grad: torch.Tensor) -> tuple[Any, ...]:
    """Gradients by the same machine: two products, in the format of the operands, each with the plan of its own shape."""
    a, b = ctx.saved_tensors
    c_dtype, bias_dtype, plan, machine, threads = ctx.of
    if plan.activation != "none" or plan.scale != 1 or plan.saturate or a.dtype.itemsize == 1:
        raise Refused(f"mmasmt::product: expected a plan without activation, scale or FP8 for a gradient, found {plan.text()}")
    needed = ctx.needs_input_grad
    grad_in = grad.to(a.dtype)
    of_a = _of_gradient(machine, grad_in, b.transpose(1, 2), plan, threads) if needed[0] else None
    of_b = _of_gradient(machine, a.transpose(1, 2), grad_in, plan, threads) if needed[1] else None
    of_c = (grad * plan.beta).to(c_dtype) if needed[2] else None
    of_bias = grad.sum((0, 1)).to(bias_dtype) if needed[3] else None
    return of_a, of_b, of_c, of_bias, None, None, None, None


def _of_gradient(machine: str, a: torch.Tensor, b: torch.Tensor, forward: Plan, threads: int) -> torch.Tensor:
    kind = kind_of(a, b, forward.round_in == "tf32")
    batch, m, k = a.shape
    shape = Shape("mm" if batch == 1 else "bmm", batch, m, b.shape[2], k, kind, NAMES[a.dtype])
    plan, _ = plan_of(machine, shape)
    return made(machine, shape, replace(plan, alpha=forward.alpha), (a, b), threads=threads)


product.register_autograd(_backward, setup_context=_setup)


@product.register_vmap
def _vmap(
    info: Any, dims: tuple[int | None, ...], a: Any, b: Any, c: Any, bias: Any, start: Any, plan: str, machine: str, threads: int
) -> Any:
    size = info.batch_size
    if dims[3] is not None:
        raise Refused("mmasmt::product: expected a bias without the dimension of vmap, found one; pass it as c")

    def folded(x: Any, dim: int | None) -> Any:
        if x is None:
            return None
        x = x.expand(size, *x.shape) if dim is None else x.movedim(dim, 0)
        return x.reshape(-1, *x.shape[2:])

    given = [folded(x, dim) for x, dim in zip((a, b, c), dims)]
    found = product(*given, bias, folded(start, dims[4]), plan, machine, threads)
    return found.reshape(size, -1, *found.shape[1:]), 0
