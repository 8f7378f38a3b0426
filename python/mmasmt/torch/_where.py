"""Which module is running, for reports and errors."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from . import _contexts


class Modules:
    """A stack of the names of modules that are running, kept by global hooks between `start` and `stop`.

    Parameters
    ----------
    entered : callable, optional
        Called with each module before it runs, and its name.
    elsewhere : callable, optional
        Called with the name of the type of a module that runs in a thread where no emulation is open.
    """

    def __init__(
        self, entered: Callable[[Any, str], None] | None = None, elsewhere: Callable[[str], None] | None = None
    ) -> None:
        self._entered, self._elsewhere = entered, elsewhere
        self._stack: list[str] = []
        self._names: dict[int, str] = {}
        self._handles: list[Any] = []
        self._thread = 0

    def start(self) -> None:
        """From here on modules are followed, in this thread."""
        self._thread = threading.get_ident()
        self._handles = [
            register_module_forward_pre_hook(self._enter),
            register_module_forward_hook(self._leave, always_call=True),
        ]

    def stop(self) -> None:
        """Removes the hooks."""
        for handle in self._handles:
            handle.remove()
        self._handles, self._stack, self._names = [], [], {}

    @property
    def path(self) -> str:
        """The name of the innermost module, ``""`` outside of any and in a backward pass."""
        return "" if is_backward() else self._stack[-1] if self._stack else ""

    def _enter(self, module: torch.nn.Module, _inputs: Any) -> None:
        if threading.get_ident() != self._thread:
            if self._elsewhere is not None and not _contexts.here():
                self._elsewhere(type(module).__name__)
            return
        name = self._names.get(id(module))
        if name is None:
            # A module that runs inside no other one is a root: the names of its parts follow from it.
            root = type(module).__name__
            own = {id(part): f"{root}.{name}" if name else root for name, part in module.named_modules()}
            self._names = {**own, **self._names} if self._stack else own
            name = self._names[id(module)]
        self._stack.append(name)
        if self._entered is not None:
            self._entered(module, name)

    def _leave(self, _module: torch.nn.Module, _inputs: Any, _outputs: Any) -> None:
        if threading.get_ident() == self._thread and self._stack:
            self._stack.pop()


def is_backward() -> bool:
    """Whether autograd runs its graph in this thread."""
    return bool(torch._C._current_graph_task_id() != -1)
