"""Tables of plans as rules of an emulation, and the tables of libraries by the name of the library."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import mmasmt

from .composed import plan_of_composition
from .errors import Refused
from .plan import Plan
from .plans import RECORDED, SOURCE, Rule, Rules, Shape
from .units import architecture_of, machines

_One = mmasmt.Plans | str | Rule | Callable[[Shape], Plan | None]
Plans = _One | Sequence[_One]
# The package that has the decisions of cuBLASLt's heuristic.
_PACKAGE = "mmaemu==0.1.0"


@dataclass(frozen=True)
class Table:
    """A table of plans as a rule: the plan that it has for a shape, or None where its answer would be assumed."""

    plans: mmasmt.Plans
    machine: str
    workspace: int | None = None
    is_whole = True
    _answers: dict[tuple[Shape, str], Plan | None] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, shape: Shape) -> Plan | None:
        key = shape, shape.layout
        if key not in self._answers:
            self._answers[key] = self._looked_up(shape)
        return self._answers[key]

    def _looked_up(self, shape: Shape) -> Plan | None:
        if shape.batch != 1 or shape.scales not in ("", "tensor") or (shape.scales and shape.layout != "tn"):
            return None
        if "_scaled_mm" in self.plans.title and shape.op != "_scaled_mm":
            return None
        found = self._asked(shape, shape.bias)
        if found is None or found.status == "assumed":
            return None
        # A table that answers the same without a bias does not look at it, and libraries choose other kernels with one.
        if shape.op == "_scaled_mm" and shape.bias and found == self._asked(shape, False):
            return None
        title = self.plans.title
        source = "; ".join(filter(None, (f"{title}: {found.source}", found.decision)))
        # Libraries choose by the number of processors, so that another product may have another plan; a table may name no machine.
        is_other = not title.startswith(",") and self.machine.casefold() not in title.casefold()
        plan = plan_of_composition(found.model, source=source, verified="inferred" if is_other else found.status)
        owner = plan.unit.rpartition("(")[2].partition("/")[0]
        if owner in machines() and owner != architecture_of(self.machine):
            raise Refused(
                f"expected plans for {self.machine}, found instructions of {owner} in the table of {self.plans.title}: take the table "
                "of this machine, or that machine"
            )
        return plan

    def _asked(self, shape: Shape, bias: bool) -> mmasmt.Plan | None:
        """What the table says; None if no rule of it fits."""
        kinds = ("f32", "f32") if shape.kind == "tf32" else (shape.kind.split(".") * 2)[:2]
        known = {"op": shape.op, "a": kinds[0], "b": kinds[1], "out": shape.out, "layout": shape.layout, "bias": bias}
        known |= {"tf32": shape.kind == "tf32", "fast": shape.fast is not False}
        known |= {} if self.workspace is None else {"workspace": self.workspace}
        try:
            return self.plans.explain(shape.m, shape.n, shape.k, **known)
        except ValueError as error:
            if str(error).startswith("no rule of "):
                return None
            raise


def rules_of(machine: str, plans: Plans, workspace: int | None = None) -> Rules:
    """What `plans=` takes, as rules: tables, names of tables, rules and functions, one or several."""
    several = [plans] if isinstance(plans, (str, mmasmt.Plans)) or callable(plans) else list(plans)
    tables = [_opened(one, stamp=_stamp(one)) if isinstance(one, str) else one for one in several]
    return tuple(Table(one, machine, workspace) if isinstance(one, mmasmt.Plans) else one for one in tables)


def _stamp(name: str) -> tuple[int, int] | None:
    """What changes where a file changes; None for a name that is no file."""
    try:
        about = Path(name).stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


@lru_cache(maxsize=32)
def _opened(name: str, decisions: Path | None = None, stamp: tuple[int, int] | None = None) -> mmasmt.Plans:
    return mmasmt.Plans(name, decisions=decisions)


@dataclass(frozen=True)
class Library:
    """Plans that were recorded of one version of a library on one product; `table` is None for those of `RECORDED`."""

    name: str
    version: str
    product: str
    machines: tuple[str, ...]
    table: str | None = None
    decisions: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version} on {self.product}"

    def rules(self, machine: str, workspace: int | None) -> Rules:
        """The rules of its plans."""
        if self.table is None:
            return RECORDED[architecture_of(machine)]
        found = importlib.util.find_spec(_PACKAGE.partition("=")[0])
        folders = [] if found is None else list(found.submodule_search_locations or ())
        path = Path(*folders[:1], "platform", "data", self.decisions)
        if not path.exists():
            raise ValueError(
                f"library: expected the decisions of {self}, found no {self.decisions}: pip install --no-deps {_PACKAGE}, "
                f"or pass plans=mmasmt.Plans({self.table!r}, decisions=FILE)"
            )
        return (Table(_opened(self.table, path), machine, workspace),)


_LT = "12.8.3.14"
LIBRARIES = (
    Library("cuBLAS", "13.1.0.3", SOURCE.partition(",")[0], ("H100", "H100 SXM", "H100 SXM5")),
    Library("cuBLASLt", _LT, "H100 PCIe with 114 SMs", ("H100", "H100 PCIe"), "h100-fp8", "heur_h100pcie_lt12.8.3.14.npz"),
    Library("cuBLASLt", _LT, "RTX 4060 with 24 SMs", ("RTX 4060",), "rtx4060-fp8", "heur_rtx4060_lt12.8.3.14.npz"),
)


def library_of(machine: str, text: str) -> Library:
    """The library that a text such as ``"cublaslt 12.8"`` names, whose plans were recorded on the machine.

    Raises
    ------
    ValueError
        If there is none, or more than one.
    """
    name, _, version = text.casefold().partition(" ")
    parts = version.split(".") if version else []

    def fits(one: Library) -> bool:
        own = machine.casefold() in [known.casefold() for known in one.machines]
        return own and one.name.casefold() == name and one.version.split(".")[: len(parts)] == parts

    found = [one for one in LIBRARIES if fits(one)]
    if len(found) != 1:
        known = ", ".join(map(str, LIBRARIES))
        raise ValueError(f"library: expected one with recorded plans on this machine, found {text!r} on {machine}; there are {known}")
    return found[0]
