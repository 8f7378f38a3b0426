"""Which lines of its tensors one element of a product is made of: a row of A, a column of B, a row of what is added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from ._log import Entry, Value
from ._sample import Cells, Sample

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
    """Matrices, rows and columns of the product of a call.

    Raises
    ------
    ValueError
        If it has no two factors.
    """
    shapes = {part.role: part.value.shape for part in parts_of(entry)}
    if not {"left", "right"} <= set(shapes):
        raise ValueError(f"{entry.op}: expected tensors for both factors of a product, found {len(shapes)} kinds; record it again")
    left, right = shapes["left"], shapes["right"]
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


def needed(entry: Entry, number: int, sample: Sample, near: list[int]) -> Iterator[tuple[Part, int]]:
    """The lines that the elements of a call need; the number of a tensor that is whole is 0."""
    parts = parts_of(entry)
    if not parts:
        return
    cells = sample.chosen(number, *sizes_of(entry), lambda _: torch.tensor(near, dtype=torch.int64))
    assert isinstance(cells, Cells)
    for part in parts:
        if part.side == "whole":
            yield part, 0
            continue
        for place in zip(cells.matrix.tolist(), cells.row.tolist(), cells.column.tolist()):
            yield part, part.line(*place)


def uint8(lines: Tensor) -> Tensor:
    """The registers of lines, as bytes."""
    return lines.contiguous().view(torch.uint8)


def bytes_of(lines: Tensor) -> Iterator[memoryview]:
    """The bytes of each line."""
    return (memoryview(line) for line in uint8(lines).numpy())
