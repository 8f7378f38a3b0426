"""Products of matrices as libraries make them: promotion, split-K, and schemes around a unit."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._products import check_integer, matmul
from ._signatures import signature


def _around(name: str, unit: str, keys: list[str]) -> str:
    return f"{name}({unit}):{','.join(keys)}"


def composition(
    model: str, products: int, *, promote: int | None = None, split_k: int | None = None, scheme: str | None = None
) -> str:
    """The model of a dot product of so many products that a library makes of a unit.

    The parameters are those of `gemm`.

    Examples
    --------
    >>> import mmasmt
    >>> mmasmt.composition("fda:K=8", 64, promote=4, split_k=2)
    'splitk(promote(fda:K=8):every=4,K=32):S=2,K=64'
    """
    if promote is not None and scheme is not None:
        raise ValueError("promote: expected none beside a scheme, which says itself how sums are made")
    if not isinstance(scheme, str | None):
        raise TypeError(f"scheme: expected a text, found {type(scheme).__name__}")
    for argument, value in (("promote", promote), ("split_k", split_k), ("K", products)):
        if value is not None:
            check_integer(argument, value, 1)
    own = products if split_k is None else -(-products // split_k)
    if promote is not None:
        # Sums that are promoted follow each other; one that is not full at the end has fewer instructions.
        part = promote * signature(model).products
        model = _around("promote", model, [f"every={promote}", f"K={part if own % part == 0 else own}"])
    elif scheme is not None:
        name, _, keys = scheme.partition(":")
        model = _around(name, model, [*filter(None, [keys]), f"K={own}"])
    if split_k is not None:
        model = _around("splitk", model, [f"S={split_k}", f"K={products}"])
    return model


def gemm(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    model: str,
    promote: int | None = None,
    split_k: int | None = None,
    scheme: str | None = None,
    scale_a: Any = None,
    scale_b: Any = None,
    threads: int = 0,
) -> Any:
    """``a @ b + c`` as a library computes it with a unit: `matmul`, with what stands around the unit as arguments.

    Parameters
    ----------
    a, b, c : array_like
        As for `matmul`; where a scheme takes numbers in parts, of the format that it takes: float32 for ``"3xtf32"``.
    model : str
        The instruction that does the sums.
    promote : int, optional
        Every so many instructions the sum is added to one outside of the unit, and begins again at +0.
    split_k : int, optional
        The products in so many parts, each summed from +0; the sums are added one after the other, then `c`.
    scheme : str, optional
        A scheme of multiplication in parts, with its keys: ``"3xtf32"``, ``"cutlass-9xbf16"``; ``mmasmt models --algorithms``
        lists them.
    scale_a, scale_b, threads
        As for `matmul`.

    Returns
    -------
    ndarray or torch.Tensor
        In the format of the result; a tensor if `a` is one.

    Examples
    --------
    1 + 2^-14 is 1 in the sum of Hopper's FP8 instruction; outside of it, it is not.

    >>> import mmasmt, numpy as np
    >>> a = np.zeros((1, 64), np.float32)
    >>> a[0, :1], a[0, 32:] = 1, 2.0**-7
    >>> unit = "hopper/wgmma.m64nNk32.f32.e4m3.e4m3"
    >>> float(mmasmt.gemm(a, a.T, model=unit)[0, 0]), float(mmasmt.gemm(a, a.T, model=unit, promote=1)[0, 0])
    (1.0, 1.001953125)
    """
    if promote is not None or split_k is not None or scheme is not None:
        shape = tuple(np.shape(a))
        if len(shape) < 2:
            raise ValueError(f"a: expected at least two dimensions, found shape {shape}")
        model = composition(model, shape[-1], promote=promote, split_k=split_k, scheme=scheme)
    return matmul(a, b, c, model=model, scale_a=scale_a, scale_b=scale_b, threads=threads)
