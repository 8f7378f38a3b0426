"""Formats of the models as types of NumPy and of ml_dtypes."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from typing import Any

import numpy as np

# The type of each format; those that NumPy lacks are of ml_dtypes. TF32 is f32 whose 13 low bits are not read.
_NAMES = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "tf32": "float32",
    "bf16": "bfloat16",
    "e4m3": "float8_e4m3fn",
    "e4m3ieee": "float8_e4m3",
    "e3m4": "float8_e3m4",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e5m2": "float8_e5m2",
    "e5m2fnuz": "float8_e5m2fnuz",
    "e2m1": "float4_e2m1fn",
    "e2m3": "float6_e2m3fn",
    "e3m2": "float6_e3m2fn",
    "ue8m0": "float8_e8m0fnu",
    "s8": "int8",
    "s16": "int16",
    "s32": "int32",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
}


_FOUND: dict[str, np.dtype[Any]] = {}


@cache
def container(width: int) -> np.dtype[Any]:
    """The unsigned type of NumPy that holds registers of so many bits."""
    size = next(size for size in (8, 16, 32, 64) if width <= size)
    return np.dtype(f"uint{size}")


def is_integer(format: str) -> bool:
    """Whether the format is one of integers: s8, u4, b1."""
    return format[0] in "sub" and format[1:].isdigit()


def dtype_of(format: str) -> np.dtype[Any] | None:
    """The type of a format; none where neither NumPy nor an ml_dtypes that is installed has one."""
    known = _FOUND.get(format)
    if known is not None:
        return known
    name = _NAMES.get(format)
    if name is None:
        return None
    kind: Any = getattr(np, name, None)
    if kind is None:
        try:
            kind = getattr(importlib.import_module("ml_dtypes"), name, None)
        except ImportError:
            return None
    if kind is None:
        return None
    _FOUND[format] = np.dtype(kind)
    return _FOUND[format]


def type_name(format: str) -> str:
    """What an array of the format is called in errors."""
    name = _NAMES.get(format)
    return f"{name} ({format})" if name else format


def torch_dtype(format: str) -> Any:
    """The type of PyTorch, if it is loaded and has one."""
    torch = sys.modules.get("torch")
    return getattr(torch, _NAMES.get(format, ""), None)
