"""Which plan a product of some shape gets: the caller's, one that was recorded, or one chain, which is then assumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from .plan import Plan
from .units import Unit, architecture_of, nan_of, promotion_of, unit_of


@dataclass(frozen=True)
class Shape:
    """What a library looks at when it chooses a kernel.

    `op` is the operator without its namespace, such as ``mm``; `m`, `n` and `k` are the sizes of one product, of which there are
    `batch`; `kind` is the format of the operands, ``f16`` or ``e4m3.e5m2``, and `out` that of the result. `fast` is what `_scaled_mm` is
    told of its accumulation, None for other operators; `scales` are ``tensor``, ``rows`` or ``blocks`` there. `bias` says whether a row
    is added in the epilogue. `layout` has a letter for b, then one for a, as cuBLAS names them: ``tn`` where neighbours in memory are
    neighbours along k in both, and ``-`` for what is not dense; it tells no two shapes apart.
    """

    op: str
    batch: int
    m: int
    n: int
    k: int
    kind: str
    out: str
    fast: bool | None = None
    scales: str = ""
    bias: bool = False
    layout: str = field(default="tn", compare=False)

    def __str__(self) -> str:
        several = f"{self.batch} x " if self.batch != 1 else ""
        return f"{self.op} {several}({self.m} x {self.k}) ({self.k} x {self.n}) {self.kind} -> {self.out}"


Sizes = int | tuple[int, int] | None


@dataclass(frozen=True)
class Rule:
    """A plan for products of some shapes: sizes are numbers or ranges, both ends included; what is None fits everything.

    Keys of the epilogue and the format of the result that the plan has are replaced by those of the operator; its unit may be empty
    for that of the machine.
    """

    plan: Plan
    op: str | None = None
    m: Sizes = None
    n: Sizes = None
    k: Sizes = None
    kind: str | None = None
    out: str | None = None
    fast: bool | None = None
    scales: str | None = None
    bias: bool | None = None

    def __call__(self, shape: Shape) -> Plan | None:
        names = ("op", "kind", "out", "fast", "scales", "bias")
        fits = all(getattr(self, name) in (None, getattr(shape, name)) for name in names)
        sizes = ((self.m, shape.m), (self.n, shape.n), (self.k, shape.k))
        return self.plan if fits and all(_within(wanted, found) for wanted, found in sizes) else None


# What the source of a plan of several devices says if that of each of them is assumed.
IN_EACH = "in each (assumed): "

Rules = Sequence[Rule | Callable[[Shape], Plan | None]]


def _within(wanted: Sizes, found: int) -> bool:
    if wanted is None:
        return True
    least, most = (wanted, wanted) if isinstance(wanted, int) else wanted
    return least <= found <= most


# H100 SXM, cuBLAS 13.1.0.3, PyTorch 2.11, `torch.mm` and `torch._scaled_mm`: the table of docs/src/pytorch.md.
SOURCE = "H100 SXM, cuBLAS 13.1.0.3, PyTorch 2.11"
_CHAIN = Plan("", source=SOURCE, verified="recorded")
_MM = [(64, 64), (512, 512), (128, 2048)]
_KINDS_16 = ("f16", "bf16")


def _recorded_on_h100() -> list[Rule]:
    rules = [Rule(replace(_CHAIN, parts=3), "mm", 64, 64, 4096, kind) for kind in _KINDS_16]
    rules += [Rule(_CHAIN, "mm", m, n, (32, 4096), kind) for m, n in _MM for kind in _KINDS_16]
    rules += [
        Rule(_CHAIN, "_scaled_mm", k=(1, 4096), kind=f"{a}.{b}", scales="tensor", bias=False)
        for a, b in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"))
    ]
    # Small results: k in parts of 32, of which 64 x 64 results need two from k = 64 on.
    for kind in ("f32", "tf32"):
        rules += [Rule(replace(_CHAIN, parts=k // 32, tile=32), "mm", 64, 64, k, kind) for k in (64, 128, 256)]
    rules += [Rule(_CHAIN, "mm", m, n, (64, 4096), "tf32") for m, n in _MM[1:]]
    rules += [Rule(_CHAIN, "mm", m, n, (32, 256), "f32") for m, n in _MM[1:]]
    rules += [Rule(replace(_CHAIN, parts=4, tile=8, order="strided"), "mm", m, n, (384, 1024), "f32") for m, n in _MM[1:]]
    rules += [Rule(replace(_CHAIN, parts=16, tile=64), "mm", 64, 64, 1024, "f64")]
    rules += [Rule(_CHAIN, "mm", m, n, (32, 1024), "f64") for m, n in _MM[1:]]
    rules += [Rule(_CHAIN, "mm", 64, 64, (32, 512), "f64")]
    return rules


RECORDED: dict[str, list[Rule]] = {"hopper": _recorded_on_h100()}


def plan_of(machine: str, shape: Shape, plans: Rules = (), recorded: Rules | None = None) -> tuple[Plan, Unit]:
    """The plan of one product on a machine, and the unit that the table has for it.

    Looked up in this order: `plans`; what was recorded, by default of any library; one chain along k, whose status is ``assumed``.

    Raises
    ------
    Refused
        If the machine has no unit for these operands.
    """
    # Rules of the program look at what tells shapes apart, tables look at the layout as well.
    return _looked_up(machine, shape, plans, recorded) if plans or recorded is not None else _without_plans(machine, shape)


@lru_cache(maxsize=4096)
def _without_plans(machine: str, shape: Shape) -> tuple[Plan, Unit]:
    return _looked_up(machine, shape, (), None)


def _looked_up(machine: str, shape: Shape, plans: Rules, recorded: Rules | None) -> tuple[Plan, Unit]:
    unit = unit_of(machine, shape.kind)
    rules = (*plans, *(RECORDED.get(architecture_of(machine), ()) if recorded is None else recorded))
    assumed = Plan("", source=f"one chain along k is assumed; unit: {unit.source}", verified="assumed")
    found, rule = next(((plan, rule) for rule in rules if (plan := rule(shape)) is not None), (assumed, None))
    every = found.every
    # A table says all of the order of a sum.
    if not every and shape.fast is False and not getattr(rule, "is_whole", False):
        every = promotion_of(machine)
    own = found.unit or unit.model
    return replace(found, unit=own, every=every, round_in=unit.round_in, out=shape.out, nan=nan_of(machine)), unit
