"""Operators with products of matrices inside that are not emulated, and what can be done instead of each."""

from __future__ import annotations

from typing import Any

import torch

_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def is_exact(tensors: list[torch.Tensor]) -> bool:
    """Whether all operands are integers, whose products are the same on every machine."""
    return all(not x.dtype.is_floating_point and not x.dtype.is_complex for x in tensors)


def refusal(func: Any, tensors: list[torch.Tensor], is_handled: bool = False) -> str | None:
    """Why an operator is refused, in words that go behind its name; None for what has no products, or is emulated."""
    if is_handled:
        return _operands(tensors)
    return None


def _operands(tensors: list[torch.Tensor]) -> str | None:
    for x in tensors:
        if x.dtype.is_complex:
            return f"expected real operands, found {x.dtype}; split them into real and imaginary parts"
        if x.device.type != "cpu":
            return f"expected tensors on the CPU, found one on {x.device}; move the model with .cpu()"
        if x.layout != torch.strided or x.is_quantized:
            found = "a quantised one" if x.is_quantized else f"one of layout {x.layout}"
            return f"expected dense tensors, found {found}; convert it"
    return None
