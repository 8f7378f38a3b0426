"""The context: what it is asked for, how it is entered and left."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch.utils._python_dispatch import _get_current_dispatch_mode, _pop_mode, _push_mode

from .._emulation.calls import Call, Log
from .._emulation.errors import Refused
from .._emulation.plans import Rule
from .._emulation.tables import Plans, library_of, rules_of
from .._emulation.units import architecture_of
from .._emulation.unknown import Assumptions, OnUnknown
from . import _compiled, _contexts, _device, _flags, _net
from ._after import Graph
from ._dispatch import Dispatch
from ._memory import Results
from ._ranks import Ranks, RowParallel
from ._run import Only
from ._where import Modules

_NOTHING = (
    "no product of matrices was seen: what other threads, compiled packages and other libraries than PyTorch multiply does not come here"
)


class emulate(Dispatch):
    """A context in which the matrix products of PyTorch are those of another machine, forward and backward.

    Parameters
    ----------
    machine : str
        A product or an architecture: ``"H100"``, ``"RTX 4090"``, ``"MI300X"``, ``"hopper"``.
    library : str, optional
        A library with recorded plans on this machine, such as ``"cublaslt 12.8"``: what was recorded of others does not count then.
    plans : Plans, str, Rule, callable, or a sequence of them
        Plans that go before all others: tables (`mmasmt.Plans`, or the name of one), `Rule`, functions of a `Shape` that return a `Plan`
        or None. Where a table has no more than an assumption, the next one is asked.
    workspace : int, optional
        Bytes that the library may use, which decides whether it splits; None for what the table takes as given.
    unknown : str
        What becomes of a product whose plan is assumed, and of a custom operator: ``"warn"`` for the first one, ``"error"``, or
        ``"ignore"``; the report has them all in any case.
    tf32 : bool, optional
        Whether products of f32 are made in TF32; None follows ``torch.backends.cuda.matmul`` and, for convolutions, ``cudnn``.
    attention : str
        ``"flash2"``: tiles of FlashAttention 2, close and not exact; ``"math"``: products and a softmax; ``"error"``.
    threads : int
        How many to use; 0 for as many as there are processors. Bits do not depend on it.
    only : callable, optional
        Given the operator, a `Shape` and the path of the module: whether to emulate; what it leaves is counted in `native`.
    compare : str, optional
        ``"native"`` or another machine: each operator is computed there as well from the same operands, and results whose bits
        differ are counted. There is one device there, whatever `tp` says.
    tp : int
        How many devices share the k of row-parallel layers; 1 for none of this. Column-parallel layers are computed as on one device.
    reduce : str, optional
        How an all-reduce adds the results of the devices, each in the format of the result: ``"f32"``: in f32 in the order of ranks,
        rounded once, as kernels do that read all devices; ``"tree"``: neighbours in pairs, then their sums in pairs, each rounded;
        ``"ring"``: in turn, each sum rounded, chunk q of the result from rank q + 1 on to rank q, as NCCL's ring of one channel does.
    row_parallel : sequence of str, or callable
        Which layers are row-parallel: names, such as ``"down_proj"``, with which paths of modules end, or a function of a path.
    row_bias : str, optional
        Who adds the bias of a row-parallel layer: the ``"first"`` device before its rounding, or all of them ``"after"`` the
        all-reduce, with one more rounding. A layer with a bias is refused if nothing is said.
    reduce_chunk : int
        The most elements of a chunk of the ring; 0 for a result that is one chunk for each device.
    as_device : bool
        Whether ``torch.cuda.is_available()``, ``get_device_capability()``, ``get_device_name()`` and the like are answered in this thread
        as on the machine, for code that asks before it takes a way. Tensors stay where they are, and a call that names a device that is
        there gets that one's answer.

    Raises
    ------
    ValueError
        If an argument has no meaning here.
    Refused
        Inside of the context: by an operator with products that are not emulated. It has no result then.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> a = torch.full((1, 2), 2.0**-12, dtype=torch.float16)
    >>> c = torch.ones(1, 1, dtype=torch.float16)
    >>> with mt.emulate("V100", unknown="ignore") as run:
    ...     found = torch.mm(a, a.T)
    >>> found.item() == 2.0**-23, run.calls[0].plan.unit
    (True, 'volta/mma.m8n8k4.f32.f16.f16.f32')
    """

    # Whether kernels stand in for products that go past the mode.
    _watches = True

    def __init__(
        self,
        machine: str,
        *,
        library: str | None = None,
        plans: Plans = (),
        workspace: int | None = None,
        unknown: OnUnknown = "warn",
        tf32: bool | None = None,
        attention: Literal["flash2", "math", "error"] = "flash2",
        threads: int = 0,
        only: Only | None = None,
        compare: str | None = None,
        tp: int = 1,
        reduce: Literal["ring", "tree", "f32"] | None = None,
        row_parallel: RowParallel = (),
        row_bias: Literal["first", "after"] | None = None,
        reduce_chunk: int = 0,
        as_device: bool = False,
    ) -> None:
        super().__init__()
        if attention not in ("flash2", "math", "error"):
            raise ValueError(f"attention: expected one of flash2, math, error, found {attention!r}")
        architecture_of(machine)
        self.ranks = Ranks.of(tp, reduce, row_parallel, row_bias, reduce_chunk)
        chosen = None if library is None else library_of(machine, library)
        self.recorded = None if chosen is None else chosen.rules(machine, workspace)
        self.machine, self.plans, self.on_unknown, self.tf32 = machine, rules_of(machine, plans, workspace), unknown, tf32
        self.attention, self.threads, self.only, self.as_device = attention, threads, only, as_device
        if as_device:
            _device.capability_of(machine)
        self.log = Log(machine if chosen is None else f"{machine}, plans of {chosen}", nothing=_NOTHING)
        self.other = (
            None
            if compare in (None, "native")
            else emulate(str(compare), unknown="ignore", tf32=tf32, attention=attention, threads=threads)
        )
        self.compare = compare
        self.log.other = None if self.other is None else self.other.log
        self.modules = Modules(self._entered, self._elsewhere)
        self._assumptions = Assumptions(machine, unknown)
        self._made: list[Call] = []
        self._into: torch.Tensor | None = None
        self._flags = _flags.Flags(attention)
        self._depth = 0
        self._results = Results()
        self._plans = {}
        self._keeps_plans = self.ranks is None and all(isinstance(rule, Rule) for rule in (*self.plans, *(self.recorded or ())))
        self._graph = Graph(self)
        self._last_refusal = ""

    def __enter__(self) -> emulate:
        self._depth += 1
        if self._depth == 1:
            self._flags.set()
            self.modules.start()
            _contexts.opened(self)
            if self.as_device:
                _device.answer()
            if self._watches:
                _compiled.guard()
                _net.spread()
        super().__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        is_innermost = _get_current_dispatch_mode() is self
        if is_innermost:
            super().__exit__(kind, error, trace)
        else:
            _taken_out(self)
        self._depth -= 1
        if self._depth == 0:
            self._graph.attach()
            if self._watches:
                _net.gather()
            if self.as_device:
                _device.stop()
            _contexts.closed(self)
            self.modules.stop()
            self._flags.restore()
        if not is_innermost and error is None:
            raise RuntimeError(
                f"emulate: expected the context of {self.machine} to end before those that were entered after it, found another one still "
                "open; products in between were made by that one: let each coroutine or generator run alone"
            )
        if error is not None and self._last_refusal and "TorchScript interpreter" in str(error):
            # The interpreter drops the text.
            raise Refused(self._last_refusal) from error

    def _entered(self, module: Any, _name: str) -> None:
        if text := _compiled.graph_refusal(module):
            self.refuse(type(module).__name__, text)

    def _elsewhere(self, name: str) -> None:
        self.noticed(f"module {name} in another thread", "the context is of one thread: emulate inside of that one")


def _taken_out(run: emulate) -> None:
    """Takes a mode out of the stack that others lie on."""
    above = []
    while (mode := _pop_mode()) is not run:
        above.append(mode)
    for mode in reversed(above):
        _push_mode(mode)
