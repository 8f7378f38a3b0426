"""Some lines of the tensors of a log, each with the path to its root: what an auditor asks for who has the commitment alone.

Whoever ran the model keeps the log, and gives away its `commitment`, which has roots in place of tensors. Then the auditor draws a seed,
`opening` of the log has the lines for these elements, and `audit` of the commitment checks them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from . import _merkle
from ._checks import Checker
from ._lines import Part, Side, count_of, lines_of, parts_of, sizes_of
from ._log import Entry, Recording, Value, header_of, opened_file, safetensors
from ._sample import Cells, Sample, sample_of

FORMAT = "mmasmt-opening/1"


class Lines(NamedTuple):
    """Lines of one tensor: their numbers, their bytes, of shape (lines, bytes), and the path of each."""

    numbers: list[int]
    data: Tensor
    paths: list[list[str]]


@dataclass
class Opening:
    """Lines of a log for `elements` single elements of each product, drawn from `seed`.

    `near` has, by the number of the call, those elements that were chosen for being nearest to where the result is rounded the other
    way: by whoever has the log, so that the *power* of the report says what they are good for. `log` is the SHA-256 of the commitment.
    """

    log: str
    elements: int
    seed: int
    near: dict[int, list[int]] = field(default_factory=dict)
    lines: dict[str, Lines] = field(default_factory=dict)
    whole: dict[str, Tensor] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of lines, tensors and paths."""
        paths = sum(len(path) * 32 for lines in self.lines.values() for path in lines.paths)
        stored = [*(lines.data for lines in self.lines.values()), *self.whole.values()]
        return paths + sum(x.numel() * x.element_size() for x in stored)

    def write(self, path: str | Path) -> None:
        """Writes a file of safetensors."""
        head = {
            "format": FORMAT, "log": self.log, "elements": self.elements, "seed": self.seed,
            "near": {str(number): places for number, places in self.near.items()},
            "lines": {name: {"numbers": lines.numbers, "paths": lines.paths} for name, lines in self.lines.items()},
        }  # fmt: skip
        stored = {f"lines {name}": lines.data for name, lines in self.lines.items()}
        stored |= {f"whole {name}": x for name, x in self.whole.items()}
        safetensors().save_file(stored, path, metadata={"mmasmt": json.dumps(head)})

    @classmethod
    def read(cls, path: str | Path) -> Opening:
        """Reads a file.

        Raises
        ------
        ValueError
            If it is no opening, or is cut off.
        """
        head, tensors = opened_file(path, FORMAT, "an opening", "write one with opening")
        try:
            lines = {
                name: Lines([int(i) for i in said["numbers"]], tensors[f"lines {name}"], said["paths"]) for name, said in head["lines"].items()
            }
            near = {int(number): [int(i) for i in places] for number, places in head["near"].items()}
            whole = {name.removeprefix("whole "): x for name, x in tensors.items() if name.startswith("whole ")}
            return cls(str(head["log"]), int(head["elements"]), int(head["seed"]), near, lines, whole)
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise ValueError(f"{path}: expected the header of an opening, found one without what it needs: {error}") from None


def commitment(log: Recording | str | Path) -> Recording:
    """The log without its tensors: in place of the operands and the result of each product the roots of trees over their lines.

    It is as large as the list of calls. `write` makes a file of it, and its hash is what has to be fixed before a seed is drawn.

    Parameters
    ----------
    log : Recording, str or path
        With ``keep="operands"``.

    Raises
    ------
    ValueError
        If a tensor is not in the log.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> layer = torch.nn.Linear(16, 4).half()
    >>> with mt.emulate("H100", unknown="ignore"):
    ...     log = mt.record(layer, torch.ones(2, 16).half(), machine="H100")
    >>> fixed = mt.commitment(log)
    >>> len(fixed.tensors), mt.audit(fixed, opening=mt.opening(log, 3, seed=7)).is_equal
    (0, True)
    """
    recording = log if isinstance(log, Recording) else Recording.read(log)
    roots: dict[tuple[str, Side], str] = {}
    entries = []
    for entry in recording.entries:
        found: dict[Value, Value] = {}
        for part in parts_of(entry):
            key = part.value.name, part.side
            if part.side != "whole":
                if key not in roots:
                    roots[key] = _merkle.tree(_bytes(lines_of(recording.get(part.value), part.side)))[-1][0].hex()
                own = found.get(part.value, part.value)
                found[part.value] = replace(own, rows=roots[key]) if part.side == "rows" else replace(own, columns=roots[key])
        entries.append(_with(entry, found))
    return Recording({**recording.header, "keep": "roots"}, entries)


def opening(log: Recording | str | Path, elements: int, seed: int, *, near: bool = True, machine: str = "") -> Opening:
    """The lines of a log that `elements` single elements of each product need, drawn from a seed.

    Parameters
    ----------
    log : Recording, str or path
        With ``keep="operands"``.
    elements : int
        So many of each product.
    seed : int
        What the auditor drew, after the commitment was fixed.
    near : bool
        Whether three quarters of the elements are those nearest to where the result is rounded the other way.
    machine : str
        As for `audit`; the one that the log claims, if nothing is said.

    Raises
    ------
    ValueError
        If a tensor is not in the log, or `elements` is below 1.
    """
    recording = log if isinstance(log, Recording) else Recording.read(log)
    sample = sample_of(None, None, elements, "boundary" if near else None, seed)
    assert sample is not None
    machine = machine or str(recording.header.get("machine") or "")
    checker = Checker(recording, machine, (), sample, None, 0) if near else None
    found = Opening(hash_of(commitment(recording)), elements, seed)
    wanted: dict[str, tuple[Part, set[int]]] = {}
    for number, entry in enumerate(recording.entries):
        if checker is not None and parts_of(entry):
            found.near[number] = checker.nearest(number, entry)
        for part, line in needed(entry, number, sample, found.near.get(number, [])):
            if part.side == "whole":
                found.whole[part.value.name] = recording.get(part.value).contiguous().reshape(-1).view(torch.uint8)
            else:
                wanted.setdefault(f"{part.value.name} {part.side}", (part, set()))[1].add(line)
    for name, (part, numbers) in wanted.items():
        data = _uint8(lines_of(recording.get(part.value), part.side))
        levels, ordered = _merkle.tree(_bytes(data)), sorted(numbers)
        found.lines[name] = Lines(ordered, data[ordered], [[x.hex() for x in _merkle.path(levels, i)] for i in ordered])
    return found


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
            self._lines[key] = side, lines
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


def hash_of(log: Recording) -> str:
    """SHA-256 of the header of a commitment: its line of JSON."""
    return hashlib.sha256(header_of(log).encode()).hexdigest()


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
    for i, line, path in zip(lines.numbers, _bytes(lines.data), lines.paths):
        found = _merkle.root_of(line, i, count, [bytes.fromhex(x) for x in path])
        if found is None or found.hex() != part.root:
            raise ValueError(f"{name}: expected line {i} of its {side} with a path to the root in the commitment, found another line or path")


def _put(x: Tensor, side: Side, lines: Lines) -> None:
    """Writes lines to their places, as bytes: a copy of numbers could change a NaN."""
    kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()]
    laid = x.view(kind).transpose(-1, -2) if side == "columns" else x.view(kind)
    numbers = torch.tensor(lines.numbers)
    if laid.dim() == 3:
        laid[numbers // laid.shape[1], numbers % laid.shape[1]] = lines.data.view(kind)
    else:
        laid[numbers] = lines.data.view(kind)


def _uint8(lines: Tensor) -> Tensor:
    return lines.contiguous().view(torch.uint8)


def _bytes(lines: Tensor) -> Iterator[memoryview]:
    """The bytes of each line."""
    return (memoryview(line) for line in _uint8(lines).numpy())


def _with(entry: Entry, found: dict[Value, Value]) -> Entry:
    """The call with the roots of its tensors, each in the place of its own role."""

    def changed(x: Any) -> Any:
        return found.get(x, x) if isinstance(x, Value) else x

    kwargs = {name: changed(x) for name, x in entry.kwargs.items()}
    return replace(entry, args=[changed(x) for x in entry.args], kwargs=kwargs, results=[changed(x) for x in entry.results])
