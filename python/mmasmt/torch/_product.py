"""One product of matrices as a library makes it: the one place where sums are made."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import torch

import mmasmt

from ._rounding import F32, F64, canonical, fma_f32, to_tf32

_FORMATS = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "s32": torch.int32,
    "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "e4m3fnuz": torch.float8_e4m3fnuz, "e5m2fnuz": torch.float8_e5m2fnuz,
}  # fmt: skip
Reduce = Literal["ring", "tree", "f32"]
RowBias = Literal["none", "first", "after"]
Scales = tuple[torch.Tensor, torch.Tensor] | None
NAMES = {dtype: name for name, dtype in _FORMATS.items()}


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
        if self.out not in _FORMATS:
            raise ValueError(f"out: expected one of {', '.join(_FORMATS)} in a plan, found {self.out!r}")

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


def dtype_of(name: str) -> torch.dtype:
    """The type of PyTorch of a format of the models."""
    return _FORMATS[name]


def product(
    a: torch.Tensor,
    b: torch.Tensor,
    plan: Plan,
    c: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    start: torch.Tensor | None = None,
    threads: int = 0,
    scales: Scales = None,
) -> torch.Tensor:
    """``a @ b`` by a plan.

    Parameters
    ----------
    a, b : Tensor
        Of shapes (B, M, K) and (B, K, N), in the formats of the plan's unit; f32 where the plan rounds to TF32.
    plan : Plan
        How the sum is made.
    c : Tensor, optional
        Of shape (B, M, N), what the epilogue adds, multiplied by `beta`.
    bias : Tensor, optional
        Of shape (N,), added in the same place and with the same rounding; beside `c` it is added after it.
    start : Tensor, optional
        Of shape (B, M, N) in the format of the accumulator: the first c of the chain. A plan with one part and one sum takes it.
    threads : int
        How many to use; 0 for as many as there are processors.
    scales : pair of Tensor, optional
        Block scales as codes, of shapes (B, M, K / block) and (B, K / block, N), where the unit has them; `a` and `b` are codes then as
        well. A plan with one part and one sum takes them.

    Returns
    -------
    Tensor
        Of shape (B, M, N), in the format of the plan.
    """
    for name, value in (("start", start), ("scales", scales)):
        if value is not None and (plan.parts > 1 or plan.every):
            raise ValueError(f"{name}: expected a plan of one chain, found {plan.order_text()}")
    if plan.ranks > 1:
        return _of_ranks(a, b, plan, c, bias, start, threads, scales)
    total = _sums(*rounded_in(plan, a, b), plan, start, threads, scales)
    return total if plan.out == "s32" else finished(total, plan, c, bias, a.element_size() == 1)


def _of_ranks(
    a: torch.Tensor, b: torch.Tensor, plan: Plan, c: torch.Tensor | None, bias: torch.Tensor | None, start: torch.Tensor | None,
    threads: int, scales: Scales,
) -> torch.Tensor:  # fmt: skip
    """A product of several devices, each with its part of k, and their all-reduce."""
    from ._ranks import all_reduced

    k, addends = a.shape[-1], [x for x in (c, bias) if x is not None]
    if k % plan.ranks:
        raise ValueError(f"ranks: expected a divisor of {k}, the K of the product, found {plan.ranks}")
    if start is not None or scales is not None or plan.activation != "none" or plan.scale != 1 or plan.saturate:
        raise ValueError("ranks: expected a product without start, block scales, activation or FP8 results over several devices")
    is_after = plan.row_bias == "after"
    if addends and (plan.row_bias == "none" or (is_after and plan.beta != 1)):
        raise ValueError("row_bias: expected first, or after with beta = 1, beside an addend over several devices")
    one, own = replace(plan, ranks=1), k // plan.ranks
    results = []
    for rank in range(plan.ranks):
        at = slice(rank * own, (rank + 1) * own)
        added = (c, bias) if rank == 0 and not is_after else (None, None)
        results.append(product(a[..., at], b[:, at], one, *added, threads=threads))
    total = all_reduced(results, plan.reduce, plan.chunk)
    for addend in addends if is_after else ():
        total = add_in(total, addend)
    return canonical(total, plan.nan)


def add_in(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """``x + y`` rounded to the format of `x`.

    Numbers of 16 bits are added in f32, whose 24 bits are enough for two roundings to be one (Figueroa 1995).
    """
    wide = F64 if x.dtype == F64 else F32
    return (x.to(wide) + y.to(wide)).to(x.dtype)


def rounded_in(plan: Plan, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Operands as the unit of a plan takes them."""
    return (to_tf32(a), to_tf32(b)) if plan.round_in == "tf32" else (a, b)


def finished(
    total: torch.Tensor, plan: Plan, c: torch.Tensor | None, bias: torch.Tensor | None, is_scaled: bool
) -> torch.Tensor:
    """The result of a plan from its sums: the epilogue, the conversion, and NaN as the machine writes it; `is_scaled` is for FP8."""
    return canonical(_converted(_epilogue(total, plan, c, bias, is_scaled), plan, dtype_of(plan.out)), plan.nan)


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


def _sums(
    a: torch.Tensor, b: torch.Tensor, plan: Plan, start: torch.Tensor | None, threads: int, scales: Scales
) -> torch.Tensor:
    """The sums of a plan, from `start` or +0."""
    batch, m, k = a.shape
    n = b.shape[-1]
    if k == 0 or batch * m * n == 0:
        kinds = mmasmt.signature(plan.unit)
        return torch.zeros(batch, m, n, dtype=dtype_of(kinds.d.format)) if start is None else start.clone()
    model = model_of(plan)
    if scales is None:
        found: torch.Tensor = mmasmt.matmul(a, b, start, model=model, threads=threads)
        return found
    codes = [x.contiguous().numpy() for x in (a, b, *scales)]
    sums = mmasmt.matmul(codes[0], codes[1], model=model, scale_a=codes[2], scale_b=codes[3], threads=threads)
    return torch.from_numpy(sums)


def _epilogue(
    total: torch.Tensor, plan: Plan, c: torch.Tensor | None, bias: torch.Tensor | None, is_scaled: bool
) -> torch.Tensor:
    """``fma(alpha, sum, beta * c)``; nothing is rounded that a machine does not round."""
    # A product reads no operands where alpha is 0; scales of FP8 are multiplied in any case, so that 0 times a NaN is one.
    is_empty = plan.alpha == 0 and not is_scaled
    if is_empty:
        total = torch.zeros_like(total)
    elif c is None and bias is None:
        # `fma(alpha, sum, +0)`: a sum of -0 becomes +0.
        total = total * plan.alpha + 0.0 if total.dtype == F64 else (total.double() * plan.alpha + 0.0).to(F32)
    for addend in (c, bias):
        if addend is None or (addend is c and plan.beta == 0):
            continue
        value = addend.to(total.dtype)
        if addend is c and plan.beta != 1:
            value = value * plan.beta
        if is_empty or plan.alpha == 1 or (addend is bias and c is not None):
            total = total + value
        elif total.dtype == F64:
            total = _fma_f64(plan.alpha, total, value)
        else:
            total = fma_f32(plan.alpha, total, value.expand(total.shape))
    return _activated(total, plan)


def _fma_f64(alpha: float, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    factor = np.full((*x.shape, 1), alpha)
    found: torch.Tensor = mmasmt.dot(x.contiguous()[..., None], factor, y.expand(x.shape).contiguous(), model="sfma:K=1,fmt=f64")
    return found


def _activated(total: torch.Tensor, plan: Plan) -> torch.Tensor:
    if plan.activation == "relu":
        return total.clamp(min=0)
    if plan.activation != "none":
        return torch.nn.functional.gelu(total, approximate="tanh" if plan.activation == "gelu_tanh" else "none")
    return total


def _converted(total: torch.Tensor, plan: Plan, out: torch.dtype) -> torch.Tensor:
    if plan.scale != 1:
        total = total * plan.scale
    if plan.saturate:
        most = torch.finfo(out).max
        total = total.clamp(-most, most)
    return total.to(out)


def with_out(plan: Plan, out: torch.dtype, **changed: Any) -> Plan:
    """The plan with another format of the result, and other keys of the epilogue."""
    return replace(plan, out=NAMES[out], **changed)
