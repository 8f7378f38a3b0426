"""Other machines and plans that may have made a recorded product: the family that an audit searches, from likely to unlikely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import mmasmt

from .._emulation.plan import Plan
from .._emulation.units import architecture_of, has_unit, machines, nan_of, unit_of

PARTS = range(2, 33)
TILES = (64, 32, 128)
# Kernels without matrix units have short tiles as well.
SHORT_TILES = (16, 8)
# k of one sum that is added outside of an FP8 unit.
PROMOTIONS = (128, 64, 256, 512)
_NARROW = ("f16", "bf16")
_ORDERS = ("contiguous", "strided")
_COMBINED = ({"combine": "pairwise"}, {"combine": "tree"})
_STORED: tuple[dict[str, str], ...] = ({"partial": "out"}, {"running": "out"}, {"partial": "out", "running": "out"})


# Units that sum without any rounding take far longer than others: they come last.
_SLOW = ("cdna1",)
# Keys of a plan that sums all of k in one chain: a suspect has none of those that the claimed plan has.
_CHAIN = {"parts": 1, "tile": 64, "order": "contiguous", "every": 0, "partial": "f32", "running": "f32", "combine": "serial"}


@dataclass(frozen=True)
class Suspect:
    """Architectures that make a product alike, and the keys of the plan by which they do."""

    names: tuple[str, ...]
    keys: dict[str, Any]

    def text(self, out: str) -> str:
        """In words, for a product with results in this format."""
        plan = Plan(**{**self.keys, "out": out})
        return f"{', '.join(self.names)}: {plan.unit}, {plan.order_text()}"


def stages(machine: str, kind: str, k: int, out: str) -> Iterator[list[Suspect]]:
    """One chain on every machine; then all plans on the claimed machine; then all plans on the others."""
    units = _units(machine, kind)
    yield [Suspect(names, {**unit, **_CHAIN, "every": every}) for names, unit in units for every in (0, *_promotions(unit, k))]
    own, others = units[:1], units[1:]
    yield [Suspect(names, {**unit, **_CHAIN, **cut}) for names, unit in own for cut in _cuts(unit, k, out)]
    yield [Suspect(names, {**unit, **_CHAIN, **cut}) for names, unit in others for cut in _cuts(unit, k, out)]


def _units(machine: str, kind: str) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """Units for a format of operands, with the architectures that have each; that of the machine first."""
    own = architecture_of(machine)
    others = sorted((name for name in machines() if name != own), key=_SLOW.__contains__)
    found: dict[tuple[str, ...], tuple[list[str], dict[str, Any]]] = {}
    for name in [own, *others]:
        if has_unit(name, kind):
            unit = unit_of(name, kind)
            nan = nan_of(name)
            key = mmasmt.signature(unit.model).canonical, nan, unit.round_in
            names, _ = found.setdefault(key, ([], {"unit": unit.model, "nan": nan, "round_in": unit.round_in}))
            names.append(name)
    return [(tuple(names), keys) for names, keys in found.values()]


def _promotions(unit: dict[str, Any], k: int) -> Sequence[int]:
    is_fp8 = mmasmt.signature(unit["unit"]).a.width == 8
    return [every for every in PROMOTIONS if every < k] if is_fp8 else []


def _cuts(unit: dict[str, Any], k: int, out: str) -> Iterator[dict[str, Any]]:
    """Ways to cut k; those that sum the same products in the same order come once."""
    stored = _STORED if out in _NARROW else ()
    tiles = TILES if mmasmt.signature(unit["unit"]).a.width <= 16 else TILES + SHORT_TILES
    seen = set()
    for every in (0, *_promotions(unit, k)):
        for tile in tiles:
            for parts in PARTS:
                for order in _ORDERS:
                    cut = _cut(k, parts, tile, order)
                    # A part that is no longer than a sum that is promoted is one such sum.
                    if cut is None or (every and every >= _longest(k, parts, tile)):
                        continue
                    for more in ({}, *stored, *_COMBINED):
                        # Two sums have one order.
                        key = (every, cut, parts if "combine" in more else 0, *more.items())
                        if key in seen or ("combine" in more and parts < 3):
                            continue
                        seen.add(key)
                        yield {"every": every, "parts": parts, "tile": tile, "order": order, **more}


def _longest(k: int, parts: int, tile: int) -> int:
    """Products of the longest part, at most."""
    return tile * -(-(-(-k // tile)) // parts)


def _cut(k: int, parts: int, tile: int, order: str) -> tuple[Any, ...] | None:
    """What tells a way to cut k from others; None if there is one part."""
    tiles = -(-k // tile)
    if tiles < 2:
        return None
    if order == "strided" and tiles > parts:
        return order, tile, parts
    # A tile for each part, or neighbouring ones.
    own = tile if order == "strided" else _longest(k, parts, tile)
    return ("contiguous", own) if own < k else None
