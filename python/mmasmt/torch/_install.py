"""Emulation in all threads of a process: PyTorch's own kernels for products are replaced, for servers and data-parallel workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

from ._handlers import HANDLERS
from ._mode import emulate
from ._refused import SPLIT, is_exact, refusal

_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


class _Everywhere(emulate):
    """An emulation that kernels call, from any thread: one operator at a time."""

    def __init__(self, machine: str, **options: Any) -> None:
        super().__init__(machine, **options)
        self.kernels: dict[str, Any] = {}
        self._lock = threading.RLock()

    def _native(self, func: Any) -> Callable[..., Any]:
        kernel = self.kernels.get(func.name())
        return func if kernel is None else lambda *args, **kwargs: kernel.call_boxed(_CPU, *args, **kwargs)

    def called(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the kernel of an operator gives."""
        tensors = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, torch.Tensor)]
        name = func._schema.name
        with self._lock:
            handler = HANDLERS.get(name) or HANDLERS.get(name.removesuffix("_"))
            if handler is not None and not is_exact(tensors):
                return self._emulated(func, handler, tensors, args, kwargs)
            if handler is None and (text := refusal(func, tensors)):
                return self._refused(func, text, tensors, args, kwargs)
            return self._native(func)(*args, **kwargs)


class Installation:
    """An emulation that is in force in all threads until `remove` is called, or its context ends.

    `run` has the records and the report, as that of `emulate`.
    """

    def __init__(self, run: _Everywhere, library: Any) -> None:
        self.run: emulate = run
        self._everywhere, self._library = run, library

    def remove(self) -> None:
        """Gives PyTorch its own kernels back; nothing happens the second time."""
        if self._library is not None:
            self._library._destroy()
            self._library = None
            self._everywhere._flags.restore()

    def __enter__(self) -> emulate:
        return self.run

    def __exit__(self, *error: Any) -> None:
        self.remove()


def install(machine: str, **options: Any) -> Installation:
    """Emulates in all threads of this process, until what is returned is removed.

    Reports have no paths of modules. A custom operator that multiplies by itself is not seen, and of operators of PyTorch that are taken
    apart all happens below: their products are replaced.

    Parameters
    ----------
    machine : str
        As for `emulate`.
    **options
        As for `emulate`, without `compare`.

    Raises
    ------
    RuntimeError
        If this version of PyTorch does not say what its own kernels are (before 2.10), or an installation is in force.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> x = torch.ones(4, 4, dtype=torch.float16)
    >>> with mt.install("H100", unknown="ignore") as run:
    ...     y = x @ x
    >>> run.calls[0].count
    1
    """
    global _installed
    if options.get("tp", 1) != 1:
        raise ValueError("tp: expected 1 for an installation, which does not know the paths of modules; use emulate in each thread")
    get_kernel = getattr(torch.library, "get_kernel", None)
    if get_kernel is None:
        raise RuntimeError(
            f"install: expected PyTorch with torch.library.get_kernel, found {torch.__version__}; use emulate in each thread"
        )
    if options.get("compare") is not None:
        raise ValueError("compare: expected none for an installation; compare inside of emulate")
    if _installed is not None and _installed._library is not None:
        raise RuntimeError(f"install: expected no other installation, found one of {_installed.run.machine}; remove it first")
    run = _Everywhere(machine, **options)
    library = torch.library.Library("aten", "IMPL")
    for func in _replaced():
        run.kernels[func.name()] = get_kernel(func.name(), "CPU")
        library.impl(func.name().removeprefix("aten::"), _kernel_of(run, func), "CPU")
    run._flags.set()
    _installed = Installation(run, library)
    return _installed


_installed: Installation | None = None


def _kernel_of(run: _Everywhere, func: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: run.called(func, args, kwargs)


def _replaced() -> Iterator[Any]:
    """Operators with kernels for the CPU that are emulated or refused."""
    for name in sorted({schema.name for schema in torch._C._jit_get_all_schemas() if schema.name.startswith("aten::")}):
        packet = getattr(torch.ops.aten, name.removeprefix("aten::"), None)
        for overload in packet.overloads() if packet is not None else ():
            func = getattr(packet, overload)
            try:
                has = torch._C._dispatch_has_computed_kernel_for_dispatch_key(func.name(), "CPU")
                composite = torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd")
            except RuntimeError:
                continue
            handled = name in HANDLERS or name.removesuffix("_") in HANDLERS
            if has and not composite and name not in SPLIT and (handled or refusal(func, []) is not None):
                yield func
