"""What becomes of each operator: one table for the context, the installation and the recorder, filled at the first call of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from torch._library.custom_ops import OPDEFS

from ._apart import is_composite
from ._handlers import HANDLERS, Handler
from ._refused import COMPILED, REFUSED, SPLIT, SUMS, UNKNOWN, says_product

# Namespaces of operators that have no kernels of their own below PyTorch's.
KNOWN = {
    "aten", "prim", "prims", "profiler", "mmasmt", "c10d", "_c10d_functional", "c10d_functional", "rngprims", "debugprims",
}  # fmt: skip


class Kind(Enum):
    """What is done with an operator."""

    EMULATED = "made by a handler of its own"
    REFUSED = "has products inside that are not emulated"
    COMPOSITE = "made of other operators on every device"
    SPLIT = "its kernel calls other operators"
    SUMS = "weighted sums that no machine makes by matrix units"
    CUSTOM = "an operator of somebody's"
    HARMLESS = "has no products of matrices"


@dataclass(frozen=True)
class Operator:
    """One overload: its kind, its name without ``aten::``, its handler, and why it is refused.

    `says_product` is whether the name says that it multiplies matrices; `composite` whether it is made of others, which a refused
    one may be as well.
    """

    kind: Kind
    name: str
    base: str
    handler: Handler | None = None
    text: str = ""
    says_product: bool = False


_TABLE: dict[Any, Operator] = {}
# The addresses of those without products, which live as long as the table.
HARMLESS: set[int] = set()


def operator_of(func: Any) -> Operator:
    """The line of the table for an overload."""
    found = _TABLE.get(func)
    if found is None:
        found = _TABLE[func] = _looked_at(func)
        if found.kind is Kind.HARMLESS:
            HARMLESS.add(id(func))
    return found


def _looked_at(func: Any) -> Operator:
    name = func._schema.name
    base = name if name in HANDLERS or not name.endswith("_") else name[:-1]
    handler = HANDLERS.get(base)
    says = says_product(base)
    common = {"name": name.removeprefix("aten::"), "base": base.removeprefix("aten::"), "says_product": says}
    if handler is not None:
        return Operator(Kind.EMULATED, handler=handler, **common)
    if (text := REFUSED.get(base)) is not None:
        return Operator(Kind.REFUSED, text=text, **common)
    if base in SUMS:
        return Operator(Kind.SUMS, text=SUMS[base], **common)
    if is_composite(func):
        return Operator(Kind.COMPOSITE, **common)
    if base in SPLIT:
        return Operator(Kind.SPLIT, **common)
    if func.namespace not in KNOWN:
        if _is_of_pytorch(func):
            return Operator(Kind.SPLIT, **common)
        return Operator(Kind.CUSTOM, text=COMPILED if says else "", **common)
    if says and func.namespace in ("aten", "prims"):
        return Operator(Kind.REFUSED, text=UNKNOWN, **common)
    return Operator(Kind.HARMLESS, **common)


def _is_of_pytorch(func: Any) -> bool:
    """Whether an operator is a function of Python that PyTorch defines, such as its losses in chunks: all inside of it is seen."""
    defined = OPDEFS.get(func.name().removesuffix(".default"))
    return defined is not None and str(getattr(defined._init_fn, "__module__", "")).startswith("torch.")


def has_weights(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether an operator of the kind `Kind.SUMS` is given the weights of its sums."""
    for place, argument in enumerate(func._schema.arguments):
        if argument.name == "per_sample_weights":
            return (args[place] if place < len(args) else kwargs.get(argument.name)) is not None
    return True
