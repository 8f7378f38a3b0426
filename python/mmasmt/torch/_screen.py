"""A few elements of a product by many plans: sums of parts are made once for all plans that cut k alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

import mmasmt

from .._emulation.plan import Plan, model_of
from ._combine import ORDERS
from ._operator import Operands
from ._product import dtype_of, finished, rounded_in
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
        return torch.equal(bits(self.results(keys).reshape(-1)), self.recorded)

    def results(self, keys: dict[str, Any]) -> Tensor:
        """What a plan with other keys gives for these elements."""
        plan = replace(self.plan, **keys)
        total = self._combined(plan)
        return finished(total, plan, self.operands.c, self.operands.bias, self.operands.a.element_size() == 1)

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
        a, b = (_array(x) for x in rounded_in(plan, self.operands.a[:, 0], self.operands.b[:, :, 0]))
        model = model_of(replace(plan, parts=1))
        places = places_of(a.shape[-1], plan)
        found: list[Tensor | None] = [None] * len(places)
        for length in {len(place) for place in places}:
            which = [i for i, place in enumerate(places) if len(place) == length]
            if length:
                # In NumPy, which has no threads that wait for each other.
                at = np.stack([places[i] for i in which], -2)
                left, right = (x[:, at].swapaxes(0, 1).reshape(-1, length) for x in (a, b))
                sums = mmasmt.matmul(left[:, None], right[:, :, None], model=model, threads=1).reshape(len(which), -1, 1, 1)
            else:
                sums = np.zeros((len(which), len(a), 1, 1), "f8" if mmasmt.signature(plan.unit).d.format == "f64" else "f4")
            for i, x in zip(which, sums):
                found[i] = torch.from_numpy(x)
        return [x for x in found if x is not None]


def _array(x: Tensor) -> npt.NDArray[Any]:
    """Numbers, or the registers of a format that NumPy has not."""
    return x.numpy() if x.element_size() > 2 else bits(x).numpy().view(f"u{x.element_size()}")


def places_of(k: int, plan: Plan) -> list[npt.NDArray[np.int64]]:
    """Which products are in each part of a plan; parts at the end may have none."""
    tile = np.arange(k) // plan.tile
    own = -(-(-(-k // plan.tile)) // plan.parts)
    part = tile % plan.parts if plan.order == "strided" else tile // own
    return [np.flatnonzero(part == i) for i in range(plan.parts)]
