"""One emulation: what it is asked for, what it did, and the product that every operator is made of."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .._emulation.calls import Call, Log
from .._emulation.errors import Refused, Unknown
from .._emulation.plan import Plan
from .._emulation.plans import Rules, Shape, plan_of
from .._emulation.records import json_of, write_products
from .._emulation.units import has_unit
from .._emulation.unknown import Assumptions
from . import _flags
from ._derivatives import made
from ._memory import layout_of
from ._operator import Operands, kind_of
from ._product import NAMES, Scales, with_out
from ._ranks import Ranks
from ._refused import types_refusal
from ._rounding import F32
from ._where import Modules, is_backward

Only = Callable[[str, Shape, str], bool]


_MOST_PLANS = 4096


class LeftNative(Exception):
    """`only` leaves the operator that is running to this processor."""


class Run(TorchDispatchMode):
    """A mode with its records; `emulate` says what comes to it."""

    machine: str
    plans: Rules
    recorded: Rules | None
    ranks: Ranks | None
    tf32: bool | None
    attention: str
    threads: int
    only: Only | None
    log: Log
    modules: Modules
    _plans: dict[Any, Plan]
    _keeps_plans: bool
    _assumptions: Assumptions
    _made: list[Call]
    _into: torch.Tensor | None
    _depth: int
    _last_refusal: str

    @property
    def calls(self) -> list[Call]:
        """A record for each kind of product."""
        return self.log.calls

    @property
    def unknown(self) -> list[Call]:
        """Those whose plan is assumed."""
        return self.log.unknown

    @property
    def native(self) -> dict[str, int]:
        """Operators with products, or with unknown insides, that this processor computed."""
        return dict(self.log.native)

    @property
    def refused(self) -> dict[str, int]:
        """What was refused, by the text of the error, also where a caller caught it and went on."""
        return dict(self.log.refused)

    @property
    def is_open(self) -> bool:
        """Whether the context is in force, in whatever thread."""
        return self._depth > 0

    def report(self, modules: bool = False) -> str:
        """A line for each kind of product, then what is assumed; `modules` gives those of each module lines of their own."""
        return self.log.report(modules)

    def json(self) -> dict[str, Any]:
        """Everything that the report has, for `json.dumps`; ``pandas.DataFrame(run.json()["calls"])`` is a table of products."""
        return json_of(self.log)

    def products(self, path: str | Path) -> list[Call]:
        """Writes the products as the list that ``kernels/libraries/record_plans.py --list`` asks a GPU for.

        Returns
        -------
        list of Call
            Those that the recorder has no words for: batches, convolutions, scales of rows or blocks.
        """
        return write_products(self.log, path)

    def product(
        self,
        op: str,
        a: torch.Tensor,
        b: torch.Tensor,
        c: torch.Tensor | None = None,
        *,
        bias: torch.Tensor | None = None,
        start: torch.Tensor | None = None,
        out: torch.dtype | None = None,
        alpha: Any = 1,
        beta: Any = 1,
        of_convolution: bool = False,
        kind: str | None = None,
        scales: Scales = None,
        is_bias: bool = False,
        scaled: str = "",
        fast: bool | None = None,
        plan_changes: dict[str, Any] | None = None,
        **epilogue: Any,
    ) -> torch.Tensor:
        """One product of the operator `op`, of shapes (B, M, K) and (B, K, N): looked up, made and recorded.

        `kind` names the operands where they are codes, beside `scales`; `scaled` and `fast` are `Shape.scales` and `Shape.fast`,
        `is_bias` says that c is one row; other arguments are those of `Plan` and of its executor.
        """
        result = a.dtype if out is None else out
        if kind is None:
            if text := types_refusal(op, a, b, c, result):
                shapes = ", ".join(str(tuple(x.shape[1:] if x.shape[0] == 1 else x.shape)) for x in (a, b))
                raise Refused(f"{op} of {shapes}{self._place()} is not emulated for {self.machine}: {text}")
            tf32 = a.dtype == F32 and has_unit(self.machine, "tf32") and _flags.is_tf32(self.tf32, of_convolution)
            kind = kind_of(a, b, tf32)
        sizes = a.shape[0], a.shape[1], b.shape[2], a.shape[2]
        layout = layout_of(a, b, self._into)
        shape = Shape(op, *sizes, kind, NAMES[result], fast, scaled, is_bias or bias is not None, layout)
        if self.only is not None and not self.only(op, shape, self.modules.path):
            raise LeftNative
        changes = {"alpha": alpha, "beta": beta, **epilogue, **(plan_changes or {})}
        plan = self._known_plan(shape, result, c is not None or bias is not None, changes)
        self._assumptions.check(plan, shape, self._place(), 4)
        begin = time.perf_counter()
        found = self._make(plan, Operands(a, b, c, bias, start, *(scales or ())))
        call = self.log.call(shape, plan, self.modules.path, is_backward())
        call.seconds += time.perf_counter() - begin
        call.count += 1
        self._made.append(call)
        return found

    def _known_plan(self, shape: Shape, out: torch.dtype, has_addend: bool, changes: dict[str, Any]) -> Plan:
        """The plan with the epilogue of the operator; kept, unless a function of somebody's or the pass that runs decides it."""
        key = shape, shape.layout, out, tuple(changes.items())
        plan = self._plans.get(key) if self._keeps_plans else None
        if plan is None:
            try:
                plan = self._plan(shape, has_addend)
            except Refused as error:
                raise Refused(f"{shape}{self._place()} is not emulated: {error}") from None
            factors = {name: float(changes[name] if shape.kind == "f64" else np.float32(changes[name])) for name in ("alpha", "beta")}
            plan = with_out(plan, out, **{**changes, **factors})
            if self._keeps_plans and len(self._plans) < _MOST_PLANS:
                self._plans[key] = plan
        return plan

    def _plan(self, shape: Shape, has_addend: bool) -> Plan:
        """The plan of a product, or that of its part on each device."""
        if self.ranks is None or (not is_backward() and not self.ranks.cuts(self.modules.path)):
            return plan_of(self.machine, shape, self.plans, self.recorded)[0]
        of_one = self.ranks.shape_of_one(shape, has_addend, is_backward())
        return self.ranks.plan(plan_of(self.machine, of_one, self.plans, self.recorded)[0])

    def _make(self, plan: Plan, operands: Operands) -> torch.Tensor:
        """What the machine gives for one product."""
        return made(self.machine, plan, operands, self.threads)

    def _place(self) -> str:
        path = self.modules.path
        return f" in {path}" if path else " in a backward pass" if is_backward() else ""

    def noticed(self, name: str, text: str) -> None:
        """Counts a product that went past the context, and warns at the first one of this name."""
        if name not in self.log.native:
            warnings.warn(f"{name} is computed natively: {text}", Unknown, stacklevel=4)
        self.log.left_native(name, text)

    def refuse(self, name: str, text: str) -> NoReturn:
        """Raises, for something that is no operator."""
        error = Refused(f"{name}{self._place()} is not emulated for {self.machine}: {text}")
        self._count(error)
        raise error

    def _count(self, error: Refused) -> None:
        if not error.is_counted:
            error.is_counted = True
            self.log.refused[str(error)] += 1
            self._last_refusal = str(error)
