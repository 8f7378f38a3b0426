"""A model without its numbers: which products it would make, by which plans, and about how long they would take here."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses import FakeTensor, FakeTensorMode
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.utils._pytree import tree_map

from .._emulation.calls import Log
from .._emulation.plan import Plan
from .._emulation.turned import strips
from ._mode import emulate
from ._operator import Operands
from ._operators import Kind, Operator
from ._product import dtype_of, product
from ._record import arguments_of



class _Speed:
    """Seconds of a product on this processor, from three that are made for each unit."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._of: dict[tuple[str, str], tuple[float, float, float]] = {}

    def seconds(self, plan: Plan, operands: Operands) -> float:
        """About; a product of a shape of its own may take half or twice as long."""
        key = plan.unit, plan.round_in
        if key not in self._of:
            with unset_fake_temporarily():
                self._of[key] = self._measured(plan, operands)
        overhead, of_element, of_mac = self._of[key]
        batch, m, k = operands.a.shape
        n = operands.b.shape[2]
        return overhead + batch * (of_element * k * (m + n) + of_mac * k * strips(m, n))

    def _measured(self, plan: Plan, operands: Operands) -> tuple[float, float, float]:
        def timed(m: int, n: int, k: int) -> float:
            a, b = torch.randn(1, m, k).to(operands.a.dtype), torch.randn(1, k, n).to(operands.b.dtype)
            one = Plan(plan.unit, round_in=plan.round_in, out=plan.out)
            spent = []
            for _ in range(3):
                begin = time.perf_counter()
                product(a, b, one, threads=self._threads)
                spent.append(time.perf_counter() - begin)
            return sorted(spent)[1]

        overhead = timed(1, 32, 32)
        most = timed(64, 512, 512) - overhead
        row = timed(1, 1024, 1024) - overhead
        # A product of one row is the reading of the other operand, and its sums.
        of_mac = max(most, 1e-9) / (512 * strips(64, 512))
        of_element = max(row - of_mac * 1024 * strips(1, 1024), 0.0) / (1024 * 1025)
        return overhead, of_element, of_mac


class _Dry(emulate):
    """An emulation of tensors without numbers, which a mode of PyTorch's below it makes."""

    _watches = False
    _passed = (FunctionalTensor,)
    _own = (FakeTensor,)

    def __init__(self, machine: str, **options: Any) -> None:
        super().__init__(machine, **options)
        self.log.machine = f"{self.log.machine}, a dry run: seconds are estimated"
        self._speed = _Speed(self.threads)
        self._estimated = 0.0

    def _make(self, plan: Plan, operands: Operands) -> torch.Tensor:
        self._estimated = self._speed.seconds(plan, operands)
        shape = operands.a.shape[0], operands.a.shape[1], operands.b.shape[2]
        return torch.empty(shape, dtype=dtype_of(plan.out))

    def product(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        found = super().product(*args, **kwargs)
        call = self._made[-1]
        # In the place of the time that looking it up took.
        call.seconds = self._estimated * call.count
        return found

    def _treated(self, func: Any, operator: Operator, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if operator.kind in (Kind.SPLIT, Kind.SUMS) or (operator.kind is Kind.CUSTOM and not operator.text):
            self.log.left_native(operator.name, "what it calls is not seen in a dry run")
            return func(*args, **kwargs)
        return super()._treated(func, operator, args, kwargs)


def dry_run(model: Callable[..., Any], inputs: Any, *, machine: str, **options: Any) -> Log:
    """The products that a model would make on a machine: shapes, plans, multiplications, and about how many seconds they take here.

    Nothing is computed, so that a model of any size can be asked: make it inside of ``with torch.device("meta")``, or pass one that
    has numbers. What depends on numbers, such as where a router sends a token, cannot be asked.

    Parameters
    ----------
    model : callable
        A module, whose parameters may be on the device ``meta``, or a function.
    inputs : Tensor, or tuple or dict of them
        Its arguments; their numbers are not looked at.
    machine : str
        As for `emulate`.
    **options
        Other arguments of `emulate`.

    Returns
    -------
    Log
        With a record for each kind of product in `calls`; as text it is the report.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> with torch.device("meta"):
    ...     layer = torch.nn.Linear(4096, 11008, dtype=torch.bfloat16)
    >>> found = mt.dry_run(layer, torch.empty(16, 4096, dtype=torch.bfloat16), machine="H100")
    >>> str(found.calls[0].shape), found.calls[0].products
    ('addmm (16 x 4096) (4096 x 11008) bf16 -> bf16', 721420288)
    """
    run = _Dry(machine, **{"unknown": "ignore", **options})
    with torch.no_grad(), FakeTensorMode():
        args, kwargs = tree_map(_empty, arguments_of(inputs))
        values = {}
        if isinstance(model, torch.nn.Module):
            values = {name: _empty(x) for name, x in (*model.named_parameters(), *model.named_buffers())}
        with run:
            torch.func.functional_call(model, values, args, kwargs) if values else model(*args, **kwargs)
    return run.log


def _empty(x: Any) -> Any:
    """A tensor of the same form on this processor, without numbers."""
    return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="cpu") if isinstance(x, torch.Tensor) else x
