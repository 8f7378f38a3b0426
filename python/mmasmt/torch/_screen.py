"""A few elements of a product by many plans: sums of parts are made once for all plans that cut k alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

import mmasmt

from ._combine import ORDERS
from ._operator import Operands
from ._product import Plan, dtype_of, finished, model_of, rounded_in
from ._rounding import bits


class Screen:
    """Elements of one product that rule plans out.

    Parameters
    ----------
    plan : Plan
        How the machine makes the product: its epilogue holds for all plans.
    operands : Operands
        A product of one row and one column for each element.
    recorded : Tensor
        What was recorded of them.
    """

    def __init__(self, plan: Plan, operands: Operands, recorded: Tensor) -> None:
        self.plan, self.operands, self.recorded = plan, operands, bits(recorded.reshape(-1))
        self._sums: tuple[Any, list[Tensor]] = (None, [])

    def passes(self, keys: dict[str, Any]) -> bool:
        """Whether a plan with other keys gives the recorded bits of these elements."""
        plan = replace(self.plan, **keys)
        total = self._combined(plan)
        found = finished(total, plan, self.operands.c, self.operands.bias)
        return torch.equal(bits(found.reshape(-1)), self.recorded)

    def _combined(self, plan: Plan) -> Tensor:
        key = (plan.unit, plan.round_in, plan.every, plan.parts, plan.tile, plan.order)
        if self._sums[0] != key:
            self._sums = key, self._made(plan)
        sums, out = self._sums[1], dtype_of(plan.out)

        def stored(x: Tensor, form: str) -> Tensor:
            return x.to(out).to(x.dtype) if form == "out" else x

        parts = [stored(x, plan.partial) for x in sums]
        parts[0] = stored(parts[0], plan.running)
        return ORDERS[plan.combine](parts, lambda x, y: stored(x + y, plan.running))

    def _made(self, plan: Plan) -> list[Tensor]:
        """The sums of all parts: those of equal length in one product of many matrices."""
        a, b = rounded_in(plan, self.operands.a, self.operands.b)
        model = model_of(replace(plan, parts=1))
        places = places_of(a.shape[-1], plan)
        found: list[Tensor | None] = [None] * len(places)
        for length in {len(place) for place in places}:
            which = [i for i, place in enumerate(places) if len(place) == length]
            if not length:
                sums = torch.zeros(len(which), len(a), 1, 1, dtype=dtype_of(mmasmt.signature(plan.unit).d.format))
            else:
                at = torch.stack([places[i] for i in which])
                left, right = a[:, :, at].permute(2, 0, 1, 3), b[:, at].permute(1, 0, 2, 3)
                sums = mmasmt.matmul(left.flatten(0, 1), right.flatten(0, 1), model=model, threads=1).reshape(len(which), len(a), 1, 1)
            for i, x in zip(which, sums):
                found[i] = x
        return [x for x in found if x is not None]


def places_of(k: int, plan: Plan) -> list[Tensor]:
    """Which products are in each part of a plan; parts at the end may have none."""
    tile = torch.arange(k) // plan.tile
    own = -(-(-(-k // plan.tile)) // plan.parts)
    part = tile % plan.parts if plan.order == "strided" else tile // own
    return [(part == i).nonzero()[:, 0] for i in range(plan.parts)]
