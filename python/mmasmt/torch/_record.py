"""Recording an inference: every operator with a product of matrices, with its operands and its result, on whatever machine it runs."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack
from torch.utils._pytree import tree_flatten, tree_map

import mmasmt

from . import _device, _flags
from ._apart import composite, split
from ._attended import OPERATORS
from ._log import Entry, Recording, digest_of_all
from ._mode import emulate
from ._operators import Kind, operator_of
from ._refused import is_exact
from ._where import Modules, is_backward

Keep = Literal["operands", "results", "hashes"]
_PLAIN = (torch.Tensor, torch.nn.Parameter)


class _Recorder(TorchDispatchMode):
    """A mode that computes nothing itself, and keeps what operators with products were given and gave."""

    supports_higher_order_operators = True

    def __init__(self, recording: Recording, keep: Keep, only: Callable[[str, str], bool] | None) -> None:
        super().__init__()
        self.recording, self.keep, self.only = recording, keep, only
        self.modules = Modules()
        self.unseen: Counter[str] = Counter()

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if not hasattr(func, "_schema"):
            self.unseen[func.name()] += 1
            return func(*args, **kwargs)
        if not all(kind in _PLAIN for kind in types):
            return NotImplemented
        operator = operator_of(func)
        if operator.kind is Kind.HARMLESS:
            # Of our own operators nothing says what is inside.
            if func.namespace == "mmasmt":
                self.unseen[func._schema.name] += 1
            return func(*args, **kwargs)
        tensors = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, Tensor)]
        if operator.base in OPERATORS:
            return self._recorded(func, operator.base, args, kwargs)
        if operator.kind is Kind.EMULATED and not is_exact(tensors):
            return self._recorded(func, operator.base, args, kwargs)
        if operator.kind is Kind.COMPOSITE:
            return composite(self, func, args, kwargs)
        if operator.kind is Kind.SPLIT and all(x.device.type == "cpu" for x in tensors):
            return split(self, func, args, kwargs)
        if operator.kind is Kind.CUSTOM or (operator.says_product and not is_exact(tensors)):
            self.unseen[operator.name] += 1
        return func(*args, **kwargs)

    def _recorded(self, func: Any, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        path = self.modules.path
        if self.only is not None and not self.only(op, path):
            self.unseen[op] += 1
            return func(*args, **kwargs)
        at, log = len(self.recording.entries), self.recording
        given = {name: value for name, value in kwargs.items() if name != "out"}
        # Before the operator runs: it may write into one of them.
        kept_args, kept_kwargs = self._kept((args, given), f"{at}.{op}", self.keep == "operands")
        found = func(*args, **kwargs)
        results, _ = tree_flatten(found)
        if op in OPERATORS:
            # What else there is differs from kernel to kernel: sums, seeds, sizes.
            results = results[:1]
        kept = [None if x is None else log.put(x, f"{at}.{op}.result{i or ''}", self.keep != "hashes") for i, x in enumerate(results)]
        log.entries.append(Entry(op, list(kept_args), kept_kwargs, kept, path, is_backward(), _plan()))
        return found

    def _kept(self, arguments: Any, prefix: str, keep: bool) -> Any:
        count = iter(range(1 << 30))
        return tree_map(
            lambda x: self.recording.put(x, f"{prefix}.{next(count)}", keep) if isinstance(x, Tensor) else x, arguments
        )


def _plan() -> str:
    """How an emulation that runs around the recorder made the last operator; nothing is known of a machine."""
    run = next((mode for mode in reversed(_get_current_dispatch_mode_stack()) if isinstance(mode, emulate)), None)
    return "" if run is None else "; ".join(f"{call.plan.unit}, {call.plan.order_text()}" for call in run._made)


def record(
    model: Any,
    inputs: Any,
    path: str | Path | None = None,
    *,
    machine: str = "",
    library: str = "",
    keep: Keep = "operands",
    only: Callable[[str, str], bool] | None = None,
    note: str = "",
    of: Any = None,
) -> Recording:
    """Runs a model once, and writes a log of its products.

    The model runs where it is: on a GPU, on this processor, or inside of `emulate`, which then plays the machine. Layers of attention do
    without PyTorch's fast path, and this processor without oneDNN, since these make whole layers at once.

    Parameters
    ----------
    model : callable
        Called with the inputs; gradients are not computed.
    inputs : Tensor, or tuple or dict of them
        Arguments.
    path : str or path, optional
        Where to write the log, in safetensors; the log is returned in any case.
    machine, library : str
        The machine that the log is to be of, such as ``"H100"``, and what made its products, such as ``"cuBLAS 13.1"``: a claim that is
        written down, and that `audit` checks.
    keep : str
        ``"operands"``: all arguments and results, so that each product can be checked by itself; ``"results"``: results, and SHA-256 of
        arguments; ``"hashes"``: SHA-256 alone. The last two can be checked by whoever has the model and the inputs.
    only : callable, optional
        Given an operator and the path of its module: whether to record it. The log counts what is left out.
    note : str
        Anything else, written down as it is.
    of : callable, optional
        The module whose weights are hashed, where the model is a function that calls it.

    Raises
    ------
    ImportError
        If the package safetensors is not installed and a path is given.
    TypeError
        If an operator has an argument that a log has no place for.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> layer = torch.nn.Linear(16, 4).half()
    >>> with mt.emulate("H100", unknown="ignore"):
    ...     log = mt.record(layer, torch.ones(2, 16).half(), machine="H100")
    >>> log.entries[0].op, log.entries[0].module
    ('addmm', 'Linear')
    """
    if keep not in ("operands", "results", "hashes"):
        raise ValueError(f"keep: expected one of operands, results, hashes, found {keep!r}")
    args, kwargs = arguments_of(inputs)
    header = {
        "machine": machine, "library": library, "note": note, "keep": keep, "versions": _versions(),
        "weights": weights_of(model if of is None else of), "inputs": inputs_of(inputs),
        "tf32": _flags.is_tf32(None, False), "convolution_tf32": _flags.is_tf32(None, True),
    }  # fmt: skip
    recording = Recording(header)
    recorder, flags = _Recorder(recording, keep, only), _flags.Flags("flash2")
    flags.set()
    recorder.modules.start()
    try:
        with torch.no_grad(), recorder:
            outputs = model(*args, **kwargs)
    finally:
        recorder.modules.stop()
        flags.restore()
    header["outputs"] = digest_of_all(tensors_of(outputs))
    header["unseen"] = dict(recorder.unseen)
    if path is not None:
        recording.write(path)
    return recording


def arguments_of(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and named arguments of a model."""
    if isinstance(inputs, dict):
        return (), inputs
    return inputs if isinstance(inputs, tuple) else (inputs,), {}


def weights_of(model: Any) -> str:
    """SHA-256 of the parameters and buffers of a module; empty for another function."""
    return digest_of_all(model.state_dict()) if isinstance(model, torch.nn.Module) else ""


def inputs_of(inputs: Any) -> str:
    """SHA-256 of the tensors among the inputs."""
    return digest_of_all(tensors_of(inputs))


def tensors_of(tree: Any) -> dict[str, Tensor]:
    return {f"{i:06}": x for i, x in enumerate(tree_flatten(tree)[0]) if isinstance(x, Tensor)}


def _versions() -> dict[str, str]:
    found = {"mmasmt": mmasmt.__version__, "torch": torch.__version__, "python": platform.python_version()}
    # An emulation may answer as a device: the log names one only if it is there.
    if _device.really("is_available")():
        found |= {"cuda": str(torch.version.cuda), "gpu": _device.really("get_device_name")()}
    return found
