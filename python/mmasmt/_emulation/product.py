"""One product of matrices as a library makes it, on arrays of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._formats import dtype_of
from .plan import Plan, model_of
from .rounding import canonical, to_tf32
from .turned import sums


def product(a: npt.NDArray[Any], b: npt.NDArray[Any], plan: Plan, threads: int = 0) -> npt.NDArray[Any]:
    """``a @ b`` by a plan that has no epilogue but one rounding.

    Parameters
    ----------
    a, b : ndarray
        Of shapes (B, M, K) and (B, K, N), in the formats of the plan's unit; f32 where the plan rounds to TF32.
    plan : Plan
        How the sum is made.
    threads : int
        How many to use; 0 for as many as there are processors.

    Returns
    -------
    ndarray
        Of shape (B, M, N), in the format of the plan.
    """
    out = dtype_of(plan.out)
    shape = (a.shape[0], a.shape[1], b.shape[2])
    if 0 in (*shape, a.shape[2]):
        return np.zeros(shape, out)
    if plan.round_in == "tf32":
        a, b = to_tf32(a), to_tf32(b)
    total = sums(a, b, None, unit=plan.unit, model=model_of(plan), threads=threads)
    with np.errstate(all="ignore"):
        # `fma(1, sum, +0)`: a sum of -0 becomes +0.
        found = np.ascontiguousarray((total + total.dtype.type(0)).astype(out))
    return canonical(found, plan.out, plan.nan)
