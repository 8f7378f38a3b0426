"""Products of groups, as layers of experts have them: one product for each group, whose rows, columns or k end at an offset."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .._emulation.errors import Refused
from ._handlers import emulated
from ._offers import Emulation
from ._rounding import F32
from ._scaled import scaled_by_rows

# The product of one group: its number, and its operands.
_One = Callable[[int, Tensor, Tensor], Tensor]


@emulated("_grouped_mm")
def grouped_mm(
    run: Emulation, a: Tensor, b: Tensor, offs: Tensor | None = None, bias: Tensor | None = None, out_dtype: torch.dtype | None = None
) -> Tensor:
    """Each group is a product of its own shape."""
    _without_bias("_grouped_mm", a, b, bias)
    out = a.dtype if out_dtype is None else out_dtype
    if a.dim() == b.dim() == 3:
        return run.product("_grouped_mm", a, b, out=out)
    return _by_groups(a, b, offs, out, lambda group, x, y: run.product("_grouped_mm", x[None], y[None], out=out)[0])


@emulated("_scaled_grouped_mm")
def scaled_grouped_mm(
    run: Emulation, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, offs: Tensor | None = None, bias: Tensor | None = None,
    scale_result: Tensor | None = None, out_dtype: torch.dtype | None = None, use_fast_accum: bool = False,
) -> Tensor:  # fmt: skip
    """FP8 with a scale in f32 for each row of a and column of b in each group, as `_scaled_mm` has them."""
    op = "_scaled_grouped_mm"
    _without_bias(op, a, b, bias)
    if scale_a.dtype != F32 or scale_b.dtype != F32:
        raise Refused(
            f"{op} of {tuple(a.shape)}, {tuple(b.shape)} expects scales in float32, found {scale_a.dtype} and {scale_b.dtype}: multiply "
            "the groups one by one with torch._scaled_mm"
        )
    out = torch.bfloat16 if out_dtype is None else out_dtype
    ends = [] if offs is None else [0, *offs.tolist()]

    def of(group: int, scale: Tensor, x: Tensor, dim: int, other: Tensor) -> Tensor:
        """The scales of one group: beside a stack, or one for each row of the group, or one for each row and group where k is cut."""
        if x.dim() == 3:
            return scale[group]
        size = x.shape[dim]
        return scale[group * size : (group + 1) * size] if other.dim() == 2 else scale[ends[group] : ends[group + 1]]

    def one(group: int, x: Tensor, y: Tensor) -> Tensor:
        rows, columns = of(group, scale_a, a, 0, b)[:, None], of(group, scale_b, b, 1, a)[None]
        return scaled_by_rows(run, op, x, y, rows, columns, None, out, use_fast_accum)

    return _by_groups(a, b, offs, out, one)


@emulated("_scaled_grouped_mm_v2")
def scaled_grouped_mm_v2(
    run: Emulation, a: Tensor, b: Tensor, scale_a: list[Tensor], recipe_a: list[int], swizzle_a: list[int], scale_b: list[Tensor],
    recipe_b: list[int], swizzle_b: list[int], offs: Tensor | None = None, bias: Tensor | None = None,
    out_dtype: torch.dtype | None = None, contraction_dim: list[int] = [], use_fast_accum: bool = False,  # noqa: B006
) -> Tensor:  # fmt: skip
    if len(scale_a) != 1 or len(scale_b) != 1:
        shapes = f"{tuple(a.shape)}, {tuple(b.shape)}"
        raise Refused(f"_scaled_grouped_mm_v2 of {shapes} expects one scale each, found {len(scale_a)} and {len(scale_b)}")
    return scaled_grouped_mm(run, a, b, scale_a[0], scale_b[0], offs, bias, None, out_dtype, use_fast_accum)


def _without_bias(op: str, a: Tensor, b: Tensor, bias: Tensor | None) -> None:
    if bias is not None:
        raise Refused(f"{op} of {tuple(a.shape)}, {tuple(b.shape)} expects no bias, found one: add it afterwards")


def _by_groups(a: Tensor, b: Tensor, offs: Tensor | None, out: torch.dtype, one: _One) -> Tensor:
    """The results of all groups, one behind the other; rows and columns behind the last offset are zeros."""
    if a.dim() == b.dim() == 3:
        return torch.stack([one(group, x, y) for group, (x, y) in enumerate(zip(a, b))])
    assert offs is not None
    ends = offs.tolist()
    pairs = list(enumerate(zip([0, *ends[:-1]], ends)))
    if a.dim() == b.dim() == 2:
        return torch.stack([one(group, a[:, first:last], b[first:last]) for group, (first, last) in pairs])
    if a.dim() == 2:
        rows = [one(group, a[first:last], b[group]) for group, (first, last) in pairs]
        return torch.cat([*rows, torch.zeros(a.shape[0] - ends[-1], b.shape[-1], dtype=out)])
    columns = [one(group, a[group], b[:, first:last]) for group, (first, last) in pairs]
    return torch.cat([*columns, torch.zeros(a.shape[-2], b.shape[1] - ends[-1], dtype=out)], 1)
