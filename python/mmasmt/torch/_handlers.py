"""Operators that are emulated, by name: each handler makes what its operator gives out of products of the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Handler = Callable[..., Any]
HANDLERS: dict[str, Handler] = {}
# Operators whose results on a GPU have other strides than on this processor: those of the handler are final.
LAID_OUT: set[str] = set()


def emulated(*names: str) -> Callable[[Handler], Handler]:
    """Registers a handler for operators of aten, all their overloads: it is given the run, then the arguments of the operator.

    Variants that write into an argument come without that argument, or with its value as the first one; the caller copies.
    """

    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[f"aten::{name}"] = handler
        return handler

    return register
