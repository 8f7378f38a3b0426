"""Plans: which composition of a unit a library runs for a product of matrices."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any, NamedTuple

from ._native import PlanTable
from ._products import check_integer


class Plan(NamedTuple):
    """The plan for a product, and what it rests on."""

    model: str
    """The model that computes the product; every function takes it as its `model`."""
    status: str
    """``"recorded"``, ``"reported"``, ``"inferred"`` from other shapes, or ``"assumed"``."""
    source: str
    decision: str
    """What the heuristic of the library decided for the shape; empty where that is not known."""
    note: str


class Plans:
    """A table of plans.

    Parameters
    ----------
    table : str or path
        ``"h100-fp8"`` or ``"rtx4060-fp8"`` for ``torch._scaled_mm``, ``"cublaslt"`` for the fields that the heuristic of cuBLASLt returns,
        or a file of one's own, ``FILE.toml``.
    decisions : str or path, optional
        Decisions of the heuristic, shape by shape: a file ``heur_*.npz`` of mmaemu, with its file of JSON beside it.

    Examples
    --------
    >>> import mmasmt
    >>> plans = mmasmt.Plans("cublaslt")
    >>> plans.explain(100, 2560, 9728, algo=66, stages=35, S=3).model
    'epilogue(splitk(hopper/wgmma.m64nNk16.f32.bf16.bf16):S=3,tile=64):out=bf16'
    """

    def __init__(self, table: str | PathLike[str], *, decisions: str | PathLike[str] | None = None) -> None:
        self._table = PlanTable(fspath(table), None if decisions is None else fspath(decisions))

    @property
    def title(self) -> str:
        """The machine and the library, in words."""
        return self._table.title()

    def explain(self, M: int, N: int, K: int, **known: Any) -> Plan:
        """The plan for a product of M x K by K x N, and since how much it is known.

        `known` is what more the rules of the table ask for: ``a="e4m3"``, ``out="bf16"``, ``fast=True``, ``workspace=1 << 20``, or fields of
        the heuristic.
        """
        for name, value in (("M", M), ("N", N), ("K", K)):
            check_integer(name, value, 0)
        texts = [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in known.items()]
        return Plan(*self._table.answer((M, N, K), texts))

    def __repr__(self) -> str:
        return f"<plans of {self.title}>"
