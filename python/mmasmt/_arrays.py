"""Arrays as registers, and registers as arrays."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._formats import container, dtype_of, is_integer, torch_dtype, type_name

Registers = npt.NDArray[np.unsignedinteger[Any]]


class Kind(NamedTuple):
    """A format by name, and the width of its registers."""

    format: str
    width: int


def is_torch(value: Any) -> bool:
    """Whether the value is a tensor of PyTorch, which need not be installed."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def bits_of(tensor: Any) -> Registers:
    """The memory of a contiguous tensor on this processor as unsigned integers of the same width."""
    kind, _, unsigned = _integers_of(sys.modules["torch"])[tensor.element_size()]
    found: Registers = tensor.view(kind).numpy().view(unsigned)
    return found


@cache
def _integers_of(torch: Any) -> dict[int, tuple[Any, np.dtype[Any], np.dtype[Any]]]:
    """By bytes the integers that PyTorch and NumPy share, as both call them, and those of NumPy that registers are."""
    names = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}
    return {size: (getattr(torch, name), np.dtype(name), np.dtype(f"uint{8 * size}")) for size, name in names.items()}


def _from_torch(value: Any, kind: Kind) -> npt.NDArray[Any]:
    tensor = value.detach().cpu().contiguous()
    if tensor.dtype != torch_dtype(kind.format):
        return np.asarray(tensor)
    return bits_of(tensor)


def _as_array(value: Any) -> npt.NDArray[Any]:
    # NumPy itself asks for `__array__`; what only has DLPack would become an array of one object.
    if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        return np.from_dlpack(value)
    return np.asarray(value)


def registers(name: str, value: Any, kind: Kind) -> Registers:
    """The registers of an array, with its shape, in the narrowest type that holds them.

    An array of the format's type, or of unsigned integers as wide as its registers, holds the bits themselves; another array of
    numbers has to hold values that the format has.
    """
    array = _from_torch(value, kind) if is_torch(value) else _as_array(value)
    own, bits = dtype_of(kind.format), container(kind.width)
    if is_integer(kind.format):
        return _integers(name, array, kind)
    if array.dtype == own or array.dtype == bits:
        found = np.ascontiguousarray(array).reshape(array.shape).view(bits)
        if kind.width < 8 * bits.itemsize and found.size and int(found.max()) >> kind.width:
            raise ValueError(f"{name}: expected registers of {kind.width} bits, found {int(found.max()):#x}")
        return found
    if array.dtype.kind not in "fiu" or own is None:
        raise TypeError(f"{name}: expected an array of {type_name(kind.format)} or its bits as {bits}, found {array.dtype}")
    with np.errstate(all="ignore"):
        converted = array.astype(own)
        back = converted.astype(np.float64)
    wide = array.astype(np.float64)
    same = (back == wide) | (np.isnan(back) & np.isnan(wide))
    if not np.all(same):
        where = tuple(int(i) for i in np.argwhere(~same)[0])
        raise ValueError(f"{name}: expected values that {type_name(kind.format)} has, found {array[where]} at {where}; round it first")
    return np.ascontiguousarray(converted).reshape(converted.shape).view(bits)


def _integers(name: str, array: npt.NDArray[Any], kind: Kind) -> Registers:
    if array.dtype.kind not in "iu" and array.dtype.name not in ("int4", "uint4", "int2", "uint2"):
        raise TypeError(f"{name}: expected an array of integers ({kind.format}), found {array.dtype}")
    wide = array.astype(np.int64)
    signed = kind.format.startswith("s")
    least, most = (-(1 << (kind.width - 1)), (1 << (kind.width - 1)) - 1) if signed else (0, (1 << kind.width) - 1)
    if wide.size and (wide.min() < least or wide.max() > most):
        raise ValueError(f"{name}: expected integers from {least} to {most} ({kind.format}), found {wide.min()} to {wide.max()}")
    mask = np.int64((1 << kind.width) - 1)
    return (wide & mask).astype(container(kind.width))


def array(bits: Registers, kind: Kind, like_torch: bool = False) -> Any:
    """Registers as an array of the format's type; their bits where there is no such type, a tensor if one was given."""
    found = bits.astype(container(kind.width), copy=False)
    own = dtype_of(kind.format)
    if like_torch and (of_torch := torch_dtype(kind.format)) is not None:
        torch = sys.modules["torch"]
        if own is not None and own.isbuiltin == 1 and own.kind == "f":
            return torch.from_numpy(found.view(own))
        _, shared, _ = _integers_of(torch)[found.itemsize]
        return torch.from_numpy(found.view(shared)).view(of_torch)
    return found if own is None else found.view(own)
