"""A commitment beside an opening: lines are taken where their paths lead to the roots, and refused elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from . import _merkle
from ._commitment import hash_of
from ._lines import Part, Side, bytes_of, count_of, needed, parts_of, sizes_of
from ._log import Entry, Recording, Value
from ._opening import Lines, Opening
from ._sample import Sample, sample_of


class Opened(Recording):
    """A commitment with the lines of an opening: a tensor has zeros in all other lines.

    Raises
    ------
    ValueError
        If a line is missing, is not the one whose root is in the commitment, or if the opening is of another log or of other elements.
    """

    def __init__(self, log: Recording, found: Opening, sample: Sample) -> None:
        super().__init__(log.header, log.entries)
        if found.log != hash_of(log):
            raise ValueError("opening: expected one of this commitment, found one of another log")
        if (found.elements, found.seed) != (sample.elements, sample.seed):
            raise ValueError(
                f"opening: expected {sample.elements} elements of seed {sample.seed}, found {found.elements} of seed {found.seed}; ask "
                "again with this seed"
            )
        self._opening = found
        self._lines: dict[str, tuple[Side, Lines]] = {}
        self._roots: dict[str, str] = {}
        for number, entry in enumerate(log.entries):
            for part, line in needed(entry, number, sample, _places(found, number, entry, sample)):
                self._check(number, part, line)

    def _check(self, number: int, part: Part, line: int) -> None:
        name, side = part.value.name, part.side
        if side == "whole":
            if name not in self._opening.whole:
                raise ValueError(f"call {number}: expected the tensor {name} in the opening, found none")
            return
        key = f"{name} {side}"
        if key not in self._lines:
            lines = self._opening.lines.get(key)
            if lines is None:
                raise ValueError(f"call {number}: expected {side} of {name} in the opening, found none")
            _verified(part, lines)
            self._lines[key], self._roots[key] = (side, lines), part.root
        elif self._roots[key] != part.root:
            raise ValueError(f"call {number}: expected one root for the {side} of {name} in the commitment, found two")
        if line not in self._lines[key][1].numbers:
            raise ValueError(f"call {number}: expected line {line} of the {side} of {name} in the opening, found none")

    def has(self, value: Value) -> bool:
        return value.name in self._opening.whole or any(f"{value.name} {side}" in self._lines for side in ("rows", "columns"))

    def get(self, value: Value) -> Tensor:
        if value.name in self._opening.whole:
            return Recording(self.header, [], self._opening.whole).get(replace(value, order=tuple(range(len(value.shape)))))
        dtype = getattr(torch, value.dtype)
        back = sorted(range(len(value.shape)), key=lambda i: value.order[i])
        stored = torch.zeros([value.shape[i] for i in value.order], dtype=dtype).permute(back)
        for side in ("rows", "columns"):
            if f"{value.name} {side}" in self._lines:
                _, lines = self._lines[f"{value.name} {side}"]
                _put(stored, side, lines)
        return stored


def verify(log: Recording | str | Path, found: Opening | str | Path) -> None:
    """Checks an opening against a commitment: that all lines are there, and that each has a path to its root.

    `audit` does it as well, before anything is computed.

    Raises
    ------
    ValueError
        If a line is missing or has a wrong path, or if the opening is of another log.
    """
    recording = log if isinstance(log, Recording) else Recording.read(log)
    read = found if isinstance(found, Opening) else Opening.read(found)
    opened = Opened(recording, read, sample_for(read))
    for entry in opened.entries:
        for part in parts_of(entry):
            if part.side == "whole":
                opened.get(part.value)


def sample_for(found: Opening) -> Sample:
    """The sample that an opening is of."""
    sample = sample_of(None, None, found.elements, "boundary" if found.near else None, found.seed)
    assert sample is not None
    return sample


def _places(found: Opening, number: int, entry: Entry, sample: Sample) -> list[int]:
    """Those near a boundary, by whoever has the log: no more than there are to be, and inside of the result."""
    places = found.near.get(number, [])
    if not parts_of(entry):
        return []
    batch, m, n = sizes_of(entry)
    if len(places) > sample.near or not all(0 <= place < batch * m * n for place in places):
        raise ValueError(f"call {number}: expected at most {sample.near} elements of {batch * m * n} near a boundary, found {places[:8]}")
    return places


def _verified(part: Part, lines: Lines) -> None:
    """Every line has a path to the root of its tensor."""
    name, side = part.value.name, part.side
    count, length = count_of(part.value, side)
    size = length * getattr(torch, part.value.dtype).itemsize
    if not part.root:
        raise ValueError(f"{name}: expected the root of its {side} in the commitment, found none; make one with commitment")
    if lines.data.dtype != torch.uint8 or tuple(lines.data.shape) != (len(lines.numbers), size) or len(lines.paths) != len(lines.numbers):
        raise ValueError(f"{name}: expected {len(lines.numbers)} {side} of {size} bytes with a path each, found {tuple(lines.data.shape)}")
    for i, line, path in zip(lines.numbers, bytes_of(lines.data), lines.paths):
        found = _merkle.root_of(line, i, count, [bytes.fromhex(x) for x in path])
        if found is None or found.hex() != part.root:
            raise ValueError(f"{name}: expected line {i} of its {side} with a path to the root in the commitment, found another one")


def _put(x: Tensor, side: Side, lines: Lines) -> None:
    """Writes lines to their places, as bytes: a copy of numbers could change a NaN."""
    kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()]
    laid = x.view(kind).transpose(-1, -2) if side == "columns" else x.view(kind)
    numbers = torch.tensor(lines.numbers)
    if laid.dim() == 3:
        laid[numbers // laid.shape[1], numbers % laid.shape[1]] = lines.data.view(kind)
    else:
        laid[numbers] = lines.data.view(kind)
