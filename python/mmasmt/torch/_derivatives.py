"""Derivatives of a product, all of them products of the same machine: gradients, tangents, and both of each other; and `vmap`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .._emulation.errors import Refused
from .._emulation.plan import Plan, plan_of_text
from .._emulation.plans import Shape, plan_of
from ._operator import Operands, kind_of, product
from ._product import NAMES, dtype_of
from ._product import product as _made

# Tensors that are nothing more than their values.
_PLAIN = (Tensor, torch.nn.Parameter)


def made(machine: str, plan: Plan, operands: Operands, threads: int = 0) -> Tensor:
    """The product by way of the operator, unless nobody but this processor is to see it."""
    if _is_seen(operands):
        return _seen(*operands, plan.text(), machine, threads)
    a, b, c, bias, start, scale_a, scale_b = operands
    return _made(a, b, plan, c, bias, start, threads, None if scale_a is None or scale_b is None else (scale_a, scale_b))


def _is_seen(operands: Operands) -> bool:
    """Whether a mode, a transformation, a trace or autograd of PyTorch looks at the product."""
    # First of all, as what compiles follows this function as well.
    return bool(
        torch.compiler.is_compiling()
        or torch._C._len_torch_dispatch_stack()
        or torch._C._len_torch_function_stack()
        or _is_transformed()
        or torch._C._is_tracing()
        or (torch.is_grad_enabled() and any(x is not None and x.requires_grad for x in operands))
        or any(x is not None and type(x) not in _PLAIN for x in operands)
    )


def _is_transformed() -> bool:
    """Whether `torch.func` or a forward derivative is under way."""
    return torch._C._functorch.peek_interpreter_stack() is not None or forward_ad._current_level >= 0


def _seen(*inputs: Any) -> Tensor:
    """The product as autograd and transformations of PyTorch take it: the operator knows neither tangents nor derivatives of gradients."""
    if not _is_transformed():
        found: Tensor = product(*inputs)
    elif torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.AutogradCPU):
        # Below autograd, as in a mode, the operator that is emulated has its own tangents.
        with forward_ad._set_fwd_grad_enabled(False):
            found = product(*inputs)
    else:
        found = Product.apply(*inputs)
    return found


def _setup(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    operands, (plan, machine, threads) = Operands(*inputs[:-3]), inputs[-3:]
    ctx.save_for_backward(operands.a, operands.b)
    ctx.types = [None if x is None else x.dtype for x in operands]
    ctx.plan, ctx.machine, ctx.threads = plan_of_text(plan), machine, threads


def _linear(ctx: Any, a: Tensor, derivative: str) -> Plan:
    """The plan, if the product is linear in each operand."""
    plan: Plan = ctx.plan
    if plan.activation != "none" or plan.scale != 1 or plan.saturate or a.dtype.itemsize == 1:
        raise Refused(f"mmasmt::product: expected a plan without activation, scale or FP8 for a {derivative}, found {plan.text()}")
    return plan


def _backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    """Gradients by the same machine: two products, in the format of the operands, each with the plan of its own shape."""
    a, b = ctx.saved_tensors
    plan = _linear(ctx, a, "gradient")
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


def _tangent(ctx: Any, *tangents: Any) -> Tensor:
    """The tangent by the same machine: a product for each factor, with the plan of the product, then what is added, in its format."""
    a, b = ctx.saved_tensors
    plan = _linear(ctx, a, "tangent")
    of_a, of_b, of_c, of_bias, *others = tangents[:-3]
    if any(x is not None for x in others):
        raise Refused("mmasmt::product: expected no tangents of block scales or of the first sum, found some; detach them")
    parts = [made(ctx.machine, plan, Operands(*pair), ctx.threads) for pair in ((of_a, b), (a, of_b)) if pair[0] is not None and pair[1] is not None]
    parts += [] if of_c is None else [of_c * plan.beta]
    parts += [] if of_bias is None else [of_bias]
    out = dtype_of(plan.out)
    total = parts[0].to(out)
    for part in parts[1:]:
        total = total + part.to(out)
    return total.expand(a.shape[0], a.shape[1], b.shape[2])


class Product(torch.autograd.Function):
    """The operator for transformations: derivatives of it have derivatives."""

    @staticmethod
    def forward(*inputs: Any) -> Tensor:
        found: Tensor = product(*inputs)
        return found

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        _setup(ctx, inputs, output)
        ctx.save_for_forward(inputs[0], inputs[1])

    backward = staticmethod(_backward)
    jvp = staticmethod(_tangent)

    @staticmethod
    def vmap(info: Any, dims: tuple[int | None, ...], *inputs: Any) -> Any:
        return _vmap(info, dims, *inputs)


product.register_autograd(_backward, setup_context=_setup)


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
    found = _seen(*given, *others)
    return found.reshape(info.batch_size, -1, *found.shape[1:]), 0


product.register_vmap(_vmap)
