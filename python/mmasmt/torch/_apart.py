"""Operators that are made of others: they run with a mode in force, so that their parts come back to it."""

from __future__ import annotations

from typing import Any

import torch

_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


def is_composite(func: Any) -> bool:
    """Whether PyTorch makes the operator of others on every device; it comes whole under `inference_mode`."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd"))


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
