"""Which lines of its tensors one element of a product is made of: a row of A, a column of B, a row of what is added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from ._log import Entry, Value

# Lines along the last dimension, along the one before, or the tensor as one.
Side = Literal["rows", "columns", "whole"]
_Role = Literal["left", "right", "added", "whole"]

_ADDED: tuple[_Role, ...] = ("added", "left", "right")
_ROLES: dict[str, tuple[_Role, ...]] = {
    "mm": ("left", "right"),
    "bmm": ("left", "right"),
    "mv": ("left", "right"),
    "dot": ("left", "right"),
    "addmm": _ADDED,
    "_addmm_activation": _ADDED,
    "baddbmm": _ADDED,
    "addmv": _ADDED,
    "_scaled_mm": ("left", "right"),
}


@dataclass(frozen=True)
class Part:
    """A tensor of a call, and how it is cut into lines."""

    value: Value
    role: _Role

    @property
    def side(self) -> Side:
        """Along which dimension the lines are; vectors and numbers are whole."""
        if self.role == "whole" or len(self.value.shape) < 2:
            return "whole"
        return "columns" if self.role == "right" else "rows"

    @property
    def root(self) -> str:
        """The root of the lines, or the hash of the whole tensor; empty where the log has none."""
        return {"rows": self.value.rows, "columns": self.value.columns, "whole": self.value.sha256}[self.side]

    def line(self, matrix: int, row: int, column: int) -> int:
        """The number of the line that an element of the product needs."""
        shape = self.value.shape
        batch = matrix if len(shape) > 2 and shape[0] > 1 else 0
        if self.role == "right":
            return batch * shape[-1] + column
        return batch * shape[-2] + (row if shape[-2] > 1 else 0)


def parts_of(entry: Entry) -> list[Part]:
    """The tensors of a call with their roles, the result last; empty for an operator that is no single product."""
    roles = _ROLES.get(entry.op)
    if roles is None:
        return []
    given = dict(enumerate(entry.args))
    found = [Part(x, roles[i] if i < len(roles) else "whole") for i, x in given.items() if isinstance(x, Value)]
    found += [Part(x, "whole") for x in entry.kwargs.values() if isinstance(x, Value)]
    return found + [Part(x, "added") for x in entry.results if isinstance(x, Value)]


def sizes_of(entry: Entry) -> tuple[int, int, int]:
    """Matrices, rows and columns of the product of a call."""
    left, right = (next(part.value.shape for part in parts_of(entry) if part.role == role) for role in ("left", "right"))
    return left[0] if len(left) == 3 else 1, left[-2] if len(left) > 1 else 1, right[-1] if len(right) > 1 else 1


def lines_of(x: Tensor, side: Side) -> Tensor:
    """The lines of a tensor, of shape (lines, length): its rows, or its columns."""
    laid = x.transpose(-1, -2) if side == "columns" else x
    return laid.reshape(-1, laid.shape[-1])


def count_of(value: Value, side: Side) -> tuple[int, int]:
    """How many lines a tensor has, and how long each is."""
    *batch, m, n = value.shape
    lines, length = (n, m) if side == "columns" else (m, n)
    for size in batch:
        lines *= size
    return lines, length
