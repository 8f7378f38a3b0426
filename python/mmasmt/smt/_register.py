"""Formats as sorts of Z3: registers, and the numbers that they hold."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import z3

from .. import _native


def body(text: str, name: str, formals: list[Any], sort: Any) -> Any:
    """The value of the function `name` of a text in SMT-LIB, an expression over `formals`."""
    declared = "".join(f"(declare-const {one.decl().name()} {one.sort().sexpr()})" for one in formals)
    call = f"({name} {' '.join(one.decl().name() for one in formals)})"
    script = f"{text}{declared}(declare-const result! {sort.sexpr()})(assert (= result! {call}))"
    (equation,) = z3.parse_smt2_string(script)
    sides: list[Any] = equation.children()
    return next(side for side in reversed(sides) if side.decl().name() != "result!")


@lru_cache(maxsize=256)
def _of_format(format: str, width: int, what: str) -> tuple[Any, Any]:
    sort = {"finite": z3.BoolSort(), "value": z3.Float64(), "real": z3.RealSort()}[what]
    formal = z3.BitVec("x", width)
    return formal, body(_native.smt_format(format), f"{what}.{format}", [formal], sort)


class Register:
    """A register of a format: its width, and what it holds as expressions of Z3."""

    def __init__(self, format: str, width: int) -> None:
        self.format = format
        self.width = width

    def __repr__(self) -> str:
        return f"Register({self.format})"

    def _of(self, what: str, bits: Any) -> Any:
        formal, found = _of_format(self.format, self.width, what)
        return z3.substitute(found, (formal, self(bits)))

    def finite(self, bits: Any) -> Any:
        """Whether the register holds a number, not an infinity or a NaN."""
        return self._of("finite", bits)

    def value(self, bits: Any) -> Any:
        """The number in the register as an expression of sort Float64, which holds it exactly."""
        return self._of("value", bits)

    def real(self, bits: Any) -> Any:
        """The number in the register as an expression of sort Real."""
        return self._of("real", bits)

    def __call__(self, value: Any) -> Any:
        """An expression of the register's bits: of a bit-vector or a floating-point expression as wide, or of a number."""
        if isinstance(value, z3.FPRef):
            value = z3.fpToIEEEBV(value)
        if isinstance(value, z3.BitVecRef):
            if value.size() != self.width:
                raise ValueError(f"{self.format}: expected {self.width} bits, found {value.size()}")
            return value
        if isinstance(value, z3.ExprRef):
            raise ValueError(f"{self.format}: expected bits, a floating-point expression or a number, found sort {value.sort()}")
        text = float(value).hex() if isinstance(value, float) else str(value)
        return z3.BitVecVal(_native.parse(self.format, text), self.width)
