"""One call of a log beside what the machine gives for the same operands."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils._pytree import tree_map

import mmasmt

from .._emulation.errors import Refused
from .._emulation.plan import Plan
from .._emulation.tables import Plans
from ._attended import OPERATORS, attention_of, checked
from ._finding import Difference, Finding
from ._handlers import HANDLERS
from ._log import Entry, Recording, Value, digest, same_bits
from ._memory import on_meta
from ._operator import Operands
from ._rounding import bits
from ._power import Power
from ._sample import Sample
from ._search import Case, Search
from ._some import Choice, Seen, Some


@dataclass
class Checker:
    """Checks calls of a log on a machine; what explained one difference is tried first on the next one."""

    log: Recording
    machine: str
    plans: Plans
    sample: Sample | None
    search: Search | None
    threads: int
    # By the number of the call, elements near a boundary that somebody else found.
    places: dict[int, list[int]] | None = None
    attention: Literal["flash2"] | None = None

    def __post_init__(self) -> None:
        options: dict[str, Any] = {"plans": self.plans, "threads": self.threads}
        of_products, of_convolutions = (bool(self.log.header.get(name)) for name in ("tf32", "convolution_tf32"))
        self.power = Power(self.machine)
        self._products = Some(self.machine, tf32=of_products, attention=self.attention or "error", **options)
        self._convolutions = Some(self.machine, tf32=of_convolutions, **options)

    def run_of(self, op: str) -> Some:
        """The emulation that makes an operator."""
        return self._convolutions if op.startswith(("convolution", "_convolution")) else self._products

    def _choice(self, number: int) -> Choice:
        assert self.sample is not None
        return Choice(self.sample, number, None if self.places is None else self.places.get(number, []))

    def nearest(self, number: int, entry: Entry) -> list[int]:
        """The elements of a spot check that are near a boundary, as numbers in the result of the product."""
        run = self.run_of(entry.op)
        run.choose, run.order = self._choice(number), {}
        try:
            run.made(entry.op, *self.log.arguments(entry))
        except Refused:
            return []
        return run.choose.near

    def check(self, number: int, entry: Entry, args: Any, kwargs: Any, **found: Any) -> Finding:
        """Makes the products of a call and compares bits; `found` has other fields of the finding.

        Parameters
        ----------
        args, kwargs
            Arguments of the operator, with tensors.
        """
        what = {"number": number, "op": entry.op, "module": entry.module, "shape": "", **found}
        is_attention = entry.op in OPERATORS
        if is_attention and self.attention is None:
            return Finding(**what, status="unchecked", reason="attention is close and not exact: pass attention='flash2'")
        if f"aten::{entry.op}" not in HANDLERS and not is_attention:
            return Finding(**what, status="unchecked", reason="no operator that is emulated")
        values = [value for value in entry.results if value is not None]
        has_results = self.log.header.get("keep") == "operands" or all(map(self.log.has, values))
        if self.sample is not None and not has_results:
            return Finding(**what, status="unchecked", reason="the log has the hash of the result alone, which takes all elements")
        recorded = [None if value is None else self.log.get(value) for value in entry.results] if has_results else []
        run, sample = self.run_of(entry.op), self.sample
        if is_attention:
            return self._attended(run, entry, args, kwargs, what)
        run.choose = None if sample is None else self._choice(number)
        run.order = {}
        if text := _uncallable(entry.op, args, kwargs):
            # Not unchecked: whoever changes a log could choose to have a call left out.
            return Finding(**what, status="different", reason=text)
        try:
            made = run.made(entry.op, args, kwargs)
        except Refused as error:
            return Finding(**what, status="unchecked", reason=str(error))
        if run._made:
            plan = run._made[0].plan
            what["shape"] = str(run._made[0].shape)
            what |= {"plan": f"{plan.unit}, {plan.order_text()}", "verified": plan.verified}
        what["elements"] = sum(x.numel() for x in made if x is not None)
        if sample is not None and len(run.seen) == 1:
            operands = run.seen[0].operands
            if run.choose is not None and sample.elements:
                self.power.add(run.seen[0].plan, run.choose.first(), run._made[0].shape.kind)
            what["missed"] = sample.missed(operands.a.shape[0], operands.a.shape[1], operands.b.shape[2])
        if text := _misfit(entry.results, made):
            return Finding(**what, status="different", reason=text)
        if not has_results:
            different = sum(x is not None and digest(x) != value.sha256 for x, value in zip(made, entry.results))
            what |= {"compared": what["elements"], "status": "different" if different else "equal"}
            return Finding(**what, reason="the result has another hash" if different else "")
        return self._compared(entry, args, kwargs, recorded, made, what)

    def _attended(self, run: Some, entry: Entry, args: Any, kwargs: Any, what: dict[str, Any]) -> Finding:
        if text := _uncallable(entry.op, args, kwargs):
            return Finding(**what, status="different", reason=text)
        call, value = attention_of(entry.op, args, kwargs), entry.results[0]
        if call.refusal or value is None or not self.log.has(value):
            return Finding(**what, status="unchecked", reason=call.refusal or "the log has the hash of the result alone")
        shape = *call.query.shape[:3], call.value.shape[3]
        if (value.shape, value.dtype) != (shape, str(call.query.dtype).removeprefix("torch.")):
            return Finding(**what, status="different", reason=f"the machine gives a result of shape {shape}, the log has {value.shape}")
        return checked(run, self.sample, entry, call, self.log.get(value), what)

    def _compared(self, entry: Entry, args: Any, kwargs: Any, recorded: Any, made: Any, what: dict[str, Any]) -> Finding:
        run = self.run_of(entry.op)
        seen, choose, calls = list(run.seen), run.choose, list(run._made)
        marks = run.marks(entry.op, args, kwargs)
        pairs = [(x, y, mark) for x, y, mark in zip(recorded, made, marks) if x is not None]
        wrong = [~same_bits(x, y) & mark for x, y, mark in pairs]
        what["compared"] = sum(int(mark.sum()) for mark in marks if mark is not None)
        what["different"] = sum(int(one.sum()) for one in wrong)
        if not what["different"]:
            if not what["compared"] and what["elements"]:
                return Finding(**what, status="unchecked", reason="no element of the result depends on the chosen elements alone")
            return Finding(**what, status="equal")
        which = next(i for i, one in enumerate(wrong) if bool(one.any()))
        x, y, _ = pairs[which]
        index = tuple(int(i) for i in wrong[which].nonzero()[0])
        is_product = len(seen) == len(pairs) == 1 and _is_product(seen[0], y)
        what["first"] = _difference(index, x, y, seen[0] if is_product else None)
        if self.search is not None and len({one.plan for one in seen}) == 1:
            case = Case(entry.op, args, kwargs, recorded, marks, choose, calls[0])
            result = self.search.of(run, case, seen[0], wrong[0] if is_product else None)
            what |= {"matches": result.matches, "tried": result.tried, "is_cut": result.is_cut}
        return Finding(**what, status="different")


def _is_product(seen: Seen, result: Tensor) -> bool:
    """Whether the result of an operator is its product itself, laid out as it is."""
    is_laid_out = seen.result.numel() == result.numel() and seen.result.dtype == result.dtype
    return is_laid_out and bool(same_bits(seen.result.reshape(-1), result.reshape(-1)).all())


def _uncallable(op: str, args: Any, kwargs: Any) -> str:
    """Why PyTorch does not take these arguments: by its own check of types and shapes, which computes nothing."""
    on_args, on_kwargs = tree_map(on_meta, (args, kwargs))
    try:
        getattr(torch.ops.aten, op)(*on_args, **on_kwargs)
    except NotImplementedError:
        return ""
    except Exception as error:
        return f"PyTorch cannot make this call: {str(error).splitlines()[0]}"
    return ""


def _misfit(results: list[Value | None], made: list[Tensor | None]) -> str:
    """Why results cannot be compared element by element."""
    if len(results) != len(made):
        return f"expected {len(made)} results, the log has {len(results)}"
    for value, x in zip(results, made):
        if (value is None) != (x is None):
            return "expected the results that the operator has, the log has others"
        if value is not None and x is not None:
            dtype = str(x.dtype).removeprefix("torch.")
            if (value.shape, value.dtype) != (tuple(x.shape), dtype):
                return f"the machine gives {dtype} of shape {tuple(x.shape)}, the log has {value.dtype} of shape {value.shape}"
    return ""


def _difference(index: tuple[int, ...], recorded: Tensor, made: Tensor, seen: Seen | None) -> Difference:
    pair = recorded[index], made[index]
    width = 2 * recorded.element_size()
    codes = [int(bits(x[None])[0]) & ((1 << 4 * width) - 1) for x in pair]
    values = [float(x) for x in pair]
    ulps = None if any(map(math.isnan, values)) else abs(_rank(codes[0], 4 * width) - _rank(codes[1], 4 * width))
    one, other = (re.sub(r"\.?0+p", "p", value.hex()) for value in values)
    explanation = "" if seen is None else _explained(recorded.shape, index, seen.plan, seen.operands)
    return Difference(index, f"0x{codes[0]:0{width}x}", f"0x{codes[1]:0{width}x}", one, other, ulps, explanation)


def _rank(code: int, width: int) -> int:
    """Registers in the order of their numbers; both zeros are 0."""
    magnitude = code & ((1 << (width - 1)) - 1)
    return -magnitude if code >> (width - 1) else magnitude


def _explained(shape: torch.Size, index: tuple[int, ...], plan: Plan, operands: Operands) -> str:
    """The machine's dot-add of one element, bit by bit, where it is one: all of k in one instruction from +0."""
    products, k = mmasmt.signature(plan.unit).products, operands.a.shape[-1]
    is_one = plan.parts == plan.ranks == 1 and not plan.every and k <= products and plan.round_in == "none"
    if not is_one or operands.scale_a is not None or operands.start is not None:
        return ""
    flat = 0
    for i, size in zip(index, shape):
        flat = flat * size + i
    m, n = operands.a.shape[1], operands.b.shape[2]
    a, b = operands.a[flat // (m * n), flat // n % m], operands.b[flat // (m * n), :, flat % n]
    a, b = (torch.cat([x, torch.zeros(products - k).to(x.dtype)]) for x in (a, b))
    return mmasmt.explain(a, b, model=plan.unit).text
