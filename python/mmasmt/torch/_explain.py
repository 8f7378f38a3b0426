"""What would be done with an operator, without doing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .._emulation.calls import Log
from .._emulation.plan import Plan
from .._emulation.tables import Plans
from ._mode import emulate
from ._operator import Operands
from ._product import dtype_of


class _Dry(emulate):
    """An emulation that looks plans up and makes nothing."""

    def _make(self, plan: Plan, operands: Operands) -> torch.Tensor:
        return torch.zeros((), dtype=dtype_of(plan.out)).expand(operands.a.shape[0], operands.a.shape[1], operands.b.shape[2])


def explain(
    op: str, shapes: Sequence[Sequence[int]], dtypes: Any, *, machine: str, library: str | None = None, plans: Plans = (),
    workspace: int | None = None, **arguments: Any,
) -> Log:  # fmt: skip
    """Which products an operator consists of, by which units and plans, and since how much that is known.

    Parameters
    ----------
    op : str
        An operator of aten: ``"aten.addmm"``, ``"conv2d"``, ``"aten._scaled_mm"``.
    shapes : sequence
        Of its tensors, in their order; ``()`` for a number.
    dtypes : dtype or sequence
        One for all tensors, or one for each.
    machine, library, plans, workspace
        As for `emulate`.
    **arguments
        Other arguments of the operator.

    Returns
    -------
    Log
        With a record for each product in `calls`; as text it is the report.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> found = mt.explain("aten.mm", [(64, 4096), (4096, 64)], torch.bfloat16, machine="H100")
    >>> found.calls[0].plan.parts, found.calls[0].plan.verified
    (3, 'recorded')
    """
    kinds = [dtypes] * len(shapes) if isinstance(dtypes, torch.dtype) else list(dtypes)
    if len(kinds) != len(shapes):
        raise ValueError(f"dtypes: expected one, or {len(shapes)} for as many shapes, found {len(kinds)}")
    name = op.removeprefix("aten.").removeprefix("aten::").removesuffix(".default")
    operator = getattr(torch.ops.aten, name, None)
    if operator is None:
        raise ValueError(f"op: expected an operator of aten such as 'aten.addmm', found {op!r}")
    # Matrices have the strides of whole ones; their memory is never touched, and thus never there.
    operands = [
        torch.empty(*shape, dtype=kind) if len(shape) > 1 else torch.zeros(tuple(shape), dtype=kind) for shape, kind in zip(shapes, kinds)
    ]
    if name.startswith("_scaled_mm"):
        # PyTorch asks for rows of a and columns of b in memory here.
        operands[1] = torch.empty(*shapes[1][::-1], dtype=kinds[1]).T
    with torch.no_grad(), _Dry(machine, library=library, plans=plans, workspace=workspace, unknown="ignore") as run:
        operator(*operands, **arguments)
    return run.log
