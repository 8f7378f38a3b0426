"""How operands and results lie in memory, and where results are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

# Results whose shapes are kept, so that long runs have flat memory.
_MOST = 4096


def layout_of(a: torch.Tensor, b: torch.Tensor, into: torch.Tensor | None) -> str:
    """`Shape.layout` of a product of shapes (B, M, K) and (B, K, N), whose result is written into a tensor, or a new one."""
    if into is not None and not into.is_contiguous():
        return "--"
    # A single row or column lies both ways; linear layers say t for it.
    of_b = "t" if b.transpose(1, 2).is_contiguous() or 1 in b.shape[1:] else "n" if b.is_contiguous() else "-"
    of_a = "n" if a.is_contiguous() else "t" if a.transpose(1, 2).is_contiguous() else "-"
    return of_b + of_a


def on_meta(x: Any) -> Any:
    """A tensor of the same form without values; anything else as it is."""
    return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="meta") if isinstance(x, torch.Tensor) else x


def laid_out(found: Any, expected: Any) -> Any:
    """Results with the strides that the operator gives."""
    if isinstance(found, torch.Tensor):
        if found.shape != expected.shape or found.dtype != expected.dtype:
            raise AssertionError(f"expected {tuple(expected.shape)} {expected.dtype}, made {tuple(found.shape)} {found.dtype}")
        if found.stride() == expected.stride() and found._base is None:
            return found
        laid = torch.empty_strided(expected.shape, expected.stride(), dtype=expected.dtype)
        return laid.copy_(found)
    # PyTorch 2.11 and older versions say f32 for the statistics of attention in f64, which its kernels give in f64.
    kinds = [y if x is None or y is None or not place else y.to(x.dtype) for place, (x, y) in enumerate(zip(found, expected))]
    return tuple(x if x is None or y is None else laid_out(x, y) for x, y in zip(found, kinds))


def written(func: Any, found: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What an operator that writes into an argument gives: that argument."""
    if func._schema.name.endswith("_"):
        if is_resized(func) and args[0].shape != found.shape:
            args[0].resize_(found.shape)
        return args[0].copy_(found)
    if (into := kwargs.get("out")) is not None:
        if into.shape != found.shape:
            into.resize_(found.shape)
        return into.copy_(found)
    return found


def is_resized(func: Any) -> bool:
    """Whether an operator that writes into its first argument gives it the shape of the result: PyTorch does it to this one alone."""
    return bool(func._schema.name == "aten::addbmm_")


def functional(func: Any) -> Any:
    """The same operator, which writes nothing."""
    packet = func._overloadpacket
    name = func._schema.name.removeprefix("aten::")
    if name.endswith("_"):
        return getattr(torch.ops.aten, name[:-1])
    return packet if "out" in func._overloadname else func


def leaves(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Sequence[Any], str]:
    """The arguments of an operator without lists of them, and how they stand in lists, as text."""
    if not kwargs and not any(isinstance(x, (list, tuple, dict)) for x in args):
        return args, ""
    found, structure = tree_flatten((args, kwargs))
    # As text: before PyTorch 2.8 a structure with names has no hash.
    return found, str(structure)


class Results:
    """Shapes, types and strides of what operators give, asked of PyTorch once for each kind of arguments."""

    def __init__(self) -> None:
        self._shapes: dict[Any, Any] = {}

    def of(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Shapes, types and strides of what the operator gives; its own errors where the arguments do not fit."""
        found, structure = leaves(args, kwargs)
        # By its address, as in `Dispatch`; the operator stands beside its result, so that no other one takes the place.
        key = (
            id(func), structure,
            tuple((x.shape, x.stride(), x.dtype) if isinstance(x, torch.Tensor) else repr(x) for x in found),
        )  # fmt: skip
        kept = self._shapes.get(key)
        if kept is None:
            meta_args, meta_kwargs = tree_map(on_meta, (args, kwargs))
            try:
                result = (functional(func) if is_resized(func) else func)(*meta_args, **meta_kwargs)
            except NotImplementedError:
                result = None
            if len(self._shapes) >= _MOST:
                self._shapes.clear()
            kept = self._shapes[key] = (func, result)
        return kept[1]
