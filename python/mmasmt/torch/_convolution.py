"""Convolutions as implicit products of matrices: forward, transposed, and both gradients.

k runs over the window, then over channels, as kernels for tensor cores have it that keep channels last. Which kernel cuDNN takes is
not known here (it may be Winograd's or a direct one), so that no plan of a convolution is recorded. A bias is added after rounding,
by an operator of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ._handlers import LAID_OUT, emulated
from ._offers import Emulation

_NOTE = "the order of k in a convolution is assumed: the window, then channels"
_DEPTHWISE = "a depthwise convolution is fused multiply-adds of f32 along the window, as in PyTorch's own kernel"


@dataclass(frozen=True)
class _Window:
    """Sizes of a convolution, one for each dimension of space."""

    stride: list[int]
    padding: list[int]
    dilation: list[int]
    groups: int

    @classmethod
    def of(cls, dims: int, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], groups: int) -> _Window:
        """Sizes of which one may stand for all."""
        first, second, third = (list(x) * (dims // len(x)) for x in (stride, padding, dilation))
        return cls(first, second, third, groups)


@emulated("convolution", "_convolution", "convolution_overrideable")
def convolution(
    run: Emulation, x: Tensor, w: Tensor, bias: Tensor | None, stride: list[int], padding: list[int], dilation: list[int],
    transposed: bool, output_padding: list[int], groups: int, *_flags: bool,
) -> Tensor:  # fmt: skip
    window = _Window.of(w.dim() - 2, stride, padding, dilation, groups)
    more = list(output_padding) * (len(window.stride) // len(output_padding))
    y = _transposed(run, "convolution", x, w, window, more) if transposed else _forward(run, "convolution", x, w, window)
    if bias is not None:
        y = y + bias.reshape(-1, *[1] * (w.dim() - 2))
    return y.contiguous(memory_format=_layout(x, w))


@emulated("convolution_backward", "convolution_backward_overrideable")
def convolution_backward(
    run: Emulation, g: Tensor, x: Tensor, w: Tensor, bias_sizes: list[int] | None, stride: list[int], padding: list[int],
    dilation: list[int], transposed: bool, output_padding: list[int], groups: int, mask: list[bool] | None = None,
    *, output_mask: list[bool] | None = None,
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:  # fmt: skip
    window = _Window.of(w.dim() - 2, stride, padding, dilation, groups)
    wanted = mask if mask is not None else output_mask
    assert wanted is not None
    of_x = of_w = of_bias = None
    if wanted[0] and transposed:
        # An output padding of a whole stride makes more windows than there were pixels.
        of_x = _forward(run, "convolution_backward.input", g, w, window)
        for dim, size in enumerate(x.shape[2:], 2):
            of_x = of_x.narrow(dim, 0, size)
    elif wanted[0]:
        more = [
            x.shape[2 + i] - ((g.shape[2 + i] - 1) * s - 2 * p + d * (w.shape[2 + i] - 1) + 1)
            for i, (s, p, d) in enumerate(zip(window.stride, window.padding, window.dilation))
        ]
        of_x = _transposed(run, "convolution_backward.input", g, w, window, more)
    if wanted[1]:
        rows, columns = (x, g) if transposed else (g, x)
        of_w = _of_weight(run, rows, columns, w, window)
    if wanted[2]:
        of_bias = g.sum([0, *range(2, g.dim())])
    layout = _layout(x, w)
    of_x, of_w = (None if y is None else y.contiguous(memory_format=layout) for y in (of_x, of_w))
    return of_x, of_w, of_bias


LAID_OUT.update(("aten::convolution", "aten::_convolution", "aten::convolution_backward"))


def _layout(x: Tensor, w: Tensor) -> torch.memory_format:
    """As for cuDNN: channels last if those of the operand or the filter are."""
    last = {4: torch.channels_last, 5: torch.channels_last_3d}.get(x.dim())
    if last is None:
        return torch.contiguous_format
    is_last = any(y.is_contiguous(memory_format=last) and not y.is_contiguous() for y in (x, w))
    return last if is_last else torch.contiguous_format


def _padded(x: Tensor, least: Sequence[int], most: Sequence[int]) -> Tensor:
    sizes = [size for pair in zip(reversed(least), reversed(most)) for size in pair]
    return torch.nn.functional.pad(x, sizes) if any(sizes) else x


def _columns(x: Tensor, kernel: Sequence[int], window: _Window, steps_first: bool = False) -> Tensor:
    """Of (N, C, *space), padded already, the windows: (groups, N * pixels, window * channels of a group).

    With `steps_first` all pixels of one step of the window lie together in memory.
    """
    n, channels = x.shape[:2]
    steps = list(zip(x.shape[2:], kernel, window.stride, window.dilation))
    pixels = [(size - d * (r - 1) - 1) // s + 1 for size, r, s, d in steps]
    strides = x.stride()
    over = [step * s for step, s in zip(strides[2:], window.stride)]
    inside = [step * d for step, d in zip(strides[2:], window.dilation)]
    per_group = channels // window.groups
    sizes = window.groups, n, *pixels, *kernel, per_group
    seen = x.as_strided(sizes, (per_group * strides[1], strides[0], *over, *inside, strides[1]), x.storage_offset())
    if steps_first:
        dims = seen.dim()
        first = [*range(2 + len(pixels), dims), *range(2 + len(pixels))]
        return seen.permute(first).reshape(-1, window.groups, n * math.prod(pixels)).permute(1, 2, 0)
    return seen.reshape(window.groups, n * math.prod(pixels), math.prod(kernel) * per_group)


def _forward(run: Emulation, op: str, x: Tensor, w: Tensor, window: _Window) -> Tensor:
    run.log.notes[_NOTE] += 1
    kernel = list(w.shape[2:])
    x = _padded(x, window.padding, window.padding)
    is_depthwise = 1 < window.groups == x.shape[1] and x.dtype != torch.float64
    columns = _columns(x.float() if is_depthwise else x, kernel, window, is_depthwise)
    out_channels = w.shape[0]
    filters = w.movedim(1, -1).reshape(window.groups, out_channels // window.groups, -1).transpose(1, 2)
    if is_depthwise:
        run.log.notes[_DEPTHWISE] += 1
        y = run.product(op, columns, filters.float(), out=x.dtype, kind="f32")
    else:
        y = run.product(op, columns, filters, of_convolution=True)
    pixels = [(size - d * (r - 1) - 1) // s + 1 for size, r, s, d in zip(x.shape[2:], kernel, window.stride, window.dilation)]
    return y.permute(1, 0, 2).reshape(x.shape[0], *pixels, out_channels).movedim(-1, 1)


def _transposed(run: Emulation, op: str, x: Tensor, w: Tensor, window: _Window, more: Sequence[int]) -> Tensor:
    """A convolution of `x`, spread out by the stride, with the filter turned round."""
    kernel = list(w.shape[2:])
    spread = x.new_zeros(*x.shape[:2], *((size - 1) * s + 1 for size, s in zip(x.shape[2:], window.stride)))
    at: tuple[Any, ...] = (..., *(slice(None, None, s) for s in window.stride))
    spread[at] = x
    least = [d * (r - 1) - p for r, p, d in zip(kernel, window.padding, window.dilation)]
    spread = _padded(spread, least, [size + extra for size, extra in zip(least, more)])
    turned = w.flip(list(range(2, w.dim()))).reshape(window.groups, -1, *w.shape[1:])
    turned = turned.transpose(1, 2).reshape(-1, w.shape[0] // window.groups, *kernel)
    ones = [1] * len(kernel)
    return _forward(run, op, spread, turned, _Window(ones, [0] * len(kernel), window.dilation, window.groups))


def _of_weight(run: Emulation, rows: Tensor, x: Tensor, w: Tensor, window: _Window) -> Tensor:
    """The gradient of the filter: k runs over the pixels of the batch."""
    run.log.notes[_NOTE] += 1
    kernel = list(w.shape[2:])
    pixels = rows.shape[2:]
    # A stride may leave pixels at the end that no window reaches.
    reach = [(size - 1) * s + d * (r - 1) + 1 for size, r, s, d in zip(pixels, kernel, window.stride, window.dilation)]
    most = [size - have - p for size, have, p in zip(reach, x.shape[2:], window.padding)]
    columns = _columns(_padded(x, window.padding, most), kernel, window)
    left = rows.movedim(1, 0).reshape(window.groups, rows.shape[1] // window.groups, -1)
    found = run.product("convolution_backward.weight", left, columns, of_convolution=True)
    return found.reshape(w.shape[0], *kernel, w.shape[1]).movedim(-1, 1)
