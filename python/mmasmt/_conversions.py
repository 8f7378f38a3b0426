"""Conversions of arrays, number by number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _native
from ._arrays import array, is_torch, registers
from ._formats import container
from ._products import _MOST_THREADS, _NONE, check_integer
from ._signatures import Signature, signature

def convert(a: Any, c: Any = None, *, model: str, threads: int = 0) -> Any:
    """The numbers of an array as a conversion gives them.

    Parameters
    ----------
    a : array_like
        Any shape; the last dimension holds the numbers that the unit takes at once.
    c : array_like, optional
        The further operand of a conversion that has one, such as random bits: of the shape of the result.
    model : str
        A conversion: ``f32 -> bf16``, ``f64 -> f32 -> e4m3 overflow saturate``, a row such as ``ptx/cvt.rn.satfinite.e4m3x2.f32``, or a
        unit of one operand.
    threads : int, optional
        How many to use; 0 for as many as there are processors.

    Returns
    -------
    ndarray or torch.Tensor
        In the format of the result; a tensor if `a` is one.

    Examples
    --------
    >>> import mmasmt, numpy as np
    >>> mmasmt.convert(np.float32([1, 1000, -0.1]), model="f32 -> e4m3 overflow saturate").astype(float).tolist()
    [1.0, 448.0, -0.1015625]
    >>> mmasmt.convert([1.0], model="fda")
    Traceback (most recent call last):
    ...
    ValueError: model: expected a conversion such as `f32 -> bf16`, found `fda`, which sums products
    """
    kinds = signature(model)
    if not kinds.is_conversion:
        raise ValueError(f"model: expected a conversion such as `f32 -> bf16`, found `{model}`, which sums products")
    if kinds.scale is not None:
        raise ValueError(f"model: expected a conversion without scales, found `{model}`")
    check_integer("threads", threads, 0, _MOST_THREADS)
    bits = registers("a", a, kinds.a)
    shape = bits.shape
    if kinds.products > 1:
        if not shape or shape[-1] != kinds.products:
            raise ValueError(f"a: expected {kinds.products} numbers in the last dimension, found shape {shape}")
        shape = shape[:-1]
    rows = [np.ascontiguousarray(bits).reshape(-1), _NONE, _further(c, kinds, shape), _NONE, _NONE]
    found = _native.dot(model, rows, math.prod(shape), threads)
    return array(found.reshape(shape), kinds.d, is_torch(a))


def _further(c: Any, kinds: Signature, shape: tuple[int, ...]) -> Any:
    has_c = kinds.c.format != "none"
    if c is None:
        return np.zeros(math.prod(shape), container(kinds.c.width)) if has_c else _NONE
    if not has_c:
        raise ValueError("c: expected none, the conversion has no further operand")
    bits = registers("c", c, kinds.c)
    if bits.size != math.prod(shape):
        raise ValueError(f"c: expected shape {shape}, found {bits.shape}")
    return np.ascontiguousarray(bits).reshape(-1)
