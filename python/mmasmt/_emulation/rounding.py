"""Roundings around a unit, on arrays of NumPy: TF32, and how a machine writes a NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

# NaN of a result as conversions of NVIDIA write it, all ones; others write the quiet NaN of IEEE 754.
NAN_ONES = {
    "f64": 0x7FF8000000000000, "f32": 0x7FFFFFFF, "f16": 0x7FFF, "bf16": 0x7FFF, "e4m3": 0x7F, "e5m2": 0x7F,
}  # fmt: skip


def to_tf32(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """f32 rounded to TF32, to nearest even: the 13 low bits are zero. Infinities and NaN stay as they are."""
    code = np.ascontiguousarray(x).view(np.uint32)
    rounded = (code + np.uint32(0xFFF) + ((code >> np.uint32(13)) & np.uint32(1))) & np.uint32(0xFFFFE000)
    found: npt.NDArray[np.float32] = np.where(np.isfinite(x), rounded, code).view(np.float32)
    return found


def canonical(x: npt.NDArray[Any], format: str, nan: str) -> npt.NDArray[Any]:
    """The array, of a format by name, with every NaN as the machine writes it; `nan` is ``ones`` or ``quiet``."""
    if nan != "ones" or format not in NAN_ONES or not np.isnan(x).any():
        return x
    codes = np.ascontiguousarray(x).view(f"uint{8 * x.itemsize}")
    found: npt.NDArray[Any] = np.where(np.isnan(x), codes.dtype.type(NAN_ONES[format]), codes).view(x.dtype)
    return found
