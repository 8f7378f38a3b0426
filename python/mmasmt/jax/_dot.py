"""Products of matrices: `dot_general` with any batch and contracting dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ._made import Place
from ._run import Run

_NOTE = "k runs over several dimensions in the order of the call, which a library may change"


def _matrices(x: jax.Array, *groups: Sequence[int]) -> jax.Array:
    """The array with one dimension for each group of its dimensions."""
    order = [dim for group in groups for dim in group]
    return jnp.transpose(x, order).reshape([math.prod(x.shape[dim] for dim in group) for group in groups])


def dot_general(run: Run, params: dict[str, Any], out: Any, place: Place, a: jax.Array, b: jax.Array) -> jax.Array:
    """Batch dimensions, then those of `a`, then those of `b`, as JAX orders them; k in the order of the contracting dimensions."""
    (sum_a, sum_b), (batch_a, batch_b) = params["dimension_numbers"]
    free_a = [dim for dim in range(a.ndim) if dim not in (*sum_a, *batch_a)]
    free_b = [dim for dim in range(b.ndim) if dim not in (*sum_b, *batch_b)]
    left, right = _matrices(a, batch_a, free_a, sum_a), _matrices(b, batch_b, sum_b, free_b)
    if len(sum_a) > 1:
        run.log.notes[_NOTE] += 1
    found = run.product("dot_general", left, right, out, params["precision"], place)
    sizes = [a.shape[dim] for dim in (*batch_a, *free_a)] + [b.shape[dim] for dim in free_b]
    return found.reshape(sizes)
