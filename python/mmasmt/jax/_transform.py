"""The transformation: a function of JAX becomes one whose products of matrices are those of another machine.

The function is traced to equations, which are evaluated with their products replaced. So that gradients and batches are those that
JAX makes of the function itself, both are made first and evaluated in this way then: the gradient of the new function is the new
function of the gradient.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_batching import custom_vmap
from jax.extend import core

from .._emulation.calls import Call, Log
from .._emulation.tables import Plans
from .._emulation.unknown import OnUnknown
from . import _nnx
from ._run import Only, Run
from ._walk import Walk


_ARRAYS = (jax.Array, np.ndarray, np.generic)


class Emulated:
    """A function with the products of another machine, which `emulate` gives; it keeps the log of all its calls."""

    def __init__(self, function: Callable[..., Any], run: Run) -> None:
        functools.update_wrapper(self, function, updated=())
        self._function, self._run = function, run

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            if _nnx.has_objects((args, kwargs)):
                found = _nnx.updated(functools.partial(_traced, self._run), self._function, args, kwargs)
            else:
                found = _traced(self._run, lambda args, kwargs: self._function(*args, **kwargs), args, kwargs)
        except TypeError as error:
            if "forward-mode" not in str(error):
                raise
            raise TypeError(
                "emulate: expected reverse mode outside of an emulated function, found forward-mode differentiation (jvp, jacfwd): put it "
                "inside, emulate(lambda x, t: jax.jvp(f, (x,), (t,)), machine)"
            ) from error
        if not any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(found)):
            # The log is complete when the function returns.
            jax.block_until_ready(found)
        return found

    @property
    def log(self) -> Log:
        """All that was done so far."""
        return self._run.log

    @property
    def calls(self) -> list[Call]:
        """A record for each kind of product."""
        return self._run.log.calls

    @property
    def unknown(self) -> list[Call]:
        """Those whose plan is assumed."""
        return self._run.log.unknown

    @property
    def native(self) -> dict[str, int]:
        """Equations with products that `only` left to this processor, counted when they are traced."""
        return dict(self._run.log.native)

    def report(self, modules: bool = False) -> str:
        """A line for each kind of product, then what is assumed; `modules` gives those of each `jax.named_scope` lines of their own."""
        return self._run.log.report(modules)


def emulate(
    function: Callable[..., Any],
    machine: str,
    *,
    library: str | None = None,
    plans: Plans = (),
    unknown: OnUnknown = "warn",
    tf32: bool | None = None,
    threads: int = 0,
    only: Only | None = None,
    compare: str | None = None,
) -> Emulated:
    """The function with the matrix products of another machine.

    Parameters
    ----------
    function : callable
        Arguments and results are trees of arrays and of anything else, such as numbers of Python, flags and functions, which it gets as
        they are. What it writes into objects of Flax NNX among its arguments comes back to them. It is traced at each call.
    machine : str
        A product or an architecture: ``"H100"``, ``"RTX 4090"``, ``"MI300X"``, ``"hopper"``.
    library : str, optional
        A name for reports: the library whose plans are meant. It chooses none.
    plans : Plans, str, Rule, callable, or a sequence of them
        Plans that go before all others: tables (`mmasmt.Plans`, or the name of one), `Rule`, functions of a `Shape` that return a `Plan`
        or None. Where a table has no more than an assumption, the next one is asked.
    unknown : str
        What becomes of a product whose plan is assumed: ``"warn"`` for the first one, ``"error"``, or ``"ignore"``; the report has
        them all in any case.
    tf32 : bool, optional
        Whether products of f32 are made in TF32; None does what XLA does on a GPU: TF32 where the machine is one of NVIDIA that has
        it, unless `precision` or `jax_default_matmul_precision` ask for ``"highest"``.
    threads : int
        How many to use; 0 for as many as there are processors. Bits do not depend on it.
    only : callable, optional
        Given the operator, a `Shape` and the path of `jax.named_scope`: whether to emulate; what it leaves is counted in `native`.
    compare : str, optional
        Another machine, which makes each product as well, of the same operands: results whose bits differ are counted.

    Returns
    -------
    Emulated
        To be called as the function, also inside of `jax.jit`, `jax.vmap` and `jax.grad`; `report()` says what was done.

    Raises
    ------
    ValueError
        If an argument has no meaning here.
    Refused
        When the function is called, by an operation with products that are not emulated. Nothing is computed then.

    Examples
    --------
    >>> import jax.numpy as jnp, mmasmt.jax as mj
    >>> a = jnp.full((1, 2), 2.0**-12, jnp.float16)
    >>> product = mj.emulate(lambda a: a @ a.T, "V100", unknown="ignore")
    >>> float(product(a)[0, 0]) == 2.0**-23, product.calls[0].plan.unit
    (True, 'volta/mma.m8n8k4.f32.f16.f16.f32')
    """
    if not callable(function):
        raise TypeError(f"function: expected a function, found {type(function).__name__}; emulate(f, {machine!r})(x)")
    return Emulated(function, Run(machine, library, plans, unknown, tf32, threads, only, compare))


def _traced(run: Run, function: Callable[..., Any], *args: Any) -> Any:
    """Traces a function of trees, and evaluates it with its products replaced; leaves that are no arrays are part of the function."""
    flat, structure = jax.tree.flatten(args)
    arrays = [x for x in flat if isinstance(x, _ARRAYS)]
    results: list[Any] = []

    def of_arrays(*arrays: Any) -> list[Any]:
        rest = iter(arrays)
        found, tree = jax.tree.flatten(
            function(*jax.tree.unflatten(structure, [next(rest) if isinstance(x, _ARRAYS) else x for x in flat]))
        )
        results[:] = [tree, [None if isinstance(x, _ARRAYS) else x for x in found]]
        return [x for x in found if isinstance(x, _ARRAYS)]

    closed = jax.make_jaxpr(of_arrays)(*arrays)
    made = iter(_differentiable(run, closed.jaxpr, len(closed.consts))(*closed.consts, *arrays))
    tree, leaves = results
    return jax.tree.unflatten(tree, [next(made) if x is None else x for x in leaves])


def _differentiable(run: Run, jaxpr: Any, consts: int) -> Callable[..., list[Any]]:
    """The evaluation of a jaxpr, of its constants and arguments, with rules for gradients and batches."""

    def native(*args: Any) -> list[Any]:
        return core.jaxpr_as_fun(core.ClosedJaxpr(jaxpr, args[:consts]))(*args[consts:])

    def batched(size: int, is_batched: Sequence[bool], *args: Any) -> tuple[list[Any], list[bool]]:
        axes = [0 if batched else None for batched in is_batched]
        found = _traced(run, jax.vmap(native, in_axes=axes, axis_size=size), *args)
        return found, [True] * len(found)

    values = custom_vmap(lambda *args: Walk(run).open(jaxpr, args[:consts], args[consts:]))
    values.def_vmap(batched)
    function = jax.custom_vjp(values)

    def forward(*args: Any) -> tuple[list[Any], Any]:
        given = [x.value for x in args]
        # None has no leaves: which arguments have a gradient is part of the structure.
        wanted = [() if x.perturbed and _is_real(x.value) else None for x in args]

        def pulled(*given: Any) -> tuple[list[Any], Any]:
            def own(*chosen: Any) -> tuple[list[Any], list[Any]]:
                found = native(*_merged(given, chosen, wanted))
                return [x for x in found if _is_real(x)], found

            _, pull, found = jax.vjp(own, *(x for x, mark in zip(given, wanted) if mark is not None), has_aux=True)
            return found, pull

        found, pull = _traced(run, pulled, *given)
        return found, (pull, wanted)

    def backward(kept: Any, cotangents: list[Any]) -> tuple[Any, ...]:
        pull, wanted = kept
        given = [x for x in map(_instantiated, cotangents) if x is not None]
        found = iter(_traced(run, lambda pull, given: pull(given), pull, given))
        return tuple(None if mark is None else next(found) for mark in wanted)

    function.defvjp(forward, backward, symbolic_zeros=True)
    # A batch goes first where it comes first: the gradient of a batch is one product for all samples, not one for each and a sum.
    first = custom_vmap(lambda *args: function(*args))
    first.def_vmap(batched)
    return lambda *args: (first if _is_batched(args) else function)(*args)


def _is_batched(args: Sequence[Any]) -> bool:
    """Whether the innermost transformation is `jax.vmap`; JAX exports no name for what runs it."""
    return type(core.find_top_trace(args)).__name__ == "BatchTrace"


def _is_real(x: Any) -> bool:
    """Whether an array has gradients."""
    return bool(jnp.issubdtype(x.dtype, jnp.inexact))


def _merged(given: Sequence[Any], chosen: Sequence[Any], wanted: Sequence[Any]) -> list[Any]:
    rest = iter(chosen)
    return [x if mark is None else next(rest) for x, mark in zip(given, wanted)]


def _instantiated(cotangent: Any) -> Any:
    """A cotangent as an array; None for that of integers."""
    if cotangent.dtype == jax.dtypes.float0:
        return None
    return jnp.zeros(cotangent.shape, cotangent.dtype) if isinstance(cotangent, jax.custom_derivatives.SymbolicZero) else cotangent
