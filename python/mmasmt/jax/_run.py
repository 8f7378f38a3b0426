"""One emulation: what it is asked for, what it did, and the product that every equation of JAX is made of."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from .._emulation.calls import Log
from .._emulation.errors import Refused
from .._emulation.plan import Plan
from .._emulation.plans import Rules, Shape, plan_of
from .._emulation.product import product
from .._emulation.units import architecture_of
from .._emulation.unknown import Assumptions, OnUnknown
from .._signatures import signature
from . import _worker
from ._algorithms import NAMES, Algorithm, algorithm_of, converted, joined, parts

Only = Callable[[str, Shape, str], bool]

_XLA = (
    "XLA chooses between cuBLAS, Triton and fusions of both by timing them, so that nothing tells how it cuts a sum: "
    "no plan is known unless plans= has it"
)


class Place(NamedTuple):
    """Where an equation stands: the path of `jax.named_scope`, and whether it belongs to a gradient."""

    path: str = ""
    is_backward: bool = False

    def __str__(self) -> str:
        return f" in {self.path}" if self.path else " in a gradient" if self.is_backward else ""


class LeftNative(Exception):
    """`only` leaves the equation to this processor."""


class Run:
    """The arguments of `emulate`, checked, and the log."""

    def __init__(
        self, machine: str, library: str | None, plans: Rules, unknown: OnUnknown, tf32: bool | None, threads: int, only: Only | None
    ) -> None:
        architecture_of(machine)
        self.machine, self.plans, self.tf32, self.threads, self.only = machine, tuple(plans), tf32, threads, only
        self.log = Log(machine if library is None else f"{machine}, {library}", last=_XLA)
        self._assumptions = Assumptions(machine, unknown)
        self._lock = threading.Lock()

    def product(self, op: str, a: jax.Array, b: jax.Array, out: Any, precision: Any, place: Place) -> jax.Array:
        """One product of shapes (B, M, K) and (B, K, N): looked up now, made and recorded whenever the program runs.

        Raises
        ------
        Refused
            If the machine has no unit for it, or if `unknown` is ``error`` and its plan is assumed.
        LeftNative
            If `only` says so.
        """
        batch, m, k = a.shape
        n = b.shape[2]
        first, second = jnp.dtype(a.dtype), jnp.dtype(b.dtype)
        if self.only is not None:
            seen = Shape(op, batch, m, n, k, NAMES.get(first, str(first)), NAMES.get(out, str(out)))
            if not self.only(op, seen, place.path):
                raise LeftNative
        try:
            algorithm = algorithm_of(self.machine, self.tf32, precision, first, second, out)
            shape = Shape(op, batch, m, n, k, algorithm.kind, "f32" if algorithm.pairs else NAMES[out])
            plan = self._plan(shape, algorithm)
        except Refused as error:
            shapes = f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
            raise Refused(f"{op} of {shapes}{place} is not emulated for {self.machine}: {error}") from None
        self._assumptions.check(plan, shape, str(place), 4)
        made = _Made(self, shape, plan, algorithm, place, np.dtype(out))
        result = jax.ShapeDtypeStruct((batch, m, n), out)
        found: jax.Array = jax.pure_callback(made, result, a, b)
        return found

    def _plan(self, shape: Shape, algorithm: Algorithm) -> Plan:
        plan, _ = plan_of(self.machine, shape, self.plans)
        plan = replace(plan, alpha=1.0, beta=1.0, activation="none", scale=1.0, saturate=False, every=plan.every or algorithm.every)
        kinds = signature(plan.unit)
        if f"{kinds.a.format}.{kinds.b.format}" not in (algorithm.kind, f"{algorithm.kind}.{algorithm.kind}"):
            raise ValueError(f"plans: expected a unit for {algorithm.kind}, found {plan.unit} for {kinds.a.format} and {kinds.b.format}")
        return plan


class _Made:
    """The function of Python that XLA calls for one product."""

    def __init__(self, run: Run, shape: Shape, plan: Plan, algorithm: Algorithm, place: Place, out: np.dtype[Any]) -> None:
        self._run, self._shape, self._plan, self._algorithm, self._place, self._out = run, shape, plan, algorithm, place, out

    def __call__(self, a: Any, b: Any) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = _worker.run(self._result, np.asarray(a), np.asarray(b))
        return found

    def _result(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
        a, b = (converted(x, self._algorithm) for x in (a, b))
        if not self._algorithm.pairs:
            return self._product(a, b)
        left, right = parts(a, self._algorithm), parts(b, self._algorithm)
        total = joined([self._product(left[i], right[j]) for i, j in self._algorithm.pairs])
        with np.errstate(all="ignore"):
            return total.astype(self._out)

    def _product(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
        begin = time.perf_counter()
        found = product(a, b, self._plan, self._run.threads)
        run = self._run
        with run._lock:
            call = run.log.call(self._shape, self._plan, self._place.path, self._place.is_backward)
            call.count += 1
            call.seconds += time.perf_counter() - begin
        return found
