"""Which other machine or plan made a recorded result, where the claimed one did not."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .._emulation.calls import Call
from .._emulation.errors import Refused
from ._log import same_bits
from ._sample import Cells
from ._screen import Screen
from ._some import Choice, Seen, Some
from ._suspects import Suspect, stages

# Elements that rule a suspect out: some that differ, and as many others; more of them before a whole product is made.
_FEW = (3, 32, 256)
# Suspects that are tried where a result is more than its product, so that a few elements cannot stand for it.
_MOST_WHOLE = 300

@dataclass(frozen=True)
class Case:
    """A call that differs: its arguments, what was recorded, and which elements were compared."""

    op: str
    args: Any
    kwargs: Any
    recorded: Sequence[Tensor | None]
    marks: Sequence[Tensor | None]
    choose: Choice | None
    call: Call


class Found(NamedTuple):
    """Suspects that give all bits that were compared, as texts; how many were tried; and whether the time was over before the last."""

    matches: tuple[str, ...]
    tried: int
    is_cut: bool = False


@dataclass
class Search:
    """Tries suspects; those that explained one call are tried first on the next one. All calls together have `timeout` seconds."""

    machine: str
    timeout: float | None = None
    known: list[Suspect] = field(default_factory=list)
    _spent: float = field(default=0.0, repr=False)

    def of(self, run: Some, case: Case, seen: Seen, wrong: Tensor | None) -> Found:
        """Suspects of the first stage that has any.

        Parameters
        ----------
        wrong : Tensor, optional
            Elements that differ, of a result that is the product itself.
        """
        begin = time.monotonic()
        try:
            return self._of(run, case, seen, wrong, None if self.timeout is None else begin + self.timeout - self._spent)
        finally:
            self._spent += time.monotonic() - begin

    def _of(self, run: Some, case: Case, seen: Seen, wrong: Tensor | None, until: float | None) -> Found:
        kind, k, out = case.call.shape.kind, case.call.shape.k, seen.plan.out
        screens = None if wrong is None or seen.plan.ranks > 1 else Screens(seen, case, wrong)
        is_plain = seen.operands.scale_a is None and seen.operands.start is None and seen.plan.ranks == 1
        all_stages = list(stages(self.machine, kind, k, out)) if is_plain else []
        units = {suspect.keys["unit"] for stage in all_stages[:1] for suspect in stage}
        known = [suspect for suspect in self.known if suspect.keys["unit"] in units]
        left, tried = None if screens is not None else _MOST_WHOLE, 0
        for stage in filter(None, [known, *all_stages]):
            matches = []
            is_cut = False
            for suspect in islice(stage, left):
                if until is not None and time.monotonic() > until:
                    is_cut = True
                    break
                tried += 1
                if (screens is None or screens.pass_all(suspect.keys)) and _agrees(run, case, suspect):
                    matches.append(suspect)
            if left is not None:
                left = _MOST_WHOLE - tried
            if matches:
                self.known += [one for one in matches if one not in self.known]
                return Found(tuple(one.text(out) for one in matches), tried, is_cut)
            if is_cut:
                return Found((), tried, True)
        return Found((), tried)


def _agrees(run: Some, case: Case, suspect: Suspect) -> bool:
    run.order, run.choose = suspect.keys, case.choose
    try:
        made = run.made(case.op, case.args, case.kwargs)
    except (Refused, ValueError):
        return False
    finally:
        run.order = {}
    pairs = zip(case.recorded, made, case.marks)
    return all(bool((same_bits(x, y) | ~mark).all()) for x, y, mark in pairs if x is not None and y is not None and mark is not None)


class Screens:
    """More and more elements of a product, each made when a suspect has passed those before."""

    def __init__(self, seen: Seen, case: Case, wrong: Tensor) -> None:
        self._seen, self._wrong = seen, wrong
        recorded, mark = case.recorded[0], case.marks[0]
        assert recorded is not None and mark is not None
        self._recorded, self._mark = recorded, mark
        self._made: list[Screen] = []

    def pass_all(self, keys: dict[str, Any]) -> bool:
        """Whether a plan with other keys gives the recorded bits of all these elements."""
        for number, few in enumerate(_FEW):
            if number == len(self._made):
                self._made.append(self._screen(few))
            if not self._made[number].passes(keys):
                return False
        return True

    def _screen(self, few: int) -> Screen:
        seen, wrong = self._seen, self._wrong
        m, n = seen.operands.a.shape[1], seen.operands.b.shape[2]
        equal = (self._mark & ~wrong).reshape(-1).nonzero()[:, 0]
        flat = torch.cat([wrong.reshape(-1).nonzero()[:few, 0], equal[:: max(1, len(equal) // few)][:few]])
        cells = Cells(flat // (m * n), flat // n % m, flat % n)
        return Screen(seen.plan, cells.taken(seen.operands), self._recorded.reshape(-1)[flat])
