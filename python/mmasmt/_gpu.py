"""Products of tensors that are on a GPU already: nothing is copied."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

from . import _native
from ._arrays import Kind, is_torch
from ._formats import torch_dtype

if TYPE_CHECKING:
    from ._signatures import Signature

_Matrix = tuple[int, int, int]


def ordinal_of(device: str) -> int | None:
    """The number of the GPU that a device names; None for what names none."""
    name, _, number = device.partition(":")
    if name != "cuda" or not (number.isdecimal() or device == "cuda"):
        return None
    return int(number or 0)


def _fits(tensor: Any, kind: Kind, ordinal: int) -> bool:
    """Whether a tensor is a matrix of registers of a format, on this GPU."""
    return (
        is_torch(tensor)
        and tensor.ndim == 2
        and tensor.device.type == "cuda"
        and tensor.device.index == ordinal
        and tensor.dtype == torch_dtype(kind.format)
        and 8 * tensor.element_size() == kind.width
    )


def _matrix(tensor: Any) -> _Matrix:
    return (tensor.data_ptr(), *tensor.stride())


def matmul(model: str, kinds: Signature, operands: list[Any], scales: list[Any], device: str) -> Any:
    """The product of A, B and C (or None); None where they are no matrices of the model's formats on the GPU."""
    ordinal = ordinal_of(device)
    in_place = getattr(_native, "matmul_in_place", None)
    a, b, c = operands
    formats = [kinds.a, kinds.b, *([] if c is None else [kinds.c])]
    given = [a, b, *([] if c is None else [c])]
    if kinds.scale is not None:
        formats, given = [*formats, kinds.scale, kinds.scale], [*given, *scales]
    elif any(scale is not None for scale in scales):
        return None
    own = torch_dtype(kinds.d.format)
    if ordinal is None or in_place is None or own is None:
        return None
    if not all(_fits(tensor, kind, ordinal) for tensor, kind in zip(given, formats)):
        return None
    rows, depth, columns = int(a.shape[0]), int(a.shape[1]), int(b.shape[1])
    blocks = -(-depth // kinds.block) if kinds.block else 0
    shapes = [(rows, depth), (depth, columns), *([] if c is None else [(rows, columns)]), (rows, blocks), (blocks, columns)]
    if any(tuple(tensor.shape) != shape for tensor, shape in zip(given, shapes)):
        return None  # the processor's path says what is wrong
    torch = sys.modules["torch"]
    given = [tensor.detach() for tensor in given]
    start = None if c is None else given[2].contiguous()
    d = torch.empty((rows, columns), dtype=own, device=a.device)
    torch.cuda.current_stream(a.device).synchronize()
    reason = in_place(
        model,
        ordinal,
        [rows, columns, depth],
        (_matrix(given[0]), _matrix(given[1])),
        (_matrix(given[-2]), _matrix(given[-1])) if kinds.scale is not None else None,
        0 if start is None else start.data_ptr(),
        d.data_ptr(),
    )
    if reason is None:
        return d
    warnings.warn(f"{reason}; the processor multiplies instead", RuntimeWarning, stacklevel=3)
    return None
