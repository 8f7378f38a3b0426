"""Signatures: the formats that a model takes and gives."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from . import _native
from ._arrays import Kind


class Signature(NamedTuple):
    """Formats of operands and result, number of products, block scales, and the algorithm with its parameters."""

    a: Kind
    b: Kind
    c: Kind
    d: Kind
    products: int
    scale: Kind | None
    block: int
    canonical: str
    algorithm: str
    parameters: tuple[tuple[str, str], ...]

    @property
    def is_conversion(self) -> bool:
        """Whether the model takes numbers and sums no products."""
        return self.b.format == "none"


class Formats(NamedTuple):
    """The formats of operands and result alone."""

    a: Kind
    b: Kind
    c: Kind
    d: Kind
    scale: Kind | None = None


# A machine that answers, but a command, and the model or instruction behind it; `cpu:KEY=VALUE` is a model.
_MACHINE = re.compile(r"(?:model:|gpu:\d+:|cpu:(?!.*=))(.*)", re.DOTALL)


def model_of(sides: Iterable[str], operands: str | None) -> str | Formats:
    """The first model among models and machines, of which a command `run:` has none; `operands` are those of commands alone."""
    for side in sides:
        if not isinstance(side, str):
            raise TypeError(f"left, right: expected text, found {type(side).__name__}")
        if not side.startswith("run:"):
            machine = _MACHINE.fullmatch(side)
            return side if machine is None else machine[1]
    if operands is None:
        raise ValueError("operands: expected those of two commands, such as '4 products f16 x f16, c f32, result f32', found none")
    if not isinstance(operands, str):
        raise TypeError(f"operands: expected text, found {type(operands).__name__}")
    if "scales of" in operands:
        raise ValueError("operands: expected no block scales beside two commands, found some; take model:MODEL in place of one of them")
    formats, _ = _native.operand_formats(operands)
    return Formats(*(Kind(*one) for one in formats))


def signature(model: str) -> Signature:
    """What a model takes and gives."""
    # A file may have changed since the last call, and its name says nothing about that.
    return _read(model) if isinstance(model, str) and _names_file(model) else _kept(model)


@lru_cache(maxsize=4096)
def _names_file(model: str) -> bool:
    """Whether the text may name a file, whose content is not in the text."""
    units = model.split("unit:")[1:]
    return any(not unit.startswith("{") for unit in units) or any(word in model for word in ("rtl:", "plan:", "@"))


@lru_cache(maxsize=4096)
def _kept(model: str) -> Signature:
    return _read(model)


def _read(model: str) -> Signature:
    found = _native.signature(model)
    scales = found["scales"]
    return Signature(
        a=Kind(*found["a"]),
        b=Kind(*found["b"]),
        c=Kind(*found["c"]),
        d=Kind(*found["d"]),
        products=found["products"],
        scale=Kind(*scales[:2]) if scales else None,
        block=scales[2] if scales else 0,
        canonical=found["canonical"],
        algorithm=found["algorithm"],
        parameters=tuple(map(tuple, found["parameters"])),
    )
