"""The thread that products run in, whose processor keeps subnormal numbers.

XLA sets the threads that it calls Python from to flush subnormal numbers to zero, operands and results alike, and a thread hands this
setting down to those that it starts. So products run in one thread that was started before, and mmasmt starts its own from there.
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


def _started() -> ThreadPoolExecutor:
    worker = ThreadPoolExecutor(1, "mmasmt.jax")
    if not worker.submit(_keeps_subnormals).result():
        raise RuntimeError("mmasmt.jax: expected a thread that keeps subnormal numbers, found one that flushes them; import it earlier")
    return worker


_worker = _started()


def _restart() -> None:
    global _worker
    _worker = _started()


# A process that was forked has no threads but one.
os.register_at_fork(after_in_child=_restart)


def run(function: Callable[..., Any], *args: Any) -> Any:
    """What the function gives, called in the thread."""
    return _worker.submit(function, *args).result()
