"""An emulation that makes chosen elements of each product, and knows which elements of a result depend on no others."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils._pytree import tree_flatten, tree_map

from .._emulation.plan import Plan
from ._mode import emulate
from ._operator import Operands
from ._product import dtype_of
from ._boundary import nearest
from ._sample import Chosen, Sample

_CLEARED = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


class Seen(NamedTuple):
    """A product that was made."""

    plan: Plan
    operands: Operands
    result: Tensor


class Choice:
    """The elements that a sample has of the products of one call: chosen when they are made first, and the same ones ever after."""

    def __init__(self, sample: Sample, number: int, places: list[int] | None = None) -> None:
        self._sample, self._number, self._places = sample, number, places
        self._chosen: list[Chosen] = []
        self._few: list[Operands] = []
        self._next = 0

    def first(self) -> Operands:
        """The operands of the elements of the first product."""
        return self._few[0]

    @property
    def near(self) -> list[int]:
        """Those of the first product that are near a boundary, as numbers in its result."""
        return self._places or []

    def _near(self, plan: Plan, operands: Operands, draw: random.Random) -> Tensor:
        if self._places is None:
            found = nearest(plan, operands, self._sample.near, draw)
            self._places = found.tolist() if not self._chosen else None
            return found
        return torch.tensor(self._places, dtype=torch.int64)

    def again(self) -> None:
        """The call begins anew."""
        self._next = 0

    def __call__(self, plan: Plan, operands: Operands) -> Chosen:
        """The elements of the next product."""
        if self._next == len(self._chosen):
            shape = operands.a.shape[0], operands.a.shape[1], operands.b.shape[2]
            self._chosen.append(self._sample.chosen(self._number, *shape, lambda draw: self._near(plan, operands, draw)))
            self._few = self._few or [self._chosen[0].taken(operands)]
        self._next += 1
        return self._chosen[self._next - 1]


class Some(emulate):
    """An emulation of single operators, of which it makes `chosen` elements, or all.

    `order`, if there is one, replaces keys of every plan: another unit, parts, formats of partial sums. `seen` has the products
    of the operator that was made last.
    """

    # Nothing of anybody else's runs in here.
    _watches = False

    def __init__(self, machine: str, **options: Any) -> None:
        super().__init__(machine, unknown="ignore", **options)
        self.choose: Choice | None = None
        self.order: dict[str, Any] = {}
        self.is_marking = False
        self.seen: list[Seen] = []

    def _make(self, plan: Plan, operands: Operands) -> Tensor:
        plan = replace(plan, **self.order)
        found = self._some(plan, operands)
        self.seen.append(Seen(plan, operands, found))
        return found

    def _some(self, plan: Plan, operands: Operands) -> Tensor:
        if self.choose is None and not self.is_marking:
            return super()._make(plan, operands)
        shape = operands.a.shape[0], operands.a.shape[1], operands.b.shape[2]
        found = torch.full(shape, torch.nan if self.is_marking else 0, dtype=torch.float32).to(dtype_of(plan.out))
        chosen = None if self.choose is None else self.choose(plan, operands)
        if chosen is None:
            return torch.ones_like(found, dtype=torch.float32).to(found.dtype)
        if plan.ranks > 1 and not self.is_marking:
            # The place of an element in the whole result decides the order of a ring.
            return super()._make(plan, operands)
        few = chosen.taken(operands)
        if self.is_marking:
            chosen.put(found, torch.ones(few.a.shape[0], few.a.shape[1], few.b.shape[2]).to(found.dtype))
        else:
            chosen.put(found, super()._make(plan, few))
        return found

    def made(self, op: str, args: Any, kwargs: Any) -> list[Tensor | None]:
        """The results of an operator of aten, right where `marks` is true."""
        self.seen, self._made = [], []
        if self.choose is not None:
            self.choose.again()
        with torch.no_grad(), self:
            return list(tree_flatten(getattr(torch.ops.aten, op)(*args, **kwargs))[0])

    def marks(self, op: str, args: Any, kwargs: Any) -> list[Tensor | None]:
        """Which elements of each result depend on chosen elements of products alone.

        Products have NaN in the place of others, which whatever an operator does with them keeps; no NaN comes from operands, since
        they are zeros here.
        """
        if self.choose is None:
            return [None if x is None else torch.ones(x.shape, dtype=torch.bool) for x in self.made(op, args, kwargs)]
        self.is_marking = True
        try:
            cleared = tree_map(lambda x: torch.zeros_like(x) if isinstance(x, Tensor) and x.dtype in _CLEARED else x, (args, kwargs))
            found = self.made(op, *cleared)
        finally:
            self.is_marking = False
        return [None if x is None else ~x.isnan() for x in found]
