"""Global settings of PyTorch: those that a machine's library follows, and kernels of this processor that swallow whole layers."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch


def is_tf32(asked: bool | None, of_convolution: bool) -> bool:
    """Whether products of f32 are made in TF32: as asked, or as PyTorch is set; by default convolutions are and products are not."""
    if asked is not None:
        return asked
    backend = getattr(torch.backends.cudnn, "conv", None) if of_convolution else torch.backends.cuda.matmul
    # The older names raise where somebody set the newer ones.
    precision = getattr(backend, "fp32_precision", None) if hasattr(torch.backends.cudnn, "conv") else None
    if precision is not None:
        return bool(precision == "tf32")
    return bool(torch.backends.cudnn.allow_tf32 if of_convolution else torch.backends.cuda.matmul.allow_tf32)


# How many contexts want each setting, and what it was before the first of them.
_lock = threading.Lock()
_users: Counter[str] = Counter()
_before: dict[str, bool] = {}

_SETTINGS: dict[str, tuple[Callable[[], bool], Callable[[bool], Any]]] = {
    "fast path": (torch.backends.mha.get_fastpath_enabled, torch.backends.mha.set_fastpath_enabled),
    "oneDNN": (lambda: torch.backends.mkldnn.enabled, torch._C._set_mkldnn_enabled),
    "flash": (torch.backends.cuda.flash_sdp_enabled, torch.backends.cuda.enable_flash_sdp),
}


class Flags:
    """Settings of the process that are off while an emulation runs, in whatever thread; the last one sets them as they were.

    The fast path of MultiheadAttention, and layers and linear products of oneDNN, are whole kernels whose products nothing sees.
    """

    def __init__(self, attention: str) -> None:
        self._names = ["fast path", "oneDNN", *(["flash"] if attention == "math" else [])]

    def set(self) -> None:
        """Turns whole kernels off."""
        with _lock:
            for name in self._names:
                get, put = _SETTINGS[name]
                if not _users[name]:
                    _before[name] = get()
                    put(False)
                _users[name] += 1

    def restore(self) -> None:
        """Sets all as it was, unless another emulation needs it."""
        with _lock:
            for name in self._names:
                _users[name] -= 1
                if not _users[name]:
                    _SETTINGS[name][1](_before.pop(name))
