"""Block scales as cuBLASLt has them: MXFP8 and NVFP4, with scales in swizzled tiles, by the block-scaled instructions of Blackwell.

Scales of 128 rows and 4 blocks of k are a tile of 512 bytes: 32 rows of 16, each with 4 blocks of rows r, r + 32, r + 64 and r + 96
(cuBLAS documentation, "1D block scaling factors layout"; the same in `torchao`).
"""

from __future__ import annotations

import torch
from torch import Tensor


def unswizzled(scale: Tensor, rows: int, blocks: int) -> Tensor | None:
    """Codes of shape (rows, blocks) from swizzled tiles, or from scales that have this shape; None for another number of them."""
    codes = scale.view(torch.uint8)
    if scale.shape == (rows, blocks):
        return codes
    tall, wide = -(-rows // 128), -(-blocks // 4)
    if codes.numel() != tall * wide * 512:
        return None
    tiles = codes.reshape(tall, wide, 32, 4, 4).transpose(2, 3).reshape(tall, wide, 128, 4)
    return tiles.transpose(1, 2).reshape(tall * 128, wide * 4)[:rows, :blocks]


def unpacked(x: Tensor) -> Tensor:
    """Codes of FP4, one in each byte, of rows that hold two in each byte, the first one in the low bits."""
    pairs = x.contiguous().view(torch.uint8)
    return torch.stack([pairs & 15, pairs >> 4], -1).flatten(-2)
