"""What `precision=` asks for: formats of the operands, and into how many parts a factor in f32 is cut.

XLA on a GPU of NVIDIA multiplies f32 in TF32 unless an operand asks for the precision HIGHEST, and FP8 with fast accumulation if both
operands ask for DEFAULT. An algorithm such as BF16_BF16_F32_X6 cuts both factors into parts, multiplies pairs of parts one after the
other, and adds the products in f32: low ones first, then NaN becomes zero, then the product of the high parts (`dot_algorithm_rewriter`
and, for X9, the emitter of Triton in XLA).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._emulation.errors import Refused
from .._emulation.units import architecture_of, has_unit
from .._formats import dtype_of

NAMES = {dtype_of(name): name for name in ("f64", "f32", "f16", "bf16", "e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz")}

# Pairs of parts, in the order of their sum; part 0 is the high one.
_X3 = ((1, 0), (0, 1), (0, 0))
_X6 = ((1, 1), (0, 2), (2, 0), (0, 1), (1, 0), (0, 0))
_X9 = ((2, 2), (1, 2), (2, 1), (1, 1), (2, 0), (0, 2), (1, 0), (0, 1), (0, 0))


class Algorithm(NamedTuple):
    """How operands reach a unit.

    `kind` names their format there, as the tables of units do; `convert` is the format that they are rounded to first, if any; `pairs`
    are the products of parts, and empty where an operand is not cut; `fast` is `Shape.fast`, of FP8 alone.
    """

    kind: str
    convert: str | None = None
    pairs: tuple[tuple[int, int], ...] = ()
    fast: bool | None = None


_PRESETS = {
    "F16_F16_F32": Algorithm("f16", "f16"),
    "BF16_BF16_F32": Algorithm("bf16", "bf16"),
    "BF16_BF16_F32_X3": Algorithm("bf16", "f32", _X3),
    "BF16_BF16_F32_X6": Algorithm("bf16", "f32", _X6),
    "BF16_BF16_F32_X9": Algorithm("bf16", "f32", _X9),
    "TF32_TF32_F32": Algorithm("tf32", "f32"),
    "TF32_TF32_F32_X3": Algorithm("tf32", "f32", _X3),
    "F32_F32_F32": Algorithm("f32", "f32"),
    "F64_F64_F64": Algorithm("f64", "f64"),
}
_F8 = {
    "ANY_F8_ANY_F8_F32": False,
    "ANY_F8_ANY_F8_F32_FAST_ACCUM": True,
    "ANY_F8_ANY_F8_ANY": False,
    "ANY_F8_ANY_F8_ANY_FAST_ACCUM": True,
}
_RESULTS = {"f64": ("f64",)}


def algorithm_of(machine: str, tf32: bool | None, precision: Any, a: Any, b: Any, out: Any) -> Algorithm:
    """The algorithm of a product on a machine.

    Parameters
    ----------
    machine : str
        A product or an architecture.
    tf32 : bool, optional
        Whether products of f32 are made in TF32; None follows `precision`, as XLA does.
    precision : None, pair of Precision, DotAlgorithmPreset or DotAlgorithm
        As JAX has it in the equation.
    a, b, out : dtype
        Of the operands and of the result.

    Raises
    ------
    Refused
        If nothing here multiplies these formats, or has this algorithm.
    """
    for x in (a, b):
        if x not in NAMES:
            raise Refused(f"expected operands in f16, bf16, f32, f64 or FP8, found {x}; convert them")
    first, second = NAMES[a], NAMES[b]
    small = a.itemsize == b.itemsize == 1
    if precision is None or isinstance(precision, tuple) or getattr(precision, "name", "") == "DEFAULT":
        if first != second and not small:
            raise Refused(f"expected operands of one type, found {a} and {b}; convert one of them")
        level = max((x.value for x in precision), default=0) if isinstance(precision, tuple) else 0
        if small:
            found = Algorithm(f"{first}.{second}", fast=level == 0)
        elif first == "f32":
            found = Algorithm("tf32" if _is_tf32(machine, tf32, level, NAMES.get(out)) else "f32")
        else:
            found = Algorithm(first)
    else:
        found = _of_preset(precision, first, second, small)
    results = _RESULTS.get(found.kind, ("f32", "f16", "bf16"))
    if NAMES.get(out) not in results:
        raise Refused(f"expected a result in {', '.join(results)} of operands in {found.kind}, found {out}; convert it afterwards")
    return found


def _of_preset(precision: Any, first: str, second: str, small: bool) -> Algorithm:
    name = getattr(precision, "name", None)
    if name in _F8:
        if not small:
            raise Refused(f"expected operands in FP8 for {name}, found {first} and {second}")
        return Algorithm(f"{first}.{second}", fast=_F8[name])
    if name not in _PRESETS:
        known = ", ".join([*_PRESETS, *_F8])
        raise Refused(f"expected one of the algorithms {known}, found {precision}; take one of these, or precision=None")
    return _PRESETS[name]


def _is_tf32(machine: str, tf32: bool | None, level: int, out: str | None) -> bool:
    """XLA takes TF32 on NVIDIA alone, for results in f32, unless an operand asks for HIGHEST."""
    if tf32 is not None:
        return tf32
    is_nvidia = not architecture_of(machine).startswith(("cdna", "rdna"))
    return is_nvidia and level < 2 and out == "f32" and has_unit(machine, "tf32")


def converted(x: npt.NDArray[Any], algorithm: Algorithm) -> npt.NDArray[Any]:
    """An operand rounded to nearest even in the format that the algorithm takes."""
    if algorithm.convert is None:
        return x
    with np.errstate(all="ignore"):
        return x.astype(dtype_of(algorithm.convert))


def parts(x: npt.NDArray[np.float32], algorithm: Algorithm) -> list[npt.NDArray[Any]]:
    """High to low parts of an operand in f32: all but the last one are its first bits, as many as the format has.

    The last one is what is left: rounded to nearest even for bf16, and as it is for TF32, whose unit rounds it.
    """
    mask = np.uint32(0xFFFF0000 if algorithm.kind == "bf16" else 0xFFFFE000)
    found: list[npt.NDArray[Any]] = []
    with np.errstate(all="ignore"):
        for _ in range(max(first for first, _ in algorithm.pairs)):
            high = (x.view(np.uint32) & mask).view(np.float32)
            found.append(high)
            x = x - high
        found.append(x)
        return [part.astype(dtype_of("bf16")) for part in found] if algorithm.kind == "bf16" else found


def joined(products: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    """The sum of products of parts in f32, one after the other; what is not finite comes from the high parts alone."""
    *low, high = products
    with np.errstate(all="ignore"):
        total = low[0]
        for one in low[1:]:
            total = total + one
        found: npt.NDArray[np.float32] = np.where(np.isnan(total), np.float32(0), total) + high
        return found
