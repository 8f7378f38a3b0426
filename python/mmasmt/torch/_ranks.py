"""Tensor parallelism: k over several devices, whose results an all-reduce adds in the format of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from .._emulation.errors import Refused
from .._emulation.plan import Plan, Reduce, RowBias
from .._emulation.plans import IN_EACH, Shape
from ._combine import serial, tree
from ._rounding import add_in

RowParallel = Sequence[str] | Callable[[str], bool]


@dataclass(frozen=True)
class Ranks:
    """Which products of a model are cut along k, over how many devices, and how their results are added.

    The arguments are those of `emulate`.
    """

    size: int
    reduce: Reduce
    row_parallel: RowParallel
    row_bias: RowBias
    chunk: int

    @classmethod
    def of(cls, size: int, reduce: str | None, row_parallel: RowParallel, row_bias: str | None, chunk: int) -> Ranks | None:
        """None for one device."""
        if not isinstance(size, int) or size < 1:
            raise ValueError(f"tp: expected an integer of 1 or more, found {size!r}")
        if size == 1:
            return None
        if reduce not in ("ring", "tree", "f32"):
            raise ValueError(f"reduce: expected ring, tree or f32 beside tp={size}, found {reduce!r}")
        if row_bias not in (None, "first", "after"):
            raise ValueError(f"row_bias: expected first, after or nothing, found {row_bias!r}")
        if not row_parallel or isinstance(row_parallel, str):
            raise ValueError(f"row_parallel: expected names of modules, or a function of their paths, found {row_parallel!r}")
        return cls(size, reduce, row_parallel, row_bias or "none", chunk)  # type: ignore[arg-type]

    def cuts(self, path: str) -> bool:
        """Whether products of the module with this path are cut."""
        if callable(self.row_parallel):
            return self.row_parallel(path)
        return any(path == name or path.endswith(f".{name}") for name in self.row_parallel)

    def shape_of_one(self, shape: Shape, has_addend: bool, is_backward: bool) -> Shape:
        """The product of one device.

        Raises
        ------
        Refused
            If nobody said how such a product is made.
        """
        if is_backward:
            raise Refused("tp= is for a forward pass: which gradients an all-reduce adds is not said")
        if shape.k % self.size:
            raise Refused(f"expected a K that {self.size} devices share alike, found {shape.k}; leave the module out of row_parallel")
        if has_addend and self.row_bias == "none":
            raise Refused("a row-parallel layer has a bias: say with row_bias= whether the 'first' device adds it, or all of them 'after'")
        return replace(shape, k=shape.k // self.size)

    def plan(self, of_one: Plan) -> Plan:
        """The plan of the whole product from that of one device. The order of an all-reduce was not recorded."""
        in_each = IN_EACH if of_one.verified == "assumed" else "in each: "
        source = f"the all-reduce of {self.size} devices is assumed; {in_each}{of_one.source}"
        return replace(
            of_one, ranks=self.size, reduce=self.reduce, row_bias=self.row_bias, chunk=self.chunk, source=source, verified="assumed"
        )


def all_reduced(results: Sequence[Tensor], how: Reduce, chunk: int = 0) -> Tensor:
    """The sum of the results of several devices.

    Parameters
    ----------
    results : sequence of Tensor
        One for each device, in the order of ranks, all of one shape and type.
    how : str
        ``"f32"``: added in f32 in the order of ranks, rounded once; ``"tree"``: neighbours in pairs, then their sums in pairs, each sum
        rounded; ``"ring"``: in turn, each sum rounded, chunk q from rank q + 1 on to rank q, as the ring of NCCL has it.
    chunk : int
        The most elements of a chunk of the ring; 0 for a result that is one chunk for each device.
    """
    out = results[0].dtype
    if how == "f32":
        wide = torch.float64 if out == torch.float64 else torch.float32
        return serial([x.to(wide) for x in results], torch.add).to(out)
    if how == "tree":
        return tree(results, add_in)
    found = results[0].new_empty(results[0].numel())
    owner = chunks(found.numel(), len(results), found.element_size(), chunk)
    for last in range(len(results)):
        turn = [results[(last + 1 + i) % len(results)].reshape(-1)[owner == last] for i in range(len(results))]
        found[owner == last] = serial(turn, add_in)
    return found.reshape(results[0].shape)


def chunks(count: int, ranks: int, size: int, chunk: int = 0) -> Tensor:
    """Which chunk each of `count` elements of `size` bytes is in, in a ring of one channel.

    NCCL goes through a tensor in loops of a chunk for each rank. The last loop shares what is left, in multiples of 16 bytes
    (`runRing` in `src/device/all_reduce.h` of NCCL with `ncclCollCbdPart`; older versions share it otherwise).
    """
    place = torch.arange(count)
    loop = ranks * chunk
    if not chunk or loop > count:
        return place // _shared(count, ranks, size)
    begin = count // loop * loop
    rest = (place - begin) // _shared(max(count - begin, 1), ranks, size)
    return torch.where(place < begin, place % loop // chunk, rest)


def _shared(count: int, ranks: int, size: int) -> int:
    grain = max(16 // size, 1)
    return max(-(-(-(-count // ranks)) // grain) * grain, 1)
