"""What the owner of a log gives away: a commitment to all of its lines, and the lines that an auditor asks for.

Whoever ran the model keeps the log, and gives away its `commitment`, which has roots in place of tensors. Then the auditor draws a seed,
`opening` of the log has the lines for these elements, and `audit` of the commitment checks them.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from . import _merkle
from ._checks import Checker
from ._lines import Part, Side, bytes_of, lines_of, needed, parts_of, uint8
from ._log import Entry, Recording, Value, header_of
from ._opening import Lines, Opening
from ._sample import sample_of


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
    >>> len(fixed.tensors), mt.audit(fixed, opening=mt.opening(log, 3, seed=7), elements=3, seed=7).is_equal
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
                    roots[key] = _merkle.tree(bytes_of(lines_of(recording.get(part.value), part.side)))[-1][0].hex()
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
        The seed that the auditor drew, after the commitment was fixed.
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
        data = uint8(lines_of(recording.get(part.value), part.side))
        levels, ordered = _merkle.tree(bytes_of(data)), sorted(numbers)
        found.lines[name] = Lines(ordered, data[ordered], [[x.hex() for x in _merkle.path(levels, i)] for i in ordered])
    return found


def hash_of(log: Recording) -> str:
    """SHA-256 of the header of a commitment: its line of JSON."""
    return hashlib.sha256(header_of(log).encode()).hexdigest()


def _with(entry: Entry, found: dict[Value, Value]) -> Entry:
    """The call with the roots of its tensors, each in the place of its own role."""

    def changed(x: Any) -> Any:
        return found.get(x, x) if isinstance(x, Value) else x

    kwargs = {name: changed(x) for name, x in entry.kwargs.items()}
    return replace(entry, args=[changed(x) for x in entry.args], kwargs=kwargs, results=[changed(x) for x in entry.results])
