"""Kernels that stand in for PyTorch's products while a context is open, and see what goes past its mode.

A mode is of one thread, and off while a kernel runs. So a product of another thread, and one that a kernel calls by itself, come to no
mode, but to the kernel for this processor.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

from . import _contexts
from ._apart import is_composite, kernel_of
from ._operators import Kind, operator_of
from ._refused import is_exact, is_packed

# Whoever replaces kernels in all threads, and thus misses nothing: set by an installation.
installations: set[Any] = set()

_lock = threading.Lock()
_users = 0
_library: Any = None
_running = 0


def spread() -> None:
    """Puts the kernels in place, for the first context that is open."""
    global _users, _library
    with _lock:
        _users += 1
        if _library is None:
            _library = torch.library.Library("aten", "IMPL")
            for func in _watched():
                if (own := kernel_of(func)) is not None:
                    _library.impl(func.name().removeprefix("aten::"), _watching(func, own), "CPU")


def gather() -> None:
    """Takes them away with the last one, unless one of them runs in another thread: the next context does it then."""
    global _users, _library
    with _lock:
        _users -= 1
        if not _users and not _running:
            _library._destroy()
            _library = None


@cache
def _watched() -> tuple[Any, ...]:
    """Operators that are emulated, and refused ones that PyTorch takes apart above every mode, with products of their own."""
    found = []
    for func, has_kernel in kernels("CPU", ("aten",)):
        is_emulated = has_kernel and operator_of(func).kind is Kind.EMULATED and not is_composite(func)
        if is_emulated or (is_packed(func) and is_composite(func)):
            found.append(func)
    return tuple(found)


def kernels(key: str, namespaces: tuple[str, ...] = ()) -> Iterator[tuple[Any, bool]]:
    """All overloads of these namespaces, or of all, and whether they have a kernel for a key, be it one that all devices share."""
    for full in sorted(torch._C._dispatch_get_all_op_names()):
        namespace, _, rest = full.partition("::")
        if namespaces and namespace not in namespaces:
            continue
        name, _, overload = rest.partition(".")
        func = getattr(getattr(getattr(torch.ops, namespace), name, None), overload or "default", None)
        if func is not None:
            yield func, bool(torch._C._dispatch_has_computed_kernel_for_dispatch_key(full, key))


def _watching(func: Any, own: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        global _running
        with _lock:
            _running += 1
        try:
            return _seen(func, own, args, kwargs)
        finally:
            with _lock:
                _running -= 1

    return kernel


def _seen(func: Any, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if installations or _contexts.is_native():
        return own(*args, **kwargs)
    tensors = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, torch.Tensor)]
    if is_exact(tensors):
        return own(*args, **kwargs)
    if runs := _contexts.here():
        return runs[-1].beneath(func, args, kwargs)
    for run in _contexts.everywhere():
        run.noticed(f"{operator_of(func).name} in another thread", "the context is of one thread: emulate inside of that one")
    return own(*args, **kwargs)
