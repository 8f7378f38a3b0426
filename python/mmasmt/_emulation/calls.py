"""What an emulation did: a record of each kind of product, and the report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from .plan import Plan
from .plans import IN_EACH, Shape

# How much of the results an assumption can change; bf16, K = 9,728, normally distributed operands, H100.
COST = (
    "if the library splits k, up to 0.5 % of 16-bit results differ where parts are kept in f32, "
    "and about 40 % where they are kept in 16 bits"
)


@dataclass
class Call:
    """Products of one shape in one module: how they were made, how often, and in how much time.

    `module` is the path of the innermost module that was running, ``""`` outside of any; `backward` says whether autograd asked for
    it. `different` of `compared` results had other bits in what `compare` names; both are 0 without it.
    """

    shape: Shape
    plan: Plan
    module: str
    backward: bool
    count: int = 0
    seconds: float = 0.0
    compared: int = 0
    different: int = 0

    @property
    def products(self) -> int:
        """Multiplications of all calls together."""
        return self.count * self.shape.batch * self.shape.m * self.shape.n * self.shape.k

    @property
    def is_known(self) -> bool:
        """Whether the plan is more than an assumption: of this shape and machine, or inferred from others."""
        return self.plan.verified != "assumed"


@dataclass
class Log:
    """All calls of an emulation.

    `native` counts operators with products inside that this processor computed: those that `only` leaves to it, custom ones, whose
    insides nothing here knows, and what went past the emulation; `reasons` has a sentence for some of them. `refused` counts errors by
    their text. `exact` counts products of integers; `notes` are sentences on what is close and not exact; `last` is a sentence that ends
    the report, `nothing` one that stands where no product was seen. `other` is the log of the machine that results are compared with.
    """

    machine: str
    calls: list[Call] = field(default_factory=list)
    native: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    last: str = ""
    nothing: str = "no product of matrices was seen"
    refused: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)
    other: Log | None = None
    _by_key: dict[tuple[Shape, Plan, str, bool], Call] = field(default_factory=dict, repr=False)

    def call(self, shape: Shape, plan: Plan, module: str, backward: bool) -> Call:
        """The record of calls of this kind; a new one for the first."""
        key = (shape, plan, module, backward)
        found = self._by_key.get(key)
        if found is None:
            found = self._by_key[key] = Call(shape, plan, module, backward)
            self.calls.append(found)
        return found

    def left_native(self, name: str, reason: str) -> None:
        """Counts what this processor computed, and why."""
        self.native[name] += 1
        self.reasons[name] = reason

    @property
    def unknown(self) -> list[Call]:
        """Calls whose plan is assumed."""
        return [call for call in self.calls if not call.is_known]

    def __str__(self) -> str:
        return self.report()

    def report(self, modules: bool = False) -> str:
        """A line for each kind of product, then what is assumed and what that can cost.

        Parameters
        ----------
        modules : bool
            Whether products of different modules have lines of their own.
        """
        lines = _lines(self, modules)
        lines += [] if self.calls else [self.nothing]
        for name, count in self.native.most_common():
            reason = f" ({self.reasons[name]})" if name in self.reasons else ""
            lines.append(f"{count} x {name}: computed by this processor, not emulated{reason}")
        lines += [f"REFUSED: {count} x {text}" for text, count in self.refused.items()]
        lines += [f"{count} x {name} of integers: exact on every machine" for name, count in self.exact.most_common()]
        lines += [f"close, not exact: {note} ({count} x)" for note, count in self.notes.items()]
        if inferred := [call for call in self.calls if call.plan.verified == "inferred"]:
            lines.append(f"INFERRED: the plans of {_counted(inferred)} from other shapes or another machine")
        if cut := [call for call in self.unknown if call.plan.ranks > 1]:
            products = _s(sum(call.count for call in cut), "product")
            lines.append(f"ASSUMED: the order in which an all-reduce adds the parts of {products}, and which chunk an element is in")
        if unknown := [call for call in self.unknown if call.plan.ranks == 1 or IN_EACH in call.plan.source]:
            lines.append(f"ASSUMED: one chain along k for {_counted(unknown)} without a recorded plan; {COST}")
        if self.other is not None and self.other.unknown:
            compared = f"{_counted(self.other.unknown)} of {self.other.machine}"
            lines.append(f"ASSUMED: the plans of {compared}, with which results are compared")
        if self.calls:
            lines.append("elementwise operators, reductions and softmax are those of this processor")
        if self.last and self.unknown:
            lines.append(self.last)
        return "\n".join(lines)


def _counted(calls: list[Call]) -> str:
    return f"{_s(sum(call.count for call in calls), 'product')} of {_s(len({call.shape for call in calls}), 'shape')}"


def _s(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _lines(log: Log, modules: bool) -> list[str]:
    grouped: dict[tuple[str, ...], list[Call]] = {}
    for call in log.calls:
        where = [call.module, "backward" if call.backward else "forward"] if modules else []
        key = (str(call.shape), call.plan.unit, call.plan.order_text(), f"{call.plan.verified}: {call.plan.source}", *where)
        grouped.setdefault(key, []).append(call)
    count, seconds = sum(call.count for call in log.calls), sum(call.seconds for call in log.calls)
    macs = sum(call.products for call in log.calls)
    lines = [f"{log.machine}: {_s(count, 'product')} of matrices, {macs / 1e9:.3g} GMAC, {seconds:.2f} s in them"]
    for (shape, unit, order, source, *place), calls in grouped.items():
        parts = [f"{sum(call.count for call in calls)} x {shape}", unit, order, source, *filter(None, place)]
        if compared := sum(call.compared for call in calls):
            different = sum(call.different for call in calls)
            parts.append(f"{different} of {compared} results have other bits ({100 * different / compared:.3g} %)")
        parts.append(f"{sum(call.seconds for call in calls):.2f} s")
        lines.append("; ".join(parts))
    return lines
