"""What an emulation offers to those that make operators for it and those that watch for it, so that none of them needs to know the mode."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol

import torch

from .._emulation.calls import Log


class Emulation(Protocol):
    """An emulation in force: `emulate` is one."""

    @property
    def machine(self) -> str:
        """What it emulates, as it was asked for."""
        ...

    @property
    def attention(self) -> str:
        """How attention is made: ``flash2``, ``math`` or ``error``."""
        ...

    @property
    def as_device(self) -> bool:
        """Whether it answers questions to ``torch.cuda``."""
        ...

    @property
    def log(self) -> Log:
        """Its records and notes."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether the context is in force, in whatever thread."""
        ...

    def product(self, op: str, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor | None = None, **options: Any) -> torch.Tensor:
        """One product of the operator `op`, of shapes (B, M, K) and (B, K, N); options as of `Run.product`."""
        ...

    def beneath(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A product that a kernel of PyTorch calls by itself."""
        ...

    def noticed(self, name: str, text: str) -> None:
        """Counts a product that went past the context."""
        ...

    def refuse(self, name: str, text: str) -> NoReturn:
        """Raises `Refused`, and counts it."""
        ...

    def __enter__(self) -> Any: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any: ...
