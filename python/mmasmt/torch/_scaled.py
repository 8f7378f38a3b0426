"""Products with scales: FP8 of `_scaled_mm`."""

from __future__ import annotations


import torch
from torch import Tensor

from .._emulation.errors import Refused
from .._emulation.units import nan_of
from ._blocks import unpacked, unswizzled
from ._handlers import emulated
from ._offers import Emulation
from ._product import NAMES
from ._rounding import F32, canonical, fma_f32

# Products of k that share a scale in float32.
_BLOCK = 128
_FP8 = (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz)


@emulated("_scaled_mm")
def scaled_mm(
    run: Emulation, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, bias: Tensor | None = None,
    scale_result: Tensor | None = None, out_dtype: torch.dtype | None = None, use_fast_accum: bool = False,
) -> Tensor:  # fmt: skip
    """Scales of whole tensors: ``alpha = RN32(scale_a * scale_b)``, then ``RN32(fma(alpha, sum, bias or +0))``, rounded to `out_dtype`."""
    out = a.dtype if out_dtype is None else out_dtype
    where = f"_scaled_mm of {tuple(a.shape)}, {tuple(b.shape)}"
    if scale_a.dtype != F32 or scale_b.dtype != F32:
        return _block_scaled(run, where, a, b, scale_a, scale_b, bias, out)
    if a.dtype not in _FP8 or b.dtype not in _FP8:
        raise Refused(f"{where} expects operands in FP8 beside scales in f32, found {a.dtype} and {b.dtype}")
    if a.dtype == b.dtype == torch.float8_e4m3fn and out == torch.float8_e5m2:
        raise Refused(f"{where} has no result in {out}, since cuBLASLt rejects it for two factors in {a.dtype}: take another out_dtype")
    if scale_a.numel() == scale_b.numel() == 1:
        small = out in _FP8
        scale = 1.0 if scale_result is None or not small else float(scale_result.float())
        alpha = float(scale_a.reshape(()) * scale_b.reshape(()))
        return run.product(
            "_scaled_mm", a[None], b[None], bias=bias, out=out, alpha=alpha, scaled="tensor", fast=use_fast_accum, scale=scale,
            saturate=small,
        )[0]  # fmt: skip
    m, n = a.shape[0], b.shape[1]
    if scale_a.shape == (m, 1) and scale_b.shape == (1, n):
        return scaled_by_rows(run, "_scaled_mm", a, b, scale_a, scale_b, bias, out, use_fast_accum)
    return _by_blocks(run, where, a, b, scale_a, scale_b, bias, out)


def _converted(run: Emulation, total: Tensor, bias: Tensor | None, out: torch.dtype) -> Tensor:
    """The bias added in f32, then the format of the result."""
    if bias is not None:
        total = total + bias.float()
    return canonical(total.to(out), nan_of(run.machine))


def scaled_by_rows(
    run: Emulation, op: str, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, bias: Tensor | None, out: torch.dtype,
    fast: bool,
) -> Tensor:  # fmt: skip
    """Scales of shapes (M, 1) and (1, N): ``scale_a * (scale_b * sum)`` in f32, each product rounded, then the bias."""
    assumed = {"source": "scales by rows: the order in the epilogue is assumed", "verified": "assumed"}
    total = run.product(op, a[None], b[None], out=F32, plan_changes=assumed, scaled="rows", fast=fast)[0]
    total = scale_a * (scale_b * total)
    return _converted(run, total, bias, out)


def _by_blocks(
    run: Emulation, where: str, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, bias: Tensor | None, out: torch.dtype
) -> Tensor:
    """Scales for every 128 k, of 1 or 128 rows or columns: the sum of each block is added as ``fma(sum, scale_a * scale_b, total)``."""
    m, k, n = a.shape[0], a.shape[1], b.shape[1]
    blocks = -(-k // _BLOCK)
    left, right = _spread(scale_a, m, blocks), _spread(scale_b.T, n, blocks)
    if left is None or right is None:
        raise Refused(
            f"{where} expects scales of whole tensors, of rows, or of blocks of 128 k, found {tuple(scale_a.shape)} and "
            f"{tuple(scale_b.shape)}: other block scales are not emulated"
        )
    assumed = {"source": "scales by blocks of 128 k: the order in the main loop is assumed", "verified": "assumed"}
    total = torch.zeros(m, n)
    for block in range(blocks):
        at = slice(block * _BLOCK, (block + 1) * _BLOCK)
        part = run.product("_scaled_mm", a[None, :, at], b[None, at], out=F32, plan_changes=assumed, scaled="blocks")[0]
        factor = left[:, block, None] * right[None, :, block]
        total = fma_f32(factor, part, total)
    return _converted(run, total, bias, out)


def _block_scaled(
    run: Emulation, where: str, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, bias: Tensor | None, out: torch.dtype
) -> Tensor:
    """MXFP8, scales of 32 k in ue8m0, and NVFP4, scales of 16 k in ue4m3: they are operands of the instruction."""
    fp4 = getattr(torch, "float4_e2m1fn_x2", None)
    pair = scale_a.dtype, scale_b.dtype
    if a.dtype in _FP8 and b.dtype in _FP8 and pair == (torch.float8_e8m0fnu,) * 2:
        block, kind = 32, f"mxfp8.{NAMES[a.dtype]}.{NAMES[b.dtype]}"
        left, right = a.view(torch.uint8), b.view(torch.uint8)
    elif a.dtype == b.dtype == fp4 and pair == (torch.float8_e4m3fn,) * 2:
        block, kind = 16, "nvfp4"
        left, right = unpacked(a), unpacked(b.T).T
    else:
        raise Refused(
            f"{where} expects scales in float32, MXFP8 or NVFP4, found {a.dtype}, {b.dtype} with scales {pair[0]}, {pair[1]}"
        )
    m, n, blocks = left.shape[0], right.shape[1], -(-left.shape[1] // block)
    rows, columns = unswizzled(scale_a, m, blocks), unswizzled(scale_b, n, blocks)
    if rows is None or columns is None:
        raise Refused(
            f"{where} expects a scale for every {block} k, in tiles of 128 rows and 4 blocks, found {tuple(scale_a.shape)} and "
            f"{tuple(scale_b.shape)}"
        )
    scales = rows[None], columns.T[None]
    return run.product("_scaled_mm", left[None], right[None], bias=bias, out=out, kind=kind, scales=scales, scaled="blocks")[0]


def _spread(scale: Tensor, rows: int, blocks: int) -> Tensor | None:
    """A scale for each row and block of k, from one for each row, or for 128 rows."""
    if scale.shape == (rows, blocks):
        return scale
    if scale.shape == (-(-rows // _BLOCK), blocks):
        return scale.repeat_interleave(_BLOCK, 0)[:rows]
    return None


@emulated("_scaled_mm_v2")
def scaled_mm_v2(
    run: Emulation, a: Tensor, b: Tensor, scale_a: list[Tensor], recipe_a: list[int], swizzle_a: list[int], scale_b: list[Tensor],
    recipe_b: list[int], swizzle_b: list[int], bias: Tensor | None = None, out_dtype: torch.dtype | None = None,
    contraction_dim: list[int] = [], use_fast_accum: bool = False,  # noqa: B006
) -> Tensor:  # fmt: skip
    if len(scale_a) != 1 or len(scale_b) != 1:
        raise Refused(
            f"_scaled_mm_v2 of {tuple(a.shape)}, {tuple(b.shape)} expects one scale each, found {len(scale_a)} and {len(scale_b)}"
        )
    return scaled_mm(run, a, b, scale_a[0], scale_b[0], bias, None, out_dtype, use_fast_accum)
