"""Code that is compiled before: packages, artifacts and graphs whose products never come to PyTorch's dispatcher."""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import torch

from . import _contexts

# Where PyTorch calls compiled code from Python: modules that are there at once, and one that is dear to import.
_PACKAGES = ("torch.export.pt2_archive._package", "torch._inductor.package.package", "torch._inductor.standalone_compile")
_COMPILER = "torch._inductor.output_code"
_CALLED = re.compile(r"AOTICompiledModel|\w*CompiledArtifact|CompiledFxGraph|CompiledAOTI")
# What the interpreter of TorchScript computes by itself.
_INTERPRETED = re.compile(r"prim::\w*(?:conv|linear|matmul|gemm|mm\b)", re.IGNORECASE)
_ELSEWHERE = "run the model that it was made of"

# Modules that were looked through.
_seen: set[str] = set()
_graphs: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def guard() -> None:
    """From here on compiled code is refused inside of a context."""
    if not _seen:
        for name in _PACKAGES:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    for name in (*_PACKAGES, _COMPILER):
        if name in _seen or name not in sys.modules:
            continue
        _seen.add(name)
        for kind in vars(sys.modules[name]).copy().values():
            own = vars(kind).get("__call__") if isinstance(kind, type) and _CALLED.fullmatch(kind.__name__) else None
            if own is not None and not hasattr(own, "__wrapped__"):
                setattr(kind, "__call__", _guarded(own, kind.__name__))


def _guarded(own: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(own)
    def call(*args: Any, **kwargs: Any) -> Any:
        if runs := _contexts.here():
            runs[-1].refuse(name, f"code that was compiled, whose products nothing sees; {_ELSEWHERE}")
        return own(*args, **kwargs)

    return call


def graph_refusal(module: Any) -> str:
    """Why a module of TorchScript is refused: its graph has products that the interpreter makes; empty for others."""
    if not isinstance(module, torch.jit.ScriptModule):
        return ""
    found = _graphs.get(module)
    if found is None:
        found = _graphs[module] = _text_of(module)
    return found


def _text_of(module: Any) -> str:
    try:
        graph = module.inlined_graph
    except (AttributeError, RuntimeError):
        # A module without a method `forward`.
        return ""
    kinds = sorted({node.kind() for node in _nodes(graph) if _INTERPRETED.match(node.kind())})
    return f"{', '.join(kinds)} in its graph, which the interpreter of TorchScript computes; {_ELSEWHERE}" if kinds else ""


def _nodes(block: Any) -> Any:
    for node in block.nodes():
        yield node
        for inner in node.blocks():
            yield from _nodes(inner)
        if node.hasAttribute("Subgraph"):
            yield from _nodes(node.g("Subgraph"))
