"""What the elements of a spot check would show: on how many of them other machines and plans give other bits than the machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from .._emulation.plan import Plan
from .._emulation.units import architecture_of
from ._operator import Operands
from ._rounding import bits
from ._screen import Screen
from ._suspects import Suspect, stages

# Products whose elements are asked: a log has many that are alike.
_MOST = 64
_TILE = 16


@dataclass
class Power:
    """Other machines and plans, and on how many elements of all products each gives other bits than the machine.

    `machine` makes the products; `elements` of `products` were asked. `same` are architectures with the same units.
    """

    machine: str
    products: int = 0
    elements: int = 0
    shown: dict[str, int] = field(default_factory=dict)
    same: tuple[str, ...] = ()

    def add(self, plan: Plan, few: Operands, kind: str) -> None:
        """Asks the elements of one product, given as a product of one row and one column for each."""
        is_plain = few.scale_a is None and few.start is None and plan.ranks == 1
        if self.products >= _MOST or not is_plain or not few.a.shape[-1]:
            return
        screen = Screen(plan, few, torch.zeros(few.a.shape[0]))
        own = bits(screen.results({}).reshape(-1))
        self.products += 1
        self.elements += len(own)
        same = _same(self.machine, kind, few.a.shape[-1], plan)
        self.same = same if self.products == 1 else tuple(name for name in self.same if name in same)
        for name, suspect in _others(self.machine, kind, few.a.shape[-1], plan):
            try:
                found = bits(screen.results(suspect.keys).reshape(-1))
            except ValueError:
                continue
            self.shown[name] = self.shown.get(name, 0) + int((own != found).sum())

    @property
    def alike(self) -> list[str]:
        """Others that give the bits of the machine on every element that was asked."""
        return [name for name, count in self.shown.items() if not count]

    def lines(self) -> list[str]:
        """For a report."""
        if not self.products:
            return []
        shown = ", ".join(f"{name} ({count})" for name, count in sorted(self.shown.items(), key=lambda one: -one[1]) if count)
        alike = ", ".join([*(f"{name} (the same unit)" for name in self.same), *self.alike])
        of = f"{self.elements} elements of {self.products} product{'s' if self.products != 1 else ''}"
        lines = [f"power: of {of} so many would differ, had the log been made by: {shown}"] if shown else []
        return [*lines, f"NOT TOLD APART by {of}: {alike}"] if alike else lines


def _same(machine: str, kind: str, k: int, plan: Plan) -> tuple[str, ...]:
    """Other architectures that have the unit of the plan for these operands."""
    own = architecture_of(machine)
    first = next(iter(stages(machine, kind, k, plan.out)))
    return tuple(name for suspect in first[:1] if suspect.keys["unit"] == plan.unit for name in suspect.names if name != own)


def _others(machine: str, kind: str, k: int, plan: Plan) -> Iterator[tuple[str, Suspect]]:
    """One chain of each other unit, and k in 4 parts on the same one."""
    first = next(iter(stages(machine, kind, k, plan.out)))
    own: dict[str, Any] = {"unit": plan.unit, "nan": plan.nan, "round_in": plan.round_in, "every": plan.every}
    for suspect in first:
        if suspect.keys["every"] == plan.every and suspect.keys["unit"] != plan.unit:
            yield ", ".join(suspect.names), suspect
    if plan.parts == 1 and k >= 4 * _TILE and not plan.every:
        yield f"k in 4 parts of tiles of {_TILE}", Suspect((), {**own, "parts": 4, "tile": _TILE, "order": "contiguous"})
    if plan.parts > 1:
        yield "one chain", Suspect((), {**own, "parts": 1})

