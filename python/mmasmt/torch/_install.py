"""Emulation in all threads of a process: PyTorch's own kernels for products are replaced, for servers and data-parallel workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

from . import _net
from ._apart import is_composite, kernel_of
from ._mode import emulate
from ._operators import Kind, operator_of
from ._refused import is_exact, is_packed

# Kernels for this processor, by the layout of operands.
_KEYS = ("CPU", "SparseCPU", "SparseCsrCPU", "QuantizedCPU", "NestedTensorCPU")


class _Everywhere(emulate):
    """An emulation that kernels call, from any thread: one operator at a time."""

    def __init__(self, machine: str, **options: Any) -> None:
        super().__init__(machine, **options)
        self._native_kernels: dict[tuple[str, str], Callable[..., Any]] = {}
        self._key = threading.local()
        self._lock = threading.RLock()

    def replace(self, library: Any, func: Any, key: str) -> None:
        """Puts a kernel of ours in the place of an operator's own one."""
        own = kernel_of(func, key)
        assert own is not None
        self._native_kernels[func.name(), key] = own
        library.impl(func.name().partition("::")[2], lambda *args, **kwargs: self._called(func, key, args, kwargs), key)

    def _natively(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        own = self._native_kernels.get((func.name(), self._key.now))
        return func(*args, **kwargs) if own is None else own(*args, **kwargs)

    def _called(self, func: Any, key: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the kernel of an operator gives."""
        tensors = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, torch.Tensor)]
        operator = operator_of(func)
        with self._lock:
            self._key.now = key
            if is_exact(tensors) and operator.kind is not Kind.CUSTOM:
                return self._natively(func, args, kwargs)
            return self.beneath(func, args, kwargs)


class Installation:
    """An emulation that is in force in all threads until `remove` is called, or its context ends.

    `run` has the records and the report, as that of `emulate`.
    """

    def __init__(self, run: _Everywhere, libraries: list[Any]) -> None:
        self.run: emulate = run
        self._everywhere, self._libraries = run, libraries
        self._stance = torch.compiler.set_stance("force_eager")
        _net.installations.add(self)

    def remove(self) -> None:
        """Gives PyTorch its own kernels back; nothing happens the second time."""
        if self._libraries:
            for library in self._libraries:
                library._destroy()
            self._libraries = []
            _net.installations.discard(self)
            self._stance.__exit__(None, None, None)
            self._everywhere._flags.restore()

    def __enter__(self) -> emulate:
        return self.run

    def __exit__(self, *error: Any) -> None:
        self.remove()


def install(machine: str, **options: Any) -> Installation:
    """Emulates in all threads of this process, until what is returned is removed.

    Reports have no paths of modules. A custom operator that multiplies by itself is not seen, and of operators of PyTorch that are taken
    apart all happens below: their products are replaced. `torch.compile` runs functions eagerly meanwhile.

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
    if options.get("as_device"):
        raise ValueError("as_device: expected False for an installation, which is of no thread; pass it to emulate")
    if _installed is not None and _installed._libraries:
        raise RuntimeError(f"install: expected no other installation, found one of {_installed.run.machine}; remove it first")
    run = _Everywhere(machine, **options)
    libraries: dict[str, Any] = {}
    for func, key in _replaced():
        if func.namespace not in libraries:
            libraries[func.namespace] = torch.library.Library(func.namespace, "IMPL")
        run.replace(libraries[func.namespace], func, key)
    run._flags.set()
    _installed = Installation(run, list(libraries.values()))
    return _installed


_installed: Installation | None = None


def _replaced() -> Iterator[tuple[Any, str]]:
    """Operators with kernels for this processor that are emulated or refused, and the keys of these kernels."""
    for key in _KEYS:
        for func, has_kernel in _net.kernels(key):
            operator = operator_of(func)
            is_ours = operator.kind is Kind.EMULATED or (bool(operator.text) and operator.kind in (Kind.REFUSED, Kind.CUSTOM))
            # The parts of a composite come here as well, unless it multiplies by itself.
            is_whole = not is_composite(func) or is_packed(func)
            if has_kernel and is_ours and is_whole and (key == "CPU" or _is_own(func, key)):
                yield func, key


def _is_own(func: Any, key: str) -> bool:
    """Whether an operator has a kernel for this key alone."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), key))
