"""The one operator that PyTorch sees: opaque, with fake tensors, gradients and `vmap`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .._emulation.errors import Refused
from .._emulation.plan import Plan, plan_of_text
from .._emulation.plans import Shape, plan_of
from ._product import NAMES, dtype_of
from ._product import product as _made

_SCHEMA = (
    "(Tensor a, Tensor b, Tensor? c, Tensor? bias, Tensor? start, Tensor? scale_a, Tensor? scale_b, "
    "str plan, str machine, int threads) -> Tensor"
)

# Tensors that are nothing more than their values.
_PLAIN = (Tensor, torch.nn.Parameter)


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
    scales = (scale_a, scale_b) if scale_a is not None and scale_b is not None else None
    return _made(a, b, plan_of_text(plan), c, bias, start, threads, scales)


product: Any = torch.library.custom_op("mmasmt::product", _run, mutates_args=(), device_types="cpu", schema=_SCHEMA)


@product.register_fake
def _fake(a: Tensor, b: Tensor, *others: Any) -> Tensor:
    plan = others[-3]
    return a.new_empty(a.shape[0], a.shape[1], b.shape[2], dtype=dtype_of(plan_of_text(plan).out))


def made(machine: str, plan: Plan, operands: Operands, threads: int = 0) -> Tensor:
    """The product by way of the operator, unless nobody but this processor is to see it."""
    if _is_seen(operands):
        found: Tensor = product(*operands, plan.text(), machine, threads)
        return found
    a, b, c, bias, start, scale_a, scale_b = operands
    return _made(a, b, plan, c, bias, start, threads, None if scale_a is None or scale_b is None else (scale_a, scale_b))


def _is_seen(operands: Operands) -> bool:
    """Whether a mode, a transformation, a trace or autograd of PyTorch looks at the product."""
    # First of all, as what compiles follows this function as well.
    return bool(
        torch.compiler.is_compiling()
        or torch._C._len_torch_dispatch_stack()
        or torch._C._len_torch_function_stack()
        or torch._C._functorch.peek_interpreter_stack() is not None
        or torch._C._is_tracing()
        or (torch.is_grad_enabled() and any(x is not None and x.requires_grad for x in operands))
        or any(x is not None and type(x) not in _PLAIN for x in operands)
    )


def kind_of(a: Tensor, b: Tensor, tf32: bool = False) -> str:
    """The format of the operands as the table of units has it."""
    first, second = NAMES[a.dtype], NAMES[b.dtype]
    if first == second == "f32" and tf32:
        return "tf32"
    return f"{first}.{second}" if a.dtype.itemsize == 1 else first


def _setup(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    operands, (plan, machine, threads) = Operands(*inputs[:-3]), inputs[-3:]
    ctx.save_for_backward(operands.a, operands.b)
    ctx.types = [None if x is None else x.dtype for x in operands]
    ctx.plan, ctx.machine, ctx.threads = plan_of_text(plan), machine, threads


def _backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    """Gradients by the same machine: two products, in the format of the operands, each with the plan of its own shape."""
    a, b = ctx.saved_tensors
    plan: Plan = ctx.plan
    if plan.activation != "none" or plan.scale != 1 or plan.saturate or a.dtype.itemsize == 1:
        raise Refused(f"mmasmt::product: expected a plan without activation, scale or FP8 for a gradient, found {plan.text()}")
    needed = ctx.needs_input_grad
    own = grad.to(a.dtype)
    of_a = _of_gradient(ctx, own, b.transpose(1, 2)) if needed[0] else None
    of_b = _of_gradient(ctx, a.transpose(1, 2), own) if needed[1] else None
    of_c = (grad * plan.beta).to(ctx.types[2]) if needed[2] else None
    of_bias = grad.sum((0, 1)).to(ctx.types[3]) if needed[3] else None
    return of_a, of_b, of_c, of_bias, *[None] * 6


def _of_gradient(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
    kind = kind_of(a, b, ctx.plan.round_in == "tf32")
    batch, m, k = a.shape
    shape = Shape("mm" if batch == 1 else "bmm", batch, m, b.shape[2], k, kind, NAMES[a.dtype])
    plan, _ = plan_of(ctx.machine, shape)
    return made(ctx.machine, replace(plan, alpha=ctx.plan.alpha), Operands(a, b), ctx.threads)


product.register_autograd(_backward, setup_context=_setup)


@product.register_vmap
def _vmap(info: Any, dims: tuple[int | None, ...], *inputs: Any) -> Any:
    """The dimension of `vmap` becomes one of the batch."""
    operands, others = Operands(*inputs[:-3]), inputs[-3:]
    if dims[3] is not None:
        raise Refused("mmasmt::product: expected a bias without the dimension of vmap, found one; pass it as c")

    def folded(x: Any, dim: int | None) -> Any:
        if x is None:
            return None
        x = x.expand(info.batch_size, *x.shape) if dim is None else x.movedim(dim, 0)
        return x.reshape(-1, *x.shape[2:])

    given = [folded(x, dim) for x, dim in zip(operands, dims)]
    given[3] = operands.bias
    found = product(*given, *others)
    return found.reshape(info.batch_size, -1, *found.shape[1:]), 0
