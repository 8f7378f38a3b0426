"""Convolutions as implicit products of matrices: `conv_general_dilated`, which is also what JAX makes their gradients of.

k runs over the window, then over channels, as kernels for tensor cores have it that keep channels last. Which kernel cuDNN takes is not
known here.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ._made import Place
from ._run import Run

_NOTE = "the order of k in a convolution is assumed: the window, then channels"


def _windows(x: jax.Array, kernel: list[int], strides: list[int], dilations: list[int]) -> jax.Array:
    """Of (N, C, *space), padded already: (N, C, *pixels, *window)."""
    dims = len(kernel)
    for dim in range(dims):
        axis = 2 + 2 * dim
        reach = dilations[dim] * (kernel[dim] - 1) + 1
        pixels = max(0, (x.shape[axis] - reach) // strides[dim] + 1)
        index = np.arange(pixels)[:, None] * strides[dim] + np.arange(kernel[dim])[None] * dilations[dim]
        x = jnp.take(x, index, axis=axis, mode="clip")
    order = [0, 1, *range(2, 2 + 2 * dims, 2), *range(3, 2 + 2 * dims, 2)]
    return jnp.transpose(x, order)


def conv_general_dilated(run: Run, params: dict[str, Any], out: Any, place: Place, a: jax.Array, b: jax.Array) -> jax.Array:
    """Groups of features or of the batch are a batch of products: `a` holds what is convolved, `b` the filters."""
    run.log.notes[_NOTE] += 1
    specs = params["dimension_numbers"]
    x, filters = jnp.transpose(a, specs.lhs_spec), jnp.transpose(b, specs.rhs_spec)
    spread = [(least, most, dilation - 1) for (least, most), dilation in zip(params["padding"], params["lhs_dilation"])]
    x = jax.lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *spread])
    kernel = list(filters.shape[2:])
    seen = _windows(x, kernel, list(params["window_strides"]), list(params["rhs_dilation"]))
    dims = len(kernel)
    pixels = list(seen.shape[2 : 2 + dims])
    features, of_batch = params["feature_group_count"], params["batch_group_count"]
    groups = features * of_batch
    batch, channels, outputs, window = x.shape[0] // of_batch, x.shape[1] // features, filters.shape[0] // groups, math.prod(kernel)
    seen = seen.reshape(of_batch, batch, features, channels, math.prod(pixels), window)
    columns = jnp.transpose(seen, (0, 2, 1, 4, 5, 3)).reshape(groups, batch * math.prod(pixels), window * channels)
    rows = filters.reshape(groups, outputs, channels, window)
    rows = jnp.transpose(rows, (0, 3, 2, 1)).reshape(groups, window * channels, outputs)
    found = run.product("conv_general_dilated", columns, rows, out, params["precision"], place)
    found = found.reshape(groups, batch, *pixels, outputs)
    # (groups, N, *pixels, O) to (N, groups * O, *pixels), then to the order of the result.
    found = jnp.transpose(found, (1, 0, 2 + dims, *range(2, 2 + dims))).reshape(batch, groups * outputs, *pixels)
    return jnp.transpose(found, np.argsort(specs.out_spec).tolist())
