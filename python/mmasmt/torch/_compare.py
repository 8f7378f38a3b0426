"""Where two machines part in a model: the results of each layer on both, with all that the layers before it made of the inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.modules.module import register_module_forward_hook
from torch.utils._pytree import tree_flatten

from ._mode import emulate
from ._record import arguments_of
from ._rounding import bits, ranks


@dataclass(frozen=True)
class Layer:
    """One call of a module on both machines: `different` of `compared` results have other bits, by `ulps` at most, `median` usually.

    Both are in units in the last place of the format, None where it has none.
    """

    module: str
    compared: int
    different: int
    ulps: int | None
    median: float | None

    def text(self) -> str:
        """In one line."""
        share = 100 * self.different / max(self.compared, 1)
        apart = f", {self.ulps} ulp at most, median {self.median:.3g}" if self.ulps else ""
        return f"{self.module}: {self.different} of {self.compared} results have other bits ({share:.3g} %){apart}"


@dataclass(frozen=True)
class Comparison:
    """A model on two machines. `assumed` of `products` products, of both together, have a plan that nobody recorded."""

    machines: tuple[str, str]
    layers: tuple[Layer, ...]
    assumed: int
    products: int

    @property
    def first(self) -> Layer | None:
        """The first layer whose results have other bits; None where none has."""
        return next((layer for layer in self.layers if layer.different), None)

    def report(self) -> str:
        """The first layer that differs, then a line for each, in the order in which they end."""
        one, other = self.machines
        where = f"part in {self.first.module}" if self.first is not None else "give the same bits in every layer"
        lines = [f"{one} and {other} {where}", *(layer.text() for layer in self.layers)]
        if self.assumed:
            lines.append(f"ASSUMED: the plans of {self.assumed} of {self.products} products of both machines")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.report()


def compare(model: Callable[..., Any], inputs: Any, *, machines: tuple[str, str], **options: Any) -> Comparison:
    """Runs a model on two machines, and compares the results of each of its modules.

    A difference goes on from layer to layer, as it would on both machines; ``emulate(compare=)`` compares products of the same operands.

    Parameters
    ----------
    model : callable
        Called with the inputs, without gradients, on each machine.
    inputs : Tensor, or tuple or dict of them
        Its arguments.
    machines : pair of str
        As for `emulate`; ``"native"`` is this processor without an emulation.
    **options
        Other arguments of `emulate`, for both.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> layer = torch.nn.Linear(64, 8).half()
    >>> x = torch.randn(4, 64, generator=torch.Generator().manual_seed(0)).half()
    >>> mt.compare(layer, x, machines=("H100", "RTX 5090"), unknown="ignore").first is None
    True
    """
    if len(machines) != 2:
        raise ValueError(f"machines: expected two, found {len(machines)}")
    runs = [_results(model, inputs, machine, options) for machine in machines]
    (one, first), (other, second) = runs
    if [name for name, _ in one] != [name for name, _ in other]:
        raise ValueError("model: expected one that calls the same modules on both machines, found one whose numbers decide which")
    layers = tuple(_layer(name, x, y) for (name, x), (_, y) in zip(one, other))
    counts = [sum(call.count for call in calls) for calls in (first, second)]
    assumed = sum(call.count for calls in (first, second) for call in calls if not call.is_known)
    return Comparison((machines[0], machines[1]), layers, assumed, sum(counts))


def _results(model: Any, inputs: Any, machine: str, options: dict[str, Any]) -> tuple[list[tuple[str, list[Tensor]]], Any]:
    """What each module gave, in the order in which they end, and the records of the run."""
    found: list[tuple[str, list[Tensor]]] = []
    args, kwargs = arguments_of(inputs)
    names = {id(part): name or type(model).__name__ for name, part in getattr(model, "named_modules", lambda: [])()}

    def kept(module: Any, _inputs: Any, result: Any) -> None:
        tensors = [x.detach().clone() for x in tree_flatten(result)[0] if isinstance(x, Tensor) and x.is_floating_point()]
        found.append((names.get(id(module), type(module).__name__), tensors))

    handle = register_module_forward_hook(kept)
    try:
        with torch.no_grad():
            if machine == "native":
                result, calls = model(*args, **kwargs), []
            else:
                with emulate(machine, **options) as run:
                    result, calls = model(*args, **kwargs), run.calls
    finally:
        handle.remove()
    if not names:
        kept(model, (), result)
    return found, calls


def _layer(name: str, one: list[Tensor], other: list[Tensor]) -> Layer:
    compared = different = 0
    apart: list[Tensor] = []
    for x, y in zip(one, other):
        if x.shape != y.shape or x.dtype != y.dtype:
            raise ValueError(f"{name}: expected results of one form on both machines, found {tuple(x.shape)} and {tuple(y.shape)}")
        wrong = (bits(x) != bits(y)) & ~(x.isnan() & y.isnan())
        compared, different = compared + x.numel(), different + int(wrong.sum())
        is_number = wrong & x.isfinite() & y.isfinite()
        apart.append((ranks(x[is_number]) - ranks(y[is_number])).abs())
    ulps = torch.cat(apart) if apart else torch.zeros(0, dtype=torch.int64)
    if not ulps.numel():
        return Layer(name, compared, different, None, None)
    return Layer(name, compared, different, int(ulps.max()), float(ulps.double().median()))
