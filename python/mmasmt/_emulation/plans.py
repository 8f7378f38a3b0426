"""Which plan a product of some shape gets: the caller's, one that was recorded, or one chain, which is then assumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .plan import Plan
from .units import Unit, architecture_of, nan_of, unit_of


@dataclass(frozen=True)
class Shape:
    """What a library looks at when it chooses a kernel.

    `op` is the operator without its namespace, such as ``mm``; `m`, `n` and `k` are the sizes of one product, of which there are
    `batch`; `kind` is the format of the operands, ``f16`` or ``e4m3.e5m2``, and `out` that of the result.
    """

    op: str
    batch: int
    m: int
    n: int
    k: int
    kind: str
    out: str

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

    def __call__(self, shape: Shape) -> Plan | None:
        words = ((self.op, shape.op), (self.kind, shape.kind), (self.out, shape.out))
        fits = all(wanted is None or wanted == found for wanted, found in words)
        sizes = ((self.m, shape.m), (self.n, shape.n), (self.k, shape.k))
        return self.plan if fits and all(_within(wanted, found) for wanted, found in sizes) else None


Rules = Sequence[Rule | Callable[[Shape], Plan | None]]


def _within(wanted: Sizes, found: int) -> bool:
    if wanted is None:
        return True
    least, most = (wanted, wanted) if isinstance(wanted, int) else wanted
    return least <= found <= most


# H100 SXM, cuBLAS 13.1.0.3, PyTorch 2.11, `torch.mm` and `torch._scaled_mm`: the table of docs/src/pytorch.md.
_SOURCE = "H100 SXM, cuBLAS 13.1.0.3, PyTorch 2.11"
_CHAIN = Plan("", source=_SOURCE, verified="recorded")
_MM = [(64, 64), (512, 512), (128, 2048)]
_KINDS_16 = ("f16", "bf16")


def _recorded_on_h100() -> list[Rule]:
    rules = [Rule(replace(_CHAIN, parts=3), "mm", 64, 64, 4096, kind) for kind in _KINDS_16]
    rules += [Rule(_CHAIN, "mm", m, n, (32, 4096), kind) for m, n in _MM for kind in _KINDS_16]
    rules += [
        Rule(_CHAIN, "_scaled_mm", k=(1, 4096), kind=f"{a}.{b}") for a, b in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"))
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


_RECORDED: dict[str, list[Rule]] = {"hopper": _recorded_on_h100()}


def plan_of(machine: str, shape: Shape, plans: Rules = ()) -> tuple[Plan, Unit]:
    """The plan of one product on a machine, and the unit that the table has for it.

    Looked up in this order: `plans`, what was recorded, one chain along k, whose status is ``assumed``.

    Raises
    ------
    Refused
        If the machine has no unit for these operands.
    """
    unit = unit_of(machine, shape.kind)
    found = next((plan for rule in plans if (plan := rule(shape)) is not None), None)
    if found is None:
        recorded = _RECORDED.get(architecture_of(machine), ())
        found = next((plan for rule in recorded if (plan := rule(shape)) is not None), None)
    if found is None:
        found = Plan("", source=f"one chain along k is assumed; unit: {unit.source}", verified="assumed")
    return replace(found, unit=found.unit or unit.model, round_in=unit.round_in, out=shape.out, nan=nan_of(machine)), unit
