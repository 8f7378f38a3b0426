"""Backward passes that run after their context: the products forward were those of the machine, their gradients are this processor's."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import _contexts, _net
from ._offers import Emulation


class Graph:
    """Nodes of autograd that belong to products of a run. A node is there after the operator has returned, so that the last result waits."""

    def __init__(self, run: Emulation) -> None:
        self._run = run
        self._waiting: tuple[str, Any] | None = None

    def made(self, name: str, result: Any, operands: list[Tensor]) -> None:
        """An operator has this result."""
        self.attach()
        if torch.is_grad_enabled() and any(x.requires_grad for x in operands):
            self._waiting = (name, result)

    def attach(self) -> None:
        """Looks at the node of the last result."""
        if self._waiting is None:
            return
        (name, result), self._waiting = self._waiting, None
        first = result if isinstance(result, Tensor) else next(x for x in result if isinstance(x, Tensor))
        node = first.grad_fn
        if node is not None:
            node.register_prehook(lambda _grads: self._backward(name))

    def _backward(self, name: str) -> None:
        if _contexts.here() or _net.installations:
            return
        self._run.noticed(
            f"{name} backward after the context" if not self._run.is_open else f"{name} backward in another thread",
            "its gradients are products of this processor: call backward() inside of the context",
        )
