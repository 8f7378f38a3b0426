"""One emulation: what it is asked for, what it did, and the product that every equation of JAX is made of."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from .._emulation.calls import Log
from .._emulation.errors import Refused
from .._emulation.plan import Plan
from .._emulation.plans import Shape, plan_of
from .._emulation.tables import Plans, rules_of
from .._emulation.units import architecture_of
from .._emulation.unknown import Assumptions, OnUnknown
from .._signatures import signature
from . import _worker
from ._algorithms import NAMES, Algorithm, algorithm_of
from ._made import Compared, Made, Place

Only = Callable[[str, Shape, str], bool]

_XLA = (
    "XLA chooses between cuBLAS, Triton and fusions of both by timing them, so that nothing tells how it cuts a sum: "
    "no plan is known unless plans= has it"
)

_VECTOR = "XLA may multiply and sum a product with a vector in a kernel of its own, unless --xla_gpu_enable_dot_strength_reduction=false"


class LeftNative(Exception):
    """`only` leaves the equation to this processor."""


class Run:
    """The arguments of `emulate`, checked, and the log."""

    def __init__(
        self, machine: str, library: str | None, plans: Plans, unknown: OnUnknown, tf32: bool | None, threads: int, only: Only | None,
        compare: str | None = None,
    ) -> None:  # fmt: skip
        architecture_of(machine)
        _worker.start()
        self.machine, self.plans, self.tf32, self.threads, self.only = machine, rules_of(machine, plans), tf32, threads, only
        self.other = None if compare is None else Run(compare, None, (), "ignore", tf32, threads, None)
        self.log = Log(machine if library is None else f"{machine}, {library}", last=_XLA)
        self.log.other = None if self.other is None else self.other.log
        self.lock = threading.Lock()
        self._assumptions = Assumptions(machine, unknown)

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
        if self.only is not None:
            kinds = [NAMES.get(x, str(x)) for x in (jnp.dtype(a.dtype), jnp.dtype(b.dtype))]
            kind = ".".join(kinds if a.dtype.itemsize == b.dtype.itemsize == 1 else kinds[:1])
            seen = Shape(op, batch, m, n, k, kind, NAMES.get(out, str(out)))
            if not self.only(op, seen, place.path):
                raise LeftNative
        if 1 in (m, n):
            self.log.notes[_VECTOR] += 1
        runs = [self] if self.other is None else [self, self.other]
        made = [run._made(op, a, b, out, precision, place) for run in runs]
        self._assumptions.check(made[0].plan, made[0].shape, str(place), 4)
        host = made[0] if self.other is None else Compared(*made)
        found: jax.Array = jax.pure_callback(_Host(host), jax.ShapeDtypeStruct((batch, m, n), out), a, b)
        return found

    def _made(self, op: str, a: jax.Array, b: jax.Array, out: Any, precision: Any, place: Place) -> Made:
        try:
            algorithm = algorithm_of(self.machine, self.tf32, precision, jnp.dtype(a.dtype), jnp.dtype(b.dtype), out)
            sums = "f32" if algorithm.pairs else NAMES[out]
            shape = Shape(op, a.shape[0], a.shape[1], b.shape[2], a.shape[2], algorithm.kind, sums, algorithm.fast, layout="--")
            plan = self._plan(shape, algorithm)
        except Refused as error:
            shapes = f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
            raise Refused(f"{op} of {shapes}{place} is not emulated for {self.machine}: {error}") from None
        return Made(self.log, self.lock, shape, plan, algorithm, place, np.dtype(out), self.threads)

    def _plan(self, shape: Shape, algorithm: Algorithm) -> Plan:
        plan, _ = plan_of(self.machine, shape, self.plans)
        plan = replace(plan, alpha=1.0, beta=1.0, activation="none", scale=1.0, saturate=False)
        kinds = signature(plan.unit)
        if f"{kinds.a.format}.{kinds.b.format}" not in (algorithm.kind, f"{algorithm.kind}.{algorithm.kind}"):
            raise ValueError(f"plans: expected a unit for {algorithm.kind}, found {plan.unit} for {kinds.a.format} and {kinds.b.format}")
        if plan.ranks != 1:
            raise ValueError(f"plans: expected a plan of one device, found {plan.order_text()}")
        return plan


class _Host:
    """The function of Python that XLA calls."""

    def __init__(self, made: Made | Compared) -> None:
        self._made = made

    def __call__(self, a: Any, b: Any) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = _worker.run(self._made.result, np.asarray(a), np.asarray(b))
        return found
