"""Objects of Flax NNX among arguments: what a function writes into them comes back to them, as `nnx.jit` does it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import jax


def has_objects(tree: Any) -> bool:
    """Whether there are objects of NNX; Flax is not imported for that."""
    nnx = sys.modules.get("flax.nnx")
    if nnx is None:
        return False
    kinds = (nnx.Module, nnx.Variable, *filter(None, (getattr(nnx, name, None) for name in ("Object", "Pytree"))))
    return any(isinstance(x, kinds) for x in jax.tree.leaves(tree, is_leaf=lambda x: isinstance(x, kinds)))


def updated(call: Callable[..., Any], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the function gives, called by way of `call`, a transformation of functions of arrays.

    Raises
    ------
    ValueError
        If the function changes what an object consists of.
    """
    nnx = sys.modules["flax.nnx"]
    graph, state, rest = nnx.split((args, kwargs), nnx.Variable, ...)
    after: list[Any] = []

    def of_state(state: Any, rest: Any) -> Any:
        given, named = nnx.merge(graph, state, rest)
        found = function(*given, **named)
        own, changed, _ = nnx.split((given, named), nnx.Variable, ...)
        after[:] = [own]
        return found, changed

    found, changed = call(of_state, state, rest)
    if after[0] != graph:
        raise ValueError(
            "function: expected one that keeps what its objects of NNX consist of, found one that adds or removes variables: "
            "call it once without emulate first, or return what is new"
        )
    nnx.update((args, kwargs), changed)
    return found
