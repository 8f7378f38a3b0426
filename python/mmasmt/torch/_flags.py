"""Global settings of PyTorch: those that a machine's library follows, and kernels of this processor that swallow whole layers."""

from __future__ import annotations

from typing import Any

import torch


def is_tf32(asked: bool | None, of_convolution: bool) -> bool:
    """Whether products of f32 are made in TF32: as asked, or as PyTorch is set; by default convolutions are and products are not."""
    if asked is not None:
        return asked
    backend = torch.backends.cudnn.conv if of_convolution and hasattr(torch.backends.cudnn, "conv") else None
    if backend is not None:
        return bool(backend.fp32_precision == "tf32")
    return bool(torch.backends.cudnn.allow_tf32 if of_convolution else torch.backends.cuda.matmul.allow_tf32)


class Flags:
    """Settings while an emulation runs, and how they were before.

    The fast path of MultiheadAttention, and layers and linear products of oneDNN, are whole kernels whose products nothing sees.
    """

    def __init__(self, attention: str) -> None:
        self._math = attention == "math"
        self._before: tuple[Any, Any, Any] = (True, True, True)

    def set(self) -> None:
        """Turns whole kernels off."""
        self._before = (
            torch.backends.mha.get_fastpath_enabled(),
            torch.backends.mkldnn.enabled,
            torch.backends.cuda.flash_sdp_enabled(),
        )
        torch.backends.mha.set_fastpath_enabled(False)
        torch._C._set_mkldnn_enabled(False)
        if self._math:
            torch.backends.cuda.enable_flash_sdp(False)

    def restore(self) -> None:
        """Sets all as it was."""
        fast, mkldnn, flash = self._before
        torch.backends.mha.set_fastpath_enabled(fast)
        torch._C._set_mkldnn_enabled(mkldnn)
        if self._math:
            torch.backends.cuda.enable_flash_sdp(flash)
