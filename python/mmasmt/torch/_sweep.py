"""Does the batch change the bits of a row? The first row of a batch, in batches of several sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map

from .. import _native
from .._arrays import bits_of
from ._mode import emulate
from ._rounding import bits


@dataclass(frozen=True)
class Product:
    """One product of one batch size beside the same one of the first size.

    `order` and `order_before` say how the sum is made here and there; `different` of `compared` elements of the first row have other
    bits. `is_assumed` is whether nobody recorded one of both plans. `operands_differ` is whether the first row had other bits already in
    the operands, so that this product need not be the cause.
    """

    op: str
    module: str
    shape: str
    order: str
    order_before: str
    different: int
    compared: int
    is_assumed: bool = True
    operands_differ: bool = False


@dataclass(frozen=True)
class Batch:
    """What became of the first row in a batch of one size: `different` of `compared` elements of the model's results have other bits
    than in the first size; `products` are those whose bits or plans differ."""

    size: int
    different: int
    compared: int
    products: tuple[Product, ...] = field(repr=False)

    @property
    def first(self) -> Product | None:
        """The first product whose result has other bits."""
        return next((one for one in self.products if one.different), None)

    @property
    def is_by_processor(self) -> bool:
        """Whether operators that this processor computes changed bits before any product did.

        Kernels of PyTorch may give an element other bits at another place of a tensor, as that of GELU does with AVX-512.
        """
        return bool(self.different) if self.first is None else self.first.operands_differ


@dataclass(frozen=True)
class Sweep:
    """The first row in batches of several sizes, compared with the first size.

    `assumed` counts the products of all sizes whose plans nobody recorded, of `products`.
    """

    machine: str
    batches: tuple[Batch, ...]
    assumed: int = 0
    products: int = 0

    @property
    def is_invariant(self) -> bool | None:
        """Whether no element of the first row changed its bits; None where that rests on a plan that is assumed, or on this processor.

        `keeps_bits` is the answer as far as these plans hold, and the machine's other operators are those of this processor.
        """
        changed = [batch for batch in self.batches if batch.first is not None or batch.different]
        if any(batch.first is not None and not batch.first.is_assumed and not batch.is_by_processor for batch in changed):
            return False
        return None if self.assumed or changed else True

    @property
    def keeps_bits(self) -> bool:
        """Whether no element of the first row changed its bits, if every plan is what it is said to be."""
        return not any(batch.different for batch in self.batches)

    def report(self) -> str:
        """A line for each size, and one for each product that differs."""
        lines = [f"{self.machine}: the first row, beside its bits in a batch of {self.batches[0].size}"]
        for batch in self.batches[1:]:
            lines.append(f"batch {batch.size}: {batch.different} of {batch.compared} results have other bits")
            for one in batch.products:
                where = f" in {one.module}" if one.module else ""
                plan = f"{one.order_before} -> {one.order}" if one.order != one.order_before else one.order
                already = ", as operands do" if one.operands_differ else ""
                lines.append(f"  {one.shape}{where}: {plan}; {one.different} of {one.compared} elements differ{already}")
        if own := [str(batch.size) for batch in self.batches if batch.is_by_processor]:
            lines.append(
                f"NATIVE: operators of this processor changed bits before any product did, in batches of {', '.join(own)}: whether "
                f"those of {self.machine} do is not known; ATEN_CPU_CAPABILITY=default before Python starts may keep their bits"
            )
        if self.assumed:
            lines.append(
                f"ASSUMED: the plans of {self.assumed} of {self.products} products: whether the batch changes bits is not known, as a "
                "library may choose other kernels for other sizes; pass plans= or library="
            )
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.report()


class _Row(NamedTuple):
    """One product: its record, its first row, and the fingerprints of its operands, each of the whole and of the first row's share."""

    call: Any
    found: torch.Tensor | None
    operands: list[tuple[int, int | None]]


class _Rows(emulate):
    """An emulation that keeps the first row of each product."""

    def __init__(self, machine: str, size: int, **options: Any) -> None:
        super().__init__(machine, **options)
        self.size = size
        self.rows: list[_Row] = []

    def product(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        operands = [x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
        prints = [(_fingerprint(x), None if (own := self._share(x)) is None else _fingerprint(own)) for x in operands]
        found = super().product(*args, **kwargs)
        own = self._share(found)
        self.rows.append(_Row(self._made[-1], None if own is None else own.clone(), prints))
        return found

    def _share(self, x: torch.Tensor) -> torch.Tensor | None:
        """The first row's share: rows of the first sample come first, in a product of all rows and in one of all heads."""
        if not x.numel() or not x.dim():
            return None
        flat = x.reshape(-1, x.shape[-1])
        return flat[: len(flat) // self.size] if len(flat) % self.size == 0 else None


def _fingerprint(x: torch.Tensor) -> int:
    return int(_native.fingerprint(bits_of(x.detach().contiguous()).reshape(-1)))


def sweep(model: Any, inputs: Any, *, batches: Sequence[int] = (1, 2, 8, 64), machine: str, **options: Any) -> Sweep:
    """Runs a model in batches of several sizes, and compares the bits of the first row.

    Parameters
    ----------
    model : callable
        Called with the inputs, in evaluation mode, without gradients.
    inputs : Tensor, or tuple or dict of them
        With the batch as the first dimension of each; rows are repeated where there are fewer than a size needs.
    batches : sequence of int
        Sizes; the first one is what others are compared with.
    machine : str
        As for `emulate`.
    **options
        Other arguments of `emulate`, such as `plans`: where all sizes have the same plan, bits cannot differ.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> layer = torch.nn.Linear(64, 4).half()
    >>> split = mt.Rule(mt.Plan("", parts=2, tile=32, source="an example", verified="assumed"), m=1)
    >>> x = torch.randn(4, 64, generator=torch.Generator().manual_seed(0)).half()
    >>> found = mt.sweep(layer, x, batches=[1, 4], machine="H100", plans=[split], unknown="ignore")
    >>> found.batches[1].products[0].order_before, found.batches[1].products[0].order
    ('2 parts of contiguous tiles of 32, serial', 'one chain')
    """
    if not batches:
        raise ValueError("batches: expected at least one size, found none")
    arguments = inputs if isinstance(inputs, tuple) else () if isinstance(inputs, dict) else (inputs,)
    named = inputs if isinstance(inputs, dict) else {}
    first: tuple[list[torch.Tensor], list[_Row]] | None = None
    found, assumed, products = [], 0, 0
    for size in batches:
        args, kwargs = tree_map(lambda x, size=size: _batch(x, size), (arguments, named))
        run = _Rows(machine, size, **options)
        with torch.no_grad(), run:
            result = model(*args, **kwargs)
        own = [x[0] for x in tree_flatten(result)[0] if isinstance(x, torch.Tensor) and x.dim() and x.shape[0] == size]
        assumed += sum(call.count for call in run.unknown)
        products += sum(call.count for call in run.calls)
        if first is None:
            first = (own, run.rows)
        different = sum(_differ(x, y) for x, y in zip(own, first[0]))
        found.append(Batch(size, different, sum(x.numel() for x in own), _changed(run.rows, first[1])))
    return Sweep(machine, tuple(found), assumed, products)


def _batch(x: Any, size: int) -> Any:
    if not isinstance(x, torch.Tensor) or not x.dim():
        return x
    return x[torch.arange(size) % x.shape[0]]


def _differ(x: torch.Tensor, y: torch.Tensor) -> int:
    return int((bits(x) != bits(y)).sum())


def _changed(rows: list[_Row], before: list[_Row]) -> tuple[Product, ...]:
    changed = []
    for (call, own, operands), (call_before, own_before, operands_before) in zip(rows, before):
        different = compared = 0
        if own is not None and own_before is not None and own.shape == own_before.shape:
            different, compared = _differ(own, own_before), own.numel()
        orders = call.plan.order_text(), call_before.plan.order_text()
        if different or orders[0] != orders[1]:
            is_assumed = not (call.is_known and call_before.is_known)
            # A weight is the same as a whole, rows of the batch are the same in their share.
            operands_differ = any(not set(x) & set(y) - {None} for x, y in zip(operands, operands_before))
            shape = call.shape
            changed.append(Product(shape.op, call.module, str(shape), *orders, different, compared, is_assumed, operands_differ))
    return tuple(changed)
