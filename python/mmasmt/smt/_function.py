"""A model as a function of expressions, and the replay of what a solver found on the simulator."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import z3

from .. import _native
from .._formats import container
from .._signatures import signature
from ._register import Register, body


def register(name: str, of: Register) -> Any:
    """A free register: an expression of bits."""
    return z3.BitVec(name, of.width)


def registers(name: str, of: Register, count: int) -> list[Any]:
    """Free registers `name0`, `name1`, ..."""
    return [register(f"{name}{index}", of) for index in range(count)]


class Replay(NamedTuple):
    """Registers of one application of a function, and the result by the simulator."""

    a: list[int]
    b: list[int]
    c: int
    scale_a: list[int]
    scale_b: list[int]
    d: int


class Function:
    """A model as a function: ``f(a, b, c)`` is an expression of the bits of the result.

    `a`, `b`, `c`, `d` and `scale` are the registers of its formats, `products` the length of `a` and `b`; `text` is the definition in
    SMT-LIB.
    """

    def __init__(self, model: str, name: str = "f") -> None:
        kinds = signature(model)
        self.model = model
        self.name = name
        self.products = kinds.products
        self.a, self.b, self.c, self.d = (Register(kind.format, kind.width) for kind in (kinds.a, kinds.b, kinds.c, kinds.d))
        self.scale = Register(kinds.scale.format, kinds.scale.width) if kinds.scale else None
        self._blocks = kinds.products // kinds.block if kinds.block else 0
        self.text = _native.smt_function(name, model, False)
        self._bodies: dict[str, Any] = {}
        self._applied: list[tuple[list[Any], Any]] = []

    def __repr__(self) -> str:
        return f"Function({self.model})"

    @cached_property
    def _formals(self) -> list[Any]:
        formals = registers("a", self.a, self.products) + registers("b", self.b, self.products) + [register("c", self.c)]
        if self.scale is not None:
            formals += registers("sa", self.scale, self._blocks) + registers("sb", self.scale, self._blocks)
        return formals

    def _actuals(self, a: Any, b: Any, c: Any, scale_a: Any, scale_b: Any) -> list[Any]:
        found: list[Any] = []
        rows = [("a", a, self.a, self.products), ("b", b, self.b, self.products)]
        scales = [("scale_a", scale_a), ("scale_b", scale_b)]
        if self.scale is None and any(given is not None for _, given in scales):
            raise ValueError(f"{self.model}: expected no block scales")
        if self.scale is not None:
            rows += [(name, [] if given is None else given, self.scale, self._blocks) for name, given in scales]
        for name, given, kind, length in rows:
            given = list(given)
            if len(given) > length:
                raise ValueError(f"{name}: expected at most {length} registers, found {len(given)}")
            # Products that are not given are products of zeros, and scales that are not given are ones.
            rest = 1 if kind is self.scale else 0
            found += [kind(given[index] if index < len(given) else rest) for index in range(length)]
            if name == "b":
                found.append(self.c(0 if c is None else c))
        return found

    def __call__(self, a: Any, b: Any, c: Any = None, *, scale_a: Any = None, scale_b: Any = None) -> Any:
        """The bits of the result for registers of expressions and numbers; products that are missing are of zeros."""
        actuals = self._actuals(a, b, c, scale_a, scale_b)
        if self.name not in self._bodies:
            self._bodies[self.name] = body(self.text, self.name, self._formals, z3.BitVecSort(self.d.width))
        found = z3.substitute(self._bodies[self.name], *zip(self._formals, actuals))
        self._applied.append((actuals, found))
        return found

    @cached_property
    def stages(self) -> dict[str, int]:
        """The stages of the model with their widths: `1.exponent`, `1.aligned.0`, `1.sum`, `1.result`, `2.exponent`, ..."""
        found = {}
        for line in self._stages_text.splitlines():
            words = line.split()
            if line.startswith(f"(define-fun {self.name}."):
                stage = words[1].removeprefix(f"{self.name}.")
                # Functions of formats have the name of the model too.
                if stage.split(".")[0] not in ("finite", "value", "real"):
                    found[stage] = int(words[-1].rstrip(")"))
        return found

    @cached_property
    def _stages_text(self) -> str:
        return _native.smt_function(self.name, self.model, True)

    def stage(self, which: str, a: Any, b: Any, c: Any = None, *, scale_a: Any = None, scale_b: Any = None) -> Any:
        """A stage as an expression: `1.sum`, the sum of the first fused sum; exponents and sums are in two's complement."""
        if which not in self.stages:
            raise ValueError(f"{self.model}: expected one of {', '.join(self.stages)}, found {which}")
        name = f"{self.name}.{which}"
        if name not in self._bodies:
            self._bodies[name] = body(self._stages_text, name, self._formals, z3.BitVecSort(self.stages[which]))
        return z3.substitute(self._bodies[name], *zip(self._formals, self._actuals(a, b, c, scale_a, scale_b)))

    def check(self, model: Any) -> list[Replay]:
        """What the simulator gives for each application so far, with the values of a model of Z3.

        Raises
        ------
        AssertionError
            If the simulator's result is another than the solver's: one of them is wrong.
        """
        return [self._replay(model, actuals, result) for actuals, result in self._applied]

    def _replay(self, model: Any, actuals: list[Any], result: Any) -> Replay:
        bits = [model.eval(one, model_completion=True).as_long() for one in actuals]
        count = self.products
        rows = [bits[:count], bits[count : 2 * count], bits[2 * count : 2 * count + 1]]
        rest = bits[2 * count + 1 :]
        rows += [rest[: self._blocks], rest[self._blocks :]]
        kinds = [self.a, self.b, self.c, self.scale or self.a, self.scale or self.a]
        flat = [np.array(row, container(kind.width)) for row, kind in zip(rows, kinds)]
        d = int(_native.dot(self.model, flat, 1, 1)[0])
        by_solver = model.eval(result, model_completion=True).as_long()
        if d != by_solver:
            raise AssertionError(f"{self.model}: the solver has {by_solver:#x}, the simulator {d:#x}, for {rows}")
        return Replay(rows[0], rows[1], rows[2][0], rows[3], rows[4], d)


def function(model: str, name: str = "f") -> Function:
    """A model as a function of expressions; `name` is its name in SMT-LIB.

    Examples
    --------
    >>> from mmasmt import smt
    >>> f = smt.function("H100/HMMA.16816.F32")
    >>> f.products, f.a, f.d
    (16, Register(f16), Register(f32))
    """
    return Function(model, name)
