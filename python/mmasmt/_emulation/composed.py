"""Compositions as plans: the text of a table of plans, read into the fields of a `Plan`."""

from __future__ import annotations

import re
from typing import Any

import mmasmt

from .plan import Plan

_OUTER = re.compile(r"(\w+)\((.*)\)(?::([^()]*))?")
# Keys of `splitk`, and the fields of a plan that they are.
_SPLIT = {"S": "parts", "tile": "tile", "tiles": "order", "combine": "combine"}
_STORED = {"part": "partial", "sum": "running"}


def plan_of_composition(model: str, *, source: str, verified: str) -> Plan:
    """The plan of a composition such as ``epilogue(splitk(promote(U):every=4):S=3,tile=128):out=bf16``.

    The epilogue is that of the operator, and is left out. A composition that the fields of a plan cannot say becomes its unit.

    Parameters
    ----------
    model : str
        The composition, as a table of plans has it.
    source, verified : str
        As for `Plan`.
    """
    outer, keys, inside = _taken_apart(model)
    out, inner = (keys.get("out", "f32"), inside) if outer == "epilogue" else ("f32", model)
    fields = _fields(inner, out)
    return Plan(**{"unit": inner, **(fields or {})}, out=out, source=source, verified=verified)


def _fields(model: str, out: str) -> dict[str, Any] | None:
    """The fields of a plan for promotions and splits; None for what they cannot say."""
    found: dict[str, Any] = {}
    outer, keys, inside = _taken_apart(model)
    if outer == "splitk":
        names = {**_SPLIT, **{key: name for key, name in _STORED.items() if keys.get(key) == out}}
        if not keys.keys() <= names.keys() or not {"S", "tile"} <= keys.keys():
            return None
        if keys.get("combine", "serial") not in ("serial", "pairwise", "tree"):
            return None
        found |= {names[key]: int(value) if value.isdigit() else value for key, value in keys.items() if key not in _STORED}
        found |= {_STORED[key]: "out" for key in keys if key in _STORED}
        model = inside
        outer, keys, inside = _taken_apart(model)
    if outer == "promote":
        if keys.keys() != {"every"}:
            return None
        found["every"] = int(keys["every"]) * mmasmt.signature(inside).products
        model = inside
        outer, keys, inside = _taken_apart(model)
    return None if outer else {**found, "unit": model}


def _taken_apart(model: str) -> tuple[str, dict[str, str], str]:
    """The outermost composition, its keys, and what it is made of; ``""`` for what is no composition."""
    match = _OUTER.fullmatch(model)
    if match is None:
        return "", {}, model
    name, inside, text = match.groups()
    return name, dict(key.partition("=")[::2] for key in (text or "").split(",") if key), inside
