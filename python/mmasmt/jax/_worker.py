"""The thread that products run in, whose processor keeps subnormal numbers.

XLA sets the threads that it calls Python from to flush subnormal numbers to zero, operands and results alike, and a thread hands this
setting down to those that it starts. So products run in one thread that `emulate` starts, and mmasmt starts its own from there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np


def _keeps_subnormals() -> bool:
    tiny = np.full(1, 1e-40, np.float32)
    return bool((tiny * np.float32(1) != 0).all())


_worker: ThreadPoolExecutor | None = None


def start() -> ThreadPoolExecutor:
    """Starts the thread, unless this process has one.

    Raises
    ------
    RuntimeError
        If the thread that asks for it flushes subnormal numbers.
    """
    global _worker
    if _worker is None:
        worker = ThreadPoolExecutor(1, "mmasmt.jax")
        if not worker.submit(_keeps_subnormals).result():
            raise RuntimeError("expected a thread that keeps subnormal numbers, found one that flushes them; call emulate in this process")
        _worker = worker
    return _worker


def run(function: Callable[..., Any], *args: Any) -> Any:
    """What the function gives, called in the thread."""
    return start().submit(function, *args).result()


def _forget() -> None:
    global _worker
    _worker = None


if hasattr(os, "register_at_fork"):
    # A process that was forked has no threads but one.
    os.register_at_fork(after_in_child=_forget)
