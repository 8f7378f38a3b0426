"""Which other machine or plan made a recorded result, where the claimed one did not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from .._emulation.calls import Call
from .._emulation.errors import Refused
from ._log import same_bits
from ._sample import Cells, Chosen
from ._screen import Screen
from ._some import Seen, Some
from ._suspects import Suspect, stages

# Elements that rule a suspect out: some that differ, and as many others.
_FEW = 3
# Suspects that are tried where a result is more than its product, so that a few elements cannot stand for it.
_MOST_WHOLE = 300

Choose = Callable[[int, int, int], Chosen] | None


@dataclass(frozen=True)
class Case:
    """A call that differs: its arguments, what was recorded, and which elements were compared."""

    op: str
    args: Any
    kwargs: Any
    recorded: Sequence[Tensor | None]
    marks: Sequence[Tensor | None]
    choose: Choose
    call: Call


@dataclass
class Search:
    """Tries suspects; those that explained one call are tried first on the next one."""

    machine: str
    known: list[Suspect] = field(default_factory=list)

    def of(self, run: Some, case: Case, seen: Seen, wrong: Tensor | None) -> tuple[tuple[str, ...], int]:
        """Suspects that give all bits that were compared, of the first stage that has any; and how many were tried.

        Parameters
        ----------
        wrong : Tensor, optional
            Elements that differ, of a result that is the product itself.
        """
        kind, k, out = case.call.shape.kind, case.call.shape.k, seen.plan.out
        screen = None if wrong is None or seen.plan.ranks > 1 else _screen(seen, case, wrong)
        is_plain = seen.operands.scale_a is None and seen.operands.start is None and seen.plan.ranks == 1
        all_stages = list(stages(self.machine, kind, k, out)) if is_plain else []
        units = {suspect.keys["unit"] for stage in all_stages[:1] for suspect in stage}
        known = [suspect for suspect in self.known if suspect.keys["unit"] in units]
        left, tried = None if screen is not None else _MOST_WHOLE, 0
        for stage in filter(None, [known, *all_stages]):
            matches = []
            for suspect in islice(stage, left):
                tried += 1
                if (screen is None or screen.passes(suspect.keys)) and _agrees(run, case, suspect):
                    matches.append(suspect)
            if left is not None:
                left = _MOST_WHOLE - tried
            if matches:
                self.known += [one for one in matches if one not in self.known]
                return tuple(one.text(out) for one in matches), tried
        return (), tried


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


def _screen(seen: Seen, case: Case, wrong: Tensor) -> Screen:
    recorded, mark = case.recorded[0], case.marks[0]
    assert recorded is not None and mark is not None
    m, n = seen.operands.a.shape[1], seen.operands.b.shape[2]
    equal = (mark & ~wrong).reshape(-1).nonzero()[:, 0]
    flat = torch.cat([wrong.reshape(-1).nonzero()[:_FEW, 0], equal[:: max(1, len(equal) // _FEW)][:_FEW]])
    cells = Cells(flat // (m * n), flat // n % m, flat % n)
    return Screen(seen.plan, cells.taken(seen.operands), recorded.reshape(-1)[flat])
