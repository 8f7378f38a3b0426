"""Attention in tiles, as FlashAttention 2 computes it, and its gradients; close, not exact.

Tiles of keys from the last to the first; the products in f32 by the unit, whose accumulator is the running result; maxima, rescaling
and sums in f32 in the order of the threads. Exponentials and the reciprocal are rounded correctly here, where a GPU has tables of its
own: MUFU.EX2 differs by a unit in the last place at most (Dao 2023, csrc/flash_attn/src; arXiv 2606.00279).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._emulation.errors import Refused
from .._emulation.units import architecture_of
from ._handlers import emulated
from ._offers import Emulation
from ._rounding import F32, fma_f32

_NOTE = "attention: tiles of FlashAttention 2 with correctly rounded exponentials"
_RULE = {"source": "tiles of FlashAttention 2, from its source", "verified": "reported"}


def _tile(machine: str, head: int, causal: bool) -> int:
    """Keys of one tile, without dropout, by the size of a head."""
    if head <= 64:
        return 128
    if architecture_of(machine) in ("ada", "rtx-blackwell") and 96 < head <= 128 and not causal:
        return 32
    return 64


@emulated("_scaled_dot_product_flash_attention_for_cpu")
def attention(
    run: Emulation, q: Tensor, k: Tensor, v: Tensor, dropout: float = 0.0, causal: bool = False, *,
    attn_mask: Tensor | None = None, scale: float | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    if run.attention == "error":
        raise Refused(f"attention of {tuple(q.shape)} is close and not exact: pass attention='flash2' or 'math'")
    if dropout:
        raise Refused(f"attention of {tuple(q.shape)} with dropout {dropout} is not emulated: pass attention='math', or eval()")
    run.log.notes[_NOTE] += 1
    if attn_mask is not None or q.dtype not in (torch.float16, torch.bfloat16):
        run.log.notes["attention with a mask or in f32: a GPU takes another kernel than FlashAttention 2"] += 1
    batch, heads, rows, size = q.shape
    query, key, value = (_flat(x, heads) for x in (q, k, v))
    keys = key.shape[1]
    mask = None if attn_mask is None else attn_mask.expand(batch, heads, rows, keys).reshape(-1, rows, keys)
    found, logs = in_tiles(run, query, key, value, torch.arange(rows) if causal else None, mask, factor_of(size, scale))
    return found.reshape(batch, heads, rows, -1), logs.reshape(batch, heads, rows)


def factor_of(size: int, scale: float | None) -> float:
    """What scores are multiplied with."""
    return 1 / math.sqrt(size) if scale is None else scale


def in_tiles(
    run: Emulation, query: Tensor, key: Tensor, value: Tensor, places: Tensor | None, mask: Tensor | None, factor: float
) -> tuple[Tensor, Tensor]:
    """Attention of rows of queries, and the logarithms of their sums.

    Parameters
    ----------
    query, key, value : Tensor
        Queries, keys and values of shapes (B, M, D), (B, N, D) and (B, N, E).
    places : Tensor, optional
        Of shape (M,) or (B, M): for a causal mask, the last key that each row sees.
    mask : Tensor, optional
        A mask of shape (B, M, N), added to the scores.
    factor : float
        What scores are multiplied with.

    Returns
    -------
    tuple of Tensor
        Of shapes (B, M, E) and (B, M).
    """
    batch, rows, size = query.shape
    keys, wide = key.shape[1], _wide(query)
    mask = None if mask is None else mask.to(wide)
    log2 = float(np.float32(np.float32(factor) * np.float32(math.log2(math.e))))
    most = torch.full((batch, rows, 1), -math.inf, dtype=wide)
    sums = torch.zeros(batch, rows, 4, dtype=wide)
    total: Tensor | None = None
    width = _tile(run.machine, size, places is not None)
    for first in reversed(range(0, keys, width)):
        scores = _sums(run, "attention.scores", query, key[:, first : first + width].transpose(1, 2))
        if mask is not None:
            scores = scores + mask[..., first : first + width] / factor
        if places is not None:
            beyond = torch.arange(first, first + scores.shape[-1]) > places[..., None]
            scores = scores.masked_fill(beyond, -math.inf)
        found = torch.maximum(most, scores.amax(-1, keepdim=True))
        base = torch.where(found == -math.inf, 0.0, found)
        weights = _exp2(_fma(log2, scores, (-(base * log2)).expand(scores.shape)))
        rescaled = _exp2((most - base) * log2)
        sums = _row_sums(sums, weights, rescaled)
        most = found
        start = None if total is None else total * rescaled
        total = _sums(run, "attention.values", weights.to(query.dtype), value[:, first : first + width], start)
    assert total is not None
    row = ((sums[..., 0] + sums[..., 2]) + (sums[..., 1] + sums[..., 3]))[..., None]
    inverse = torch.where(row == 0, 1.0, 1 / row)
    return (total * inverse).to(query.dtype), (most * factor + torch.log(row))[..., 0]


@emulated("_scaled_dot_product_flash_attention_for_cpu_backward")
def attention_backward(
    run: Emulation, grad: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, logs: Tensor, dropout: float, causal: bool, *,
    attn_mask: Tensor | None = None, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Its formulas with weights and their gradients in the format of the operands; the order over tiles is not followed."""
    run.log.notes["gradients of attention: one tile, without the atomic additions of a GPU"] += 1
    batch, heads, rows, size = q.shape
    query, key, value, of_out, result = (
        _flat(x, heads) for x in (grad.new_empty(0) if x is None else x for x in (q, k, v, grad, out))
    )
    factor = factor_of(size, scale)
    scores = _sums(run, "attention_backward.scores", query, key.transpose(1, 2)) * factor
    if attn_mask is not None:
        scores = scores + attn_mask.expand(batch, heads, rows, key.shape[1]).reshape(scores.shape).to(scores.dtype)
    if causal:
        scores = scores.masked_fill(torch.ones(rows, key.shape[1]).triu(1).bool(), -math.inf)
    weights = torch.exp(scores - logs.to(scores.dtype).reshape(batch * heads, rows, 1))
    row = (of_out.to(_wide(q)) * result.to(_wide(q))).sum(-1, keepdim=True)
    of_weights = _sums(run, "attention_backward.weights", of_out, value.transpose(1, 2))
    of_scores = (weights * (of_weights - row) * factor).to(q.dtype)
    of_query = _sums(run, "attention_backward.query", of_scores, key)
    of_key = _sums(run, "attention_backward.key", of_scores.transpose(1, 2), query)
    of_value = _sums(run, "attention_backward.value", weights.to(q.dtype).transpose(1, 2), of_out)
    shaped = (x.to(q.dtype).reshape(batch, heads, x.shape[1], -1) for x in (of_query, of_key, of_value))
    first, second, third = shaped
    return first, _of_heads(second, k), _of_heads(third, v)


def _of_heads(x: Tensor, like: Tensor) -> Tensor:
    """Gradients of heads that several queries share are added."""
    if x.shape[1] == like.shape[1]:
        return x
    return x.reshape(x.shape[0], like.shape[1], -1, *x.shape[2:]).float().sum(2).to(x.dtype)


def _flat(x: Tensor, heads: int) -> Tensor:
    """(batch, heads, rows, size) as (batch * heads, rows, size), heads of fewer keys repeated."""
    if x.shape[1] != heads:
        x = x.repeat_interleave(heads // x.shape[1], 1)
    return x.reshape(-1, *x.shape[2:])


def _sums(run: Emulation, op: str, a: Tensor, b: Tensor, start: Tensor | None = None) -> Tensor:
    """A product in the format of its accumulator."""
    return run.product(op, a, b, start=start, out=_wide(a), plan_changes=_RULE)


def _wide(x: Tensor) -> torch.dtype:
    return torch.float64 if x.dtype == torch.float64 else F32


def _fma(alpha: float | Tensor, x: Tensor, y: Tensor) -> Tensor:
    return fma_f32(alpha, x, y) if x.dtype == F32 else alpha * x + y


def _exp2(x: Tensor) -> Tensor:
    return torch.exp2(x.double()).to(x.dtype)


def _row_sums(sums: Tensor, weights: Tensor, rescaled: Tensor) -> Tensor:
    """Sums of four threads: thread t has columns 8 j + 2 t and the next one; the first is a fused multiply-add with the old sum."""
    short = -weights.shape[-1] % 8
    if short:
        weights = torch.nn.functional.pad(weights, (0, short))
    of_thread: Any = weights.reshape(*weights.shape[:-1], -1, 4, 2).transpose(-3, -2).flatten(-2)
    first = _fma(rescaled, sums, of_thread[..., 0])
    for column in of_thread[..., 1:].unbind(-1):
        first = first + column
    return first
