"""A product of JAX as it is made when the program runs: parts of the operands, sums, and the record of them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._emulation.calls import Call, Log
from .._emulation.plan import Plan
from .._emulation.plans import Shape
from .._emulation.product import product
from ._algorithms import Algorithm, converted, joined, parts


class Place(NamedTuple):
    """Where an equation stands: the path of `jax.named_scope`, and whether it belongs to a gradient."""

    path: str = ""
    is_backward: bool = False

    def __str__(self) -> str:
        return f" in {self.path}" if self.path else " in a gradient" if self.is_backward else ""


@dataclass(frozen=True)
class Made:
    """A product whose plan is known; `lock` guards the log, as XLA may run several at once."""

    log: Log
    lock: threading.Lock
    shape: Shape
    plan: Plan
    algorithm: Algorithm
    place: Place
    out: np.dtype[Any]
    threads: int

    def result(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of operands of shapes (B, M, K) and (B, K, N), as JAX has them."""
        a, b = (converted(x, self.algorithm) for x in (a, b))
        if not self.algorithm.pairs:
            return self._product(a, b)
        left, right = parts(a, self.algorithm), parts(b, self.algorithm)
        total = joined([self._product(left[i], right[j]) for i, j in self.algorithm.pairs])
        with np.errstate(all="ignore"):
            return total.astype(self.out)

    def call(self) -> Call:
        """The record of such products."""
        return self.log.call(self.shape, self.plan, self.place.path, self.place.is_backward)

    def _product(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
        begin = time.perf_counter()
        found = product(a, b, self.plan, self.threads)
        with self.lock:
            call = self.call()
            call.count += 1
            call.seconds += time.perf_counter() - begin
        return found


@dataclass(frozen=True)
class Compared:
    """A product on two machines, of the same operands: the first gives the result, and bits that differ are counted."""

    made: Made
    other: Made

    def result(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """As for `Made`; two NaN are alike."""
        found, theirs = self.made.result(a, b), self.other.result(a, b)
        codes = [np.ascontiguousarray(x).view(f"uint{8 * x.itemsize}") for x in (found, theirs)]
        differ = (codes[0] != codes[1]) & ~(np.isnan(found) & np.isnan(theirs))
        with self.made.lock:
            call = self.made.call()
            call.compared += found.size
            call.different += int(differ.sum())
        return found
