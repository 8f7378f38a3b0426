"""How a library makes one product of matrices: the plan, in words, as a line of text, and as a model."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Literal

import mmasmt

# Formats of results.
FORMATS = ("f64", "f32", "f16", "bf16", "s32", "e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz")
Reduce = Literal["ring", "tree", "f32"]
RowBias = Literal["none", "first", "after"]


@dataclass(frozen=True)
class Plan:
    """How a library makes one product: ``round(epilogue(combine(chain(k of part 0), chain(k of part 1), ...)))``.

    Parameters
    ----------
    unit : str
        The instruction of one chain, by any name that mmasmt takes.
    parts : int
        Into how many parts k is cut, each summed from +0.
    tile : int
        Products of one tile; a part has whole tiles.
    order : str
        ``contiguous``: part s has the tiles from ``s * q`` to ``(s + 1) * q``, with q the tiles divided by the parts, rounded up;
        ``strided``: tile t is in part ``t % parts``.
    every : int
        Products of one partial sum that is added in f32 outside of the unit, a multiple of those of the unit; 0 for one sum.
    partial : str
        The format that a part is stored in: ``f32``, or ``out`` for that of the result.
    running : str
        The format that the sum of parts is kept in: ``f32``, or ``out`` for that of the result.
    combine : str
        How parts are added: ``serial``, ``pairwise`` or ``tree``, as ``splitk`` of mmasmt has them.
    round_in : str
        ``tf32`` where operands in f32 are rounded to nearest even TF32 first.
    out : str
        Format of the result.
    alpha, beta : float
        Of the epilogue ``fma(alpha, sum, beta * c)``, numbers of f32.
    activation : str
        ``none``, ``relu``, ``gelu`` or ``gelu_tanh``, in f32 before the last rounding; only ``relu`` is exact.
    scale : float
        What the result is multiplied by in f32 before it is converted.
    saturate : bool
        Whether what is too large becomes the greatest finite number.
    nan : str
        How a NaN of the result is written: ``ones`` or ``quiet``.
    ranks : int
        Devices that share k alike, each with a plan like this one; an all-reduce adds their results.
    reduce : str
        The order of the all-reduce: ``ring``, ``tree`` or ``f32``, as ``reduce`` of `emulate`.
    row_bias : str
        What becomes of an addend over several devices: the ``first`` one adds it, or all of them add it ``after`` the all-reduce; with
        ``none`` there may be no addend.
    chunk : int
        The most elements of a chunk of the ring; 0 for one chunk for each device.
    source : str
        Where the plan is from.
    verified : str
        Since how much is known: ``recorded``, ``verified``, ``reported``, ``inferred`` from other shapes or machines, or ``assumed``.
    """

    unit: str
    parts: int = 1
    tile: int = 64
    order: Literal["contiguous", "strided"] = "contiguous"
    every: int = 0
    partial: Literal["f32", "out"] = "f32"
    running: Literal["f32", "out"] = "f32"
    combine: Literal["serial", "pairwise", "tree"] = "serial"
    round_in: Literal["none", "tf32"] = "none"
    out: str = "f32"
    alpha: float = 1.0
    beta: float = 1.0
    activation: Literal["none", "relu", "gelu", "gelu_tanh"] = "none"
    scale: float = 1.0
    saturate: bool = False
    nan: Literal["ones", "quiet"] = "ones"
    ranks: int = 1
    reduce: Reduce = "f32"
    row_bias: RowBias = "none"
    chunk: int = 0
    source: str = "assumed"
    verified: str = "assumed"

    def __post_init__(self) -> None:
        for name, least in (("parts", 1), ("tile", 1), ("every", 0), ("ranks", 1), ("chunk", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise ValueError(f"{name}: expected an integer of {least} or more in a plan, found {value!r}")
        if self.out not in FORMATS:
            raise ValueError(f"out: expected one of {', '.join(FORMATS)} in a plan, found {self.out!r}")

    def text(self) -> str:
        """The plan as one line of JSON, which `plan_of_text` reads."""
        return _text_of(self)

    def order_text(self) -> str:
        """How the sum is made, for a report: ``one chain``, or parts, tiles and formats of partial sums."""
        words = []
        if self.every:
            words.append(f"a new sum every {self.every} k")
        if self.parts > 1:
            words.append(f"{self.parts} parts of {self.order} tiles of {self.tile}, {self.combine}")
            words += [f"{what} sums in {self.out}" for what in ("partial", "running") if getattr(self, what) == "out"]
        text = ", ".join(words) or ("as composed" if "(" in self.unit else "one chain")
        if self.ranks == 1:
            return text
        kept = "f32, rounded once" if self.reduce == "f32" else f"{self.out}, by a {self.reduce}"
        return f"{self.ranks} devices, all-reduce in {kept}; in each {text}"


@lru_cache(maxsize=4096)
def _text_of(plan: Plan) -> str:
    return json.dumps(asdict(plan))


@lru_cache(maxsize=4096)
def plan_of_text(text: str) -> Plan:
    """The plan of `Plan.text`."""
    return Plan(**json.loads(text))


def model_of(plan: Plan) -> str:
    """The composition that makes the sums of a plan, which its epilogue then takes."""
    kinds, model = mmasmt.signature(plan.unit), plan.unit
    if plan.every:
        if plan.every % kinds.products:
            raise ValueError(f"every: expected a multiple of {kinds.products}, the products of {plan.unit}, found {plan.every}")
        model = f"promote({model}):every={plan.every // kinds.products}"
    if plan.parts > 1:
        keys = [f"S={plan.parts}", f"tile={plan.tile}", f"tiles={plan.order}", f"combine={plan.combine}"]
        stored = (("part", plan.partial), ("sum", plan.running))
        keys += [f"{key}={plan.out}" for key, value in stored if value == "out" and plan.out != kinds.d.format]
        model = f"splitk({model}):{','.join(keys)}"
    return model
