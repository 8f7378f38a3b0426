"""Attention in a log: elements of it as tiles of FlashAttention 2 give them, and how far others may be from them.

A GPU has tables of its own for exponentials, and other kernels have other tiles, so that bits need not be the same. What all of them
share is that weights are rounded to the format of the operands and sums are made in f32: that bounds how far two of them are apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ._attention import factor_of, in_tiles
from ._contexts import native
from ._finding import Finding
from ._log import Entry, same_bits
from ._rounding import ranks
from ._sample import Sample
from ._some import Some

# Kernels of a GPU, and that of this processor.
OF_THIS_PROCESSOR = "_scaled_dot_product_flash_attention_for_cpu"
OPERATORS = (
    OF_THIS_PROCESSOR, "_scaled_dot_product_flash_attention", "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_cudnn_attention", "_scaled_dot_product_fused_attention_overrideable",
)  # fmt: skip
_HOW = "tiles of FlashAttention 2, correctly rounded exponentials"
# Half a unit in the last place of 1, of weights that are no f32.
_ROUNDOFF = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
# Below the least normal number weights have this error.
_LEAST = {torch.float16: 2.0**-25, torch.bfloat16: 2.0**-134}
# Of a sum or an exponential in f32, relative, generously.
_IN_F32 = 2.0**-22


@dataclass(frozen=True)
class Attention:
    """A call of attention, whichever kernel it is for: queries, keys and values of shape (batch, heads, rows, size)."""

    query: Tensor
    key: Tensor
    value: Tensor
    mask: Tensor | None
    is_causal: bool
    dropout: float
    scale: float | None

    @property
    def refusal(self) -> str:
        """Why it is not checked; empty for one that is."""
        if self.dropout:
            return f"attention with dropout {self.dropout}, whose random bits nobody recorded"
        if self.query.dtype not in _ROUNDOFF:
            return f"attention in {str(self.query.dtype).removeprefix('torch.')}, for which libraries have kernels of another kind"
        return ""

    def flat(self, x: Tensor) -> Tensor:
        """Heads of all of the batch, of fewer keys repeated: of shape (batch * heads, rows, size)."""
        heads = self.query.shape[1]
        return (x if x.shape[1] == heads else x.repeat_interleave(heads // x.shape[1], 1)).reshape(-1, *x.shape[2:])


def attention_of(op: str, args: Any, kwargs: Any) -> Attention:
    """The call of one of `OPERATORS`, by the names of its arguments."""
    schema = getattr(torch.ops.aten, op).default._schema.arguments
    given = {argument.name: argument.default_value for argument in schema if argument.has_default_value()}
    given |= {argument.name: value for argument, value in zip(schema, args)} | kwargs
    mask = given.get("attn_bias") if "attn_bias" in given else given.get("attn_mask")
    causal, dropout = bool(given["is_causal"]), float(given["dropout_p"])
    return Attention(given["query"], given["key"], given["value"], mask, causal, dropout, given["scale"])


def checked(run: Some, sample: Sample | None, entry: Entry, call: Attention, recorded: Tensor, what: dict[str, Any]) -> Finding:
    """Compares the chosen elements of the result; `what` has other fields of the finding."""
    batch, heads, rows, size = recorded.shape
    what |= {"elements": recorded.numel(), "plan": _HOW, "verified": "reported", "shape": f"{entry.op} {tuple(call.query.shape)}"}
    mark = _marked(sample, what["number"], batch * heads, rows, size)
    matrix, row = mark.any(-1).nonzero(as_tuple=True)
    of_rows = _Rows(call, matrix, row)
    run.choose, run.order, run.seen, run._made = None, {}, [], []
    with torch.no_grad(), run:
        made = of_rows.made(run)
    own, mark = recorded.reshape(-1, rows, size)[matrix, row], mark[matrix, row]
    wrong = ~same_bits(own, made) & mark
    what |= {"compared": int(mark.sum()), "different": int(wrong.sum())}
    if not what["different"]:
        return Finding(**what, status="equal")
    apart = (own.double() - made.double()).abs()
    is_beyond = wrong & ~(apart <= of_rows.bound())
    ulps = int((ranks(own[wrong]) - ranks(made[wrong])).abs().max())
    count = f"{what['different']} of {what['compared']} elements differ, by {ulps} ulp at most"
    if not is_beyond.any():
        return Finding(**what, status="close", reason=f"{count}: no farther than other exponentials, tiles and orders explain")
    at = is_beyond.nonzero()[0]
    place = divmod(int(matrix[at[0]]), heads) + (int(row[at[0]]), int(at[1]))
    return Finding(
        **what,
        status="different",
        reason=f"{count}; {int(is_beyond.sum())} of them, {list(place)} first, farther than exponentials, tiles and orders explain",
    )


class _Rows:
    """Some rows of attention, each with its own keys and values."""

    def __init__(self, call: Attention, matrix: Tensor, row: Tensor) -> None:
        query, self._key, self._value = (call.flat(x) for x in (call.query, call.key, call.value))
        self._query, self._matrix, self._row = query[matrix, row][:, None], matrix, row
        self._places = row[:, None] if call.is_causal else None
        self._factor = factor_of(call.query.shape[-1], call.scale)
        shape = *call.query.shape[:3], call.key.shape[2]
        mask = None if call.mask is None else call.mask.expand(shape).reshape(-1, *shape[2:])[matrix, row][:, None]
        self._mask = mask if mask is None or mask.dtype != torch.bool else torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)

    def made(self, run: Some) -> Tensor:
        """Their results, of shape (rows, size); heads one after another, so that their keys are there once."""
        found = self._query.new_empty(len(self._row), self._value.shape[-1])
        for matrix in self._matrix.unique().tolist():
            at = self._matrix == matrix
            query = self._query[at].transpose(0, 1)
            places = None if self._places is None else self._places[at].reshape(1, -1)
            mask = None if self._mask is None else self._mask[at].transpose(0, 1)
            found[at] = in_tiles(run, query, self._key[matrix, None], self._value[matrix, None], places, mask, self._factor)[0][0]
        return found

    def bound(self) -> Tensor:
        """How far two results may be apart, of shape (rows, size).

        Each has a weight with the relative error of its rounding, of its score and of sums in f32, in numerator and denominator, and
        one rounding of the quotient.
        """
        kind = self._query.dtype
        found = torch.empty(len(self._row), self._value.shape[-1], dtype=torch.float64)
        with native():
            for matrix in self._matrix.unique().tolist():
                at = self._matrix == matrix
                query, key, value = self._query[at][:, 0].double(), self._key[matrix].double(), self._value[matrix].double()
                scores = query @ key.T * self._factor
                size = query.abs() @ key.abs().T * abs(self._factor)
                if self._mask is not None:
                    scores = scores + self._mask[at][:, 0]
                if self._places is not None:
                    scores = scores.masked_fill(torch.arange(len(key)) > self._places[at], -torch.inf)
                weights = torch.softmax(scores, -1).nan_to_num(0.0)
                # Tensor cores add some products at once; a sum of n of them has fewer roundings than n.
                of_sums = (len(key) / 8 + 4) * _IN_F32
                of_scores = (query.shape[-1] + 4) * _IN_F32 * size.amax(-1, keepdim=True)
                sums = (weights @ value.abs()) * (2 * _ROUNDOFF[kind] + 4 * (of_sums + of_scores))
                # The greatest weight is 1, so that the sum of all is 1 or more.
                small = 2 * _LEAST[kind] * value.abs().sum(0)
                of_quotient = 2 * _ROUNDOFF[kind] * ((weights @ value).abs() + torch.finfo(kind).smallest_normal)
                found[at] = sums + small + of_quotient
        return found


def _marked(sample: Sample | None, number: int, matrices: int, rows: int, size: int) -> Tensor:
    """Which elements are looked at: those of a product of this shape, all of them drawn; all there are without a sample."""
    if sample is None:
        return torch.ones(matrices, rows, size, dtype=torch.bool)
    mark = torch.zeros(matrices, rows, size, dtype=torch.bool)
    chosen = sample.chosen(number, matrices, rows, size)
    chosen.put(mark, torch.ones(chosen.shape(matrices), dtype=torch.bool))
    return mark
