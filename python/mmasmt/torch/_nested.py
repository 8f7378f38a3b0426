"""Products of nested tensors, one for each part: what attention over jagged tensors consists of on this processor."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ._offers import Emulation

# Operators of two nested tensors with as many parts.
NAMES = ("matmul", "bmm")
_NOTE = "products of nested tensors: one for each part, where a GPU takes a grouped product or FlashAttention"


def by_parts(run: Emulation, a: Any, b: Any) -> Tensor:
    """The products of all parts, as a nested tensor."""
    run.log.notes[_NOTE] += 1
    with run:
        parts = [torch.matmul(x, y) for x, y in zip(a.unbind(), b.unbind())]
    found: Tensor = torch._nested_tensor_from_tensor_list(parts)
    return found
