"""Right factors that several products share, such as weights: what is computed of them alone is kept within a number of bytes.

A factor is known by its place in memory, and by a fingerprint of all of its registers, which is made anew for each product: so a write by any
way, through a view, by an optimizer or from outside of PyTorch, is seen.
"""

from __future__ import annotations

import ctypes
import os
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _native
from .._arrays import bits_of, is_torch, registers
from .._products import with_kept
from .._signatures import signature

# More rows have work enough of their own.
_MOST_ROWS = 64
# Smaller factors are computed as fast as they are looked up.
_LEAST = 1 << 13
# The bytes of all that is kept, unless the environment says another number; 0 for nothing.
_BUDGET = int(os.environ.get("MMASMT_KEPT_BYTES", 1 << 30))
# A factor that so many products did not use gives way.
_STALE = 4096


@dataclass
class _Kept:
    fingerprint: int
    operand: Any
    memory: Any
    storage: Any
    used: int

    def size(self) -> int:
        return 0 if self.operand is None else int(self.operand.bytes())


_LOCK = threading.Lock()
_ALL: dict[tuple[Any, ...], _Kept] = {}
_COUNT = [0]


def kept_bytes() -> int:
    """The bytes of all that is kept; what was computed of tensors that are gone is not."""
    with _LOCK:
        _forget()
        return sum(kept.size() for kept in _ALL.values())


def forget() -> None:
    """Keep nothing."""
    with _LOCK:
        _ALL.clear()


def _forget() -> None:
    old = _COUNT[0] - _STALE
    for key in [key for key, kept in _ALL.items() if kept.storage.expired() or kept.used < old]:
        del _ALL[key]


def _memory(b: Any, model: str) -> Any:
    """The registers of a matrix in the order of memory, where they are there without gaps, and the model has no block scales.

    The array has no hold on them: its key says where they are, and a tensor that has this key keeps them.
    """
    matrix = b if b.is_contiguous() else b.mT
    if not matrix.is_contiguous() or signature(model).scale is not None:
        return None
    bits = bits_of(matrix.detach())
    return np.frombuffer(memoryview((ctypes.c_char * bits.nbytes).from_address(bits.ctypes.data)), bits.dtype)


def product(a: Any, b: Any, start: Any, *, model: str, threads: int) -> Any:
    """``a @ b + start`` for tensors of shapes (1, M, K) and (1, K, N), with what is kept of `b`; None where nothing is to be kept."""
    if not is_torch(b) or b.shape[0] != 1 or a.shape[-2] > _MOST_ROWS or b.numel() < _LEAST or not _BUDGET:
        return None
    key = (model, b.data_ptr(), b.shape, b.stride(), b.dtype)
    kept = _ALL.get(key)
    memory = _memory(b, model) if kept is None else kept.memory
    if memory is None:
        return None
    found = _native.fingerprint(memory)
    with _LOCK:
        _COUNT[0] += 1
        kept = _ALL.get(key)
        if kept is None or kept.fingerprint != found:
            # A factor that comes once is not worth it.
            _ALL[key] = _Kept(found, None, memory, _weak(b), _COUNT[0])
            return None
        kept.used = _COUNT[0]
        if kept.storage.expired():
            kept.storage = _weak(b)
        operand = kept.operand
        if operand is None:
            _forget()
            left = _BUDGET - sum(kept.size() for kept in _ALL.values())
            if left < memory.nbytes:
                return None
    if operand is None:
        bits = registers("b", b[0], signature(model).b)
        operand = _native.PackedOperand(model, (bits.reshape(-1), list(bits.shape)), left - memory.nbytes)
        kept.operand = operand
    return with_kept(a, operand, start, model=model, threads=threads)


def _weak(tensor: Any) -> Any:
    from torch.multiprocessing.reductions import StorageWeakRef

    return StorageWeakRef(tensor.untyped_storage())
