"""Logs for tests of audits: recorded of an emulation, or written by nobody."""

from __future__ import annotations

from typing import Any

import torch

import mmasmt.torch as mt
from mmasmt.torch._log import Entry


def log_of(*calls: tuple[str, list[Any], dict[str, Any], Any], **header: Any) -> mt.Recording:
    """A log that nobody recorded: operators with arguments and results."""
    log = mt.Recording({"machine": "", "keep": "operands", **header})
    for number, (op, args, kwargs, result) in enumerate(calls):
        named = [log.put(x, f"{number}.{i}") if isinstance(x, torch.Tensor) else x for i, x in enumerate(args)]
        log.entries.append(Entry(op, named, kwargs, [log.put(result, f"{number}.result")]))
    return log


def changed(log: mt.Recording, at: tuple[int, ...], value: Any, number: int = 0) -> mt.Recording:
    """The log with another element in a result, and everything else as it should be."""
    result = log.get(log.entries[number].results[0]).clone()
    result[at] = value
    log.entries[number].results = [log.put(result, f"{number}.changed")]
    return log


def drawn(*shape: int, seed: int = 0, dtype: Any = None) -> Any:
    x = torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    return x if dtype is None else x.to(dtype)


def model() -> Any:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 8)).half()


def recorded(machine: str, rows: int = 6, **options: Any) -> mt.Recording:
    with mt.emulate(machine, unknown="ignore"):
        return mt.record(model(), drawn(rows, 64).half(), machine=machine, **options)
