"""Operators that are made of others: they run with a mode in force, so that their parts come back to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


def is_composite(func: Any) -> bool:
    """Whether PyTorch makes the operator of others on every device; it comes whole under `inference_mode`."""
    try:
        return bool(torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd"))
    except RuntimeError:
        # An overload that Python has and the dispatcher has not.
        return False


def composite(mode: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Such an operator, its parts seen by the mode."""
    with mode:
        # PyTorch's own code, where `decompose` would take one in Python that may cut products another way.
        if func.namespace == "aten":
            return func._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)
        return func.decompose(*args, **kwargs)


def split(mode: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The operator's own kernel for this processor, whose calls of PyTorch are seen by the mode."""
    with mode:
        return func.redispatch(_CPU, *args, **kwargs)


def as_tensors(func: Any, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Arguments with a tensor in the place of a number that stands for one: PyTorch passes those of no dimension to a mode so.

    None if there is no such number.
    """
    kinds = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}
    found = list(args)
    for place, (x, argument) in enumerate(zip(args, func._schema.arguments)):
        if type(x) in kinds and str(argument.type) == "Tensor":
            found[place] = torch.scalar_tensor(x, dtype=kinds[type(x)])
    return None if all(x is y for x, y in zip(args, found)) else tuple(found)


def kernel_of(func: Any, key: str = "CPU") -> Callable[..., Any] | None:
    """What PyTorch has now for an operator below autograd; None where its version (before 2.10) does not say that."""
    if is_composite(func):
        return lambda *args, **kwargs: func._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)
    get_kernel = getattr(torch.library, "get_kernel", None)
    if get_kernel is None:
        return None
    kernel, keys = get_kernel(func.name(), key), torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))
    return lambda *args, **kwargs: kernel.call_boxed(keys, *args, **kwargs)
