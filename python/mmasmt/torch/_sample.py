"""Which elements of a product a spot check looks at, and how likely it misses a change.

All of the statements are for changes that were made without knowing the seed. Each product draws for itself, so that chances for
several products multiply.
"""

from __future__ import annotations

import hashlib
import math
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from ._operator import Operands


# Quarters of the elements of a spot check that are near a boundary.
_NEAR = 3


class Chosen(Protocol):
    """Elements of a product of matrices."""

    def taken(self, operands: Operands) -> Operands:
        """The operands of these elements alone."""
        ...

    def put(self, into: Tensor, values: Tensor) -> None:
        """Writes their values to their places in the whole result, of shape (B, M, N)."""
        ...

    def shape(self, matrices: int) -> tuple[int, int, int]:
        """That of their values, in a result of so many matrices."""
        ...


def _at(x: Tensor, *index: Tensor | slice) -> Tensor:
    """Elements by index, of any type: PyTorch before 2.8 has no indices into FP8."""
    return x.view(torch.uint8)[index].view(x.dtype) if x.element_size() == 1 else x[index]


@dataclass(frozen=True)
class Grid:
    """All elements in some rows and columns, the same ones of each matrix of a batch."""

    rows: Tensor
    columns: Tensor

    def taken(self, operands: Operands) -> Operands:
        every = slice(None)

        def inner(x: Tensor | None) -> Tensor | None:
            return None if x is None else x[:, self.rows][:, :, self.columns]

        def left(x: Tensor) -> Tensor:
            return _at(x, every, self.rows)

        def right(x: Tensor) -> Tensor:
            return _at(x, every, every, self.columns)

        a, b, c, bias, start, scale_a, scale_b = operands
        return Operands(
            left(a), right(b), inner(c), None if bias is None else bias[self.columns], inner(start),
            None if scale_a is None else left(scale_a), None if scale_b is None else right(scale_b),
        )  # fmt: skip

    def put(self, into: Tensor, values: Tensor) -> None:
        into[:, self.rows[:, None], self.columns] = values

    def shape(self, matrices: int) -> tuple[int, int, int]:
        return matrices, len(self.rows), len(self.columns)


@dataclass(frozen=True)
class Cells:
    """Single elements: matrix of the batch, row and column of each."""

    matrix: Tensor
    row: Tensor
    column: Tensor

    def taken(self, operands: Operands) -> Operands:
        """A product of one row and one column for each."""
        at, i, j = self.matrix, self.row, self.column

        def inner(x: Tensor | None) -> Tensor | None:
            return None if x is None else x[at, i, j][:, None, None]

        def left(x: Tensor) -> Tensor:
            return _at(x, at, i)[:, None, :]

        def right(x: Tensor) -> Tensor:
            return _at(x.transpose(1, 2), at, j)[:, :, None]

        a, b, c, bias, start, scale_a, scale_b = operands
        return Operands(
            left(a), right(b), inner(c), None if bias is None else bias[j][:, None, None], inner(start),
            None if scale_a is None else left(scale_a), None if scale_b is None else right(scale_b),
        )  # fmt: skip

    def put(self, into: Tensor, values: Tensor) -> None:
        into[self.matrix, self.row, self.column] = values.reshape(-1)

    def shape(self, matrices: int) -> tuple[int, int, int]:
        return len(self.matrix), 1, 1


@dataclass(frozen=True)
class Sample:
    """How many elements of each product are looked at: `rows` times `columns`, or `elements` single ones.

    `near` of the elements are those whose exact sums are nearest to where the result is rounded the other way; the others are drawn.
    """

    seed: int
    rows: int = 0
    columns: int = 0
    elements: int = 0
    near: int = 0

    def chosen(self, index: int, batch: int, m: int, n: int, near: Callable[[random.Random], Tensor] | None = None) -> Chosen:
        """Those of the product with this number in the log; drawn without repetition, from the seed and the number alone.

        `near` gives the elements near a boundary, as numbers in the result.
        """
        key = hashlib.sha256(f"{self.seed} {index} {batch} {m} {n}".encode()).digest()
        draw = random.Random(int.from_bytes(key, "little"))
        if self.elements:
            total = batch * m * n
            drawn = draw.sample(range(total), min(self.elements, total))
            found = {*drawn[: self.elements - self.near], *([] if near is None else near(draw).tolist())}
            # Those near a boundary may be fewer, or among those that are drawn.
            found.update([place for place in drawn if place not in found][: max(0, self.elements - len(found))])
            flat = torch.tensor(sorted(found), dtype=torch.int64)
            return Cells(flat // (m * n), flat // n % m, flat % n)
        rows, columns = (sorted(draw.sample(range(size), min(of, size))) for size, of in ((m, self.rows), (n, self.columns)))
        return Grid(torch.tensor(rows, dtype=torch.int64), torch.tensor(columns, dtype=torch.int64))

    def text(self) -> str:
        """What is looked at, in words."""
        near = f" ({self.near} of them nearest to where the result is rounded the other way)" if self.near else ""
        what = f"{self.elements} elements{near}" if self.elements else f"{self.rows} rows x {self.columns} columns"
        return f"{what} of each product, seed {self.seed}"

    def missed(self, batch: int, m: int, n: int, share: float = 0.01) -> Missed:
        """How likely changes of one product are missed."""
        total, some = batch * m * n, math.ceil(share * batch * m * n)
        if self.elements:
            drawn = min(self.elements - self.near, total)
            one, row, column = (_none_of(total, drawn, size) for size in (1, n, m))
            anywhere = scattered = _none_of(total, drawn, some)
        else:
            r, c = min(self.rows, m), min(self.columns, n)
            one, row, column = 1 - r * c / (m * n), 1 - r / m, 1 - c / n
            # Rows alone, or columns alone, are the worst places; that min(r, c) bounds all of them is shown in docs/src/audit.md.
            anywhere = 0.0 if (r, c) == (m, n) else (1 - share) ** min(r, c)
            scattered = _none_of(total, r * c * batch, some)
        return Missed(one, row, column, share, anywhere, scattered)


def sample_of(rows: int | None, columns: int | None, elements: int | None, near: str | None, seed: int | None) -> Sample | None:
    """What a spot check looks at; None for all elements.

    Raises
    ------
    ValueError
        If an argument has no meaning.
    """
    if near not in (None, "boundary"):
        raise ValueError(f"near: expected boundary or None, found {near!r}")
    for name, value in (("rows", rows), ("columns", columns), ("elements", elements)):
        if value is not None and (not isinstance(value, int) or value < 1):
            raise ValueError(f"{name}: expected an integer of 1 or more, found {value!r}")
    if (rows is None) != (columns is None):
        raise ValueError(f"rows, columns: expected both or none, found {rows} and {columns}")
    if elements is not None and rows is not None:
        raise ValueError("elements: expected none beside rows and columns; a spot check takes one or the other")
    if elements is None and rows is None:
        return None
    of_near = _NEAR * (elements or 0) // 4 if near else 0
    return Sample(secrets.randbits(63) if seed is None else seed, rows or 0, columns or 0, elements or 0, of_near)


@dataclass(frozen=True)
class Missed:
    """Chances that a change is not seen: of one element, of one whole row or column of one matrix, of a `share` of all elements.

    `anywhere` holds wherever these elements are, as a bound; `scattered` is the chance if their places are drawn at random.
    """

    one: float
    row: float
    column: float
    share: float
    anywhere: float
    scattered: float


def _none_of(total: int, drawn: int, marked: int) -> float:
    """The chance that `drawn` of `total`, without repetition, have none of `marked`."""
    if drawn + marked > total:
        return 0.0
    few, many = sorted((drawn, marked))
    return math.exp(math.fsum(math.log1p(-many / (total - i)) for i in range(few)))
