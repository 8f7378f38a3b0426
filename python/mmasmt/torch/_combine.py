"""Orders in which sums of parts are added, elementwise: parts of k in one device, and results of several devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from torch import Tensor

Add = Callable[[Tensor, Tensor], Tensor]


def serial(sums: Sequence[Tensor], add: Add) -> Tensor:
    """From the first to the last."""
    return reduce(add, sums)


def pairwise(sums: Sequence[Tensor], add: Add) -> Tensor:
    """The order of cuBLASLt on Ada: of all sums but the last one, number i and number i + h, with h half of all rounded up; the last
    one first, then these in turn."""
    half, (*rest, last) = (len(sums) + 1) // 2, sums
    slots = [add(x, rest[i + half]) if i + half < len(rest) else x for i, x in enumerate(rest[:half])]
    return serial([last, *slots], add)


def tree(sums: Sequence[Tensor], add: Add) -> Tensor:
    """Neighbours in pairs, then their sums in pairs; one without a neighbour goes on as it is."""
    while len(sums) > 1:
        sums = [serial(sums[i : i + 2], add) for i in range(0, len(sums), 2)]
    return sums[0]


ORDERS: dict[str, Callable[[Sequence[Tensor], Add], Tensor]] = {"serial": serial, "pairwise": pairwise, "tree": tree}
