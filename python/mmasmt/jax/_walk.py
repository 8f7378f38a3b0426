"""Evaluates the equations of a function of JAX, with its products replaced, in functions inside of it as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core

from .._emulation.errors import Refused
from .._emulation.plans import Shape
from ._convolution import conv_general_dilated
from ._dot import dot_general
from ._made import Place
from ._primitives import DEVICES, EMULATED, HARMLESS, WALKED, refusal
from ._run import LeftNative, Run

Values = list[Any]
_HANDLERS = {"dot_general": dot_general, "conv_general_dilated": conv_general_dilated}
# `transpose(jvp(layer))` is the gradient of what is in the scope `layer`.
_TRANSFORMED = re.compile(r"\w+\(|\)")


class Walk:
    """One evaluation, while JAX traces it."""

    def __init__(self, run: Run) -> None:
        self._run = run
        # Jaxprs are kept, so that an id stays that of the same one.
        self._known: dict[int, tuple[Any, bool]] = {}

    def closed(self, closed: Any, args: Sequence[Any], stack: str = "") -> Values:
        """The results of a jaxpr with its constants."""
        return self.open(closed.jaxpr, closed.consts, args, stack)

    def open(self, jaxpr: Any, consts: Sequence[Any], args: Sequence[Any], stack: str = "") -> Values:
        """The results of a jaxpr; `stack` is the path of what calls it."""
        values: dict[Any, Any] = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*consts, *args)))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, core.Literal) else values[atom]

        for equation in jaxpr.eqns:
            own = str(equation.source_info.name_stack)
            with equation.ctx.manager:
                found = self._equation(equation, [read(atom) for atom in equation.invars], "/".join(filter(None, (stack, own))))
            values.update(zip(equation.outvars, found))
        return [read(atom) for atom in jaxpr.outvars]

    def _equation(self, equation: Any, args: Values, stack: str) -> Values:
        name = equation.primitive.name
        if name in EMULATED:
            return [self._product(equation, args, stack)]
        if name not in HARMLESS | WALKED:
            return self._refused(equation, args, stack, refusal(name))
        inside = _jaxprs(equation)
        touches = any(map(self._touches, inside))
        if name in HARMLESS and touches:
            return self._refused(equation, args, stack, "a function inside of it multiplies matrices; call that function by itself")
        # Functions without products are left as they are; where none is found, JAX may keep it in a way that is not known here.
        if name in WALKED and (touches or not inside or name in _INLINE):
            return _REBUILT[name](self, equation, args, stack)
        return _native(equation, args)

    def _product(self, equation: Any, args: Values, stack: str) -> Any:
        name, run = equation.primitive.name, self._run
        out = jnp.dtype(equation.outvars[0].aval.dtype)
        if all(_is_exact(x) for x in args) and _is_exact(equation.outvars[0].aval):
            run.log.exact[name] += 1
            return _native(equation, args)[0]
        if equation.params.get("out_sharding") is not None:
            return self._refused(equation, args, stack, DEVICES)[0]
        try:
            return _HANDLERS[name](run, equation.params, out, _place(stack), *map(jnp.asarray, args))
        except LeftNative:
            run.log.native[name] += 1
            return _native(equation, args)[0]

    def _refused(self, equation: Any, args: Values, stack: str, text: str) -> Values:
        name, run, place = equation.primitive.name, self._run, _place(stack)
        if run.only is not None and not run.only(name, Shape(name, 1, 0, 0, 0, "", ""), place.path):
            run.log.native[name] += 1
            return _native(equation, args)
        shapes = ", ".join(str(x.aval.str_short()) for x in equation.invars)
        raise Refused(f"{name} of {shapes or 'nothing'}{place} is not emulated for {run.machine}: {text}")

    def _touches(self, jaxpr: Any) -> bool:
        """Whether a function has anything that is not left to this processor."""
        key = id(jaxpr)
        if key not in self._known:
            found = any(
                equation.primitive.name not in HARMLESS | WALKED or any(map(self._touches, _jaxprs(equation)))
                for equation in jaxpr.eqns
            )
            self._known[key] = (jaxpr, found)
        return self._known[key][1]

    # Functions inside.

    def _jit(self, equation: Any, args: Values, stack: str) -> Values:
        closed = equation.params["jaxpr"]
        for sharding in (*equation.params["in_shardings"], *equation.params["out_shardings"]):
            if getattr(sharding, "num_devices", 1) > 1:
                return self._refused(equation, args, stack, DEVICES)
        found: Values = jax.jit(lambda *x: self.closed(closed, x, stack))(*args)
        return found

    def _checkpoint(self, equation: Any, args: Values, stack: str) -> Values:
        jaxpr, params = equation.params["jaxpr"], equation.params
        function = jax.checkpoint(
            lambda *x: self.open(jaxpr, (), x, stack), prevent_cse=params["prevent_cse"], policy=params["policy"]
        )
        found: Values = function(*args)
        return found

    def _scan(self, equation: Any, args: Values, stack: str) -> Values:
        params = equation.params
        fixed, carried = params["num_consts"], params["num_carry"]
        consts, begin, rows = args[:fixed], args[fixed : fixed + carried], args[fixed + carried :]

        def body(carry: Values, row: Values) -> tuple[Values, Values]:
            found = self.closed(params["jaxpr"], [*consts, *carry, *row], stack)
            return found[:carried], found[carried:]

        end, found = jax.lax.scan(
            body, list(begin), list(rows), length=params["length"], reverse=params["reverse"], unroll=params["unroll"]
        )
        return [*end, *found]

    def _while(self, equation: Any, args: Values, stack: str) -> Values:
        params = equation.params
        first, second = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
        of_condition, of_body, begin = args[:first], args[first:second], args[second:]

        def goes_on(carry: Values) -> Any:
            return self.closed(params["cond_jaxpr"], [*of_condition, *carry], stack)[0]

        def body(carry: Values) -> Values:
            return self.closed(params["body_jaxpr"], [*of_body, *carry], stack)

        found: Values = jax.lax.while_loop(goes_on, body, list(begin))
        return found

    def _cond(self, equation: Any, args: Values, stack: str) -> Values:
        branches = [lambda *x, branch=branch: self.closed(branch, x, stack) for branch in equation.params["branches"]]
        found: Values = jax.lax.switch(args[0], branches, *args[1:])
        return found

    def _linear_solve(self, equation: Any, args: Values, stack: str) -> Values:
        """What a solver computes is its function `solve`; the others are for gradients, which JAX has made already."""
        lengths, jaxprs = equation.params["const_lengths"], equation.params["jaxprs"]
        first = lengths.matvec + lengths.vecmat
        consts = args[first : first + lengths.solve]
        b = args[first + lengths.solve + lengths.transpose_solve :]
        return self.closed(jaxprs.solve, [*consts, *b], stack)


def _inline(key: str) -> Callable[[Walk, Any, Values, str], Values]:
    """A function whose equations stand for it, as nothing takes its gradient any more."""

    def walked(walk: Walk, equation: Any, args: Values, stack: str) -> Values:
        inner = equation.params[key]
        return walk.closed(inner, args, stack) if hasattr(inner, "consts") else walk.open(inner, (), args, stack)

    return walked


_INLINE = {
    "call": _inline("call_jaxpr"),
    "closed_call": _inline("call_jaxpr"),
    "composite": _inline("jaxpr"),
    "custom_jvp_call": _inline("call_jaxpr"),
    "custom_partitioning": _inline("call"),
    "custom_vjp_call": _inline("call_jaxpr"),
    "custom_vmap_call": _inline("call"),
    "eval_jaxpr": _inline("jaxpr"),
    "linear_call": _inline("callee"),
}
_REBUILT: dict[str, Callable[[Walk, Any, Values, str], Values]] = {
    **_INLINE,
    "checkpoint": Walk._checkpoint,
    "cond": Walk._cond,
    "custom_linear_solve": Walk._linear_solve,
    "jit": Walk._jit,
    "pjit": Walk._jit,
    "remat2": Walk._checkpoint,
    "scan": Walk._scan,
    "while": Walk._while,
}


def _jaxprs(equation: Any) -> list[Any]:
    """The functions inside of an equation."""
    kinds = core.Jaxpr | core.ClosedJaxpr
    leaves = jax.tree.leaves(equation.params, is_leaf=lambda x: isinstance(x, kinds))
    return [x for x in leaves if isinstance(x, kinds)]


def _native(equation: Any, args: Values) -> Values:
    """What this processor has for an equation."""
    found = equation.primitive.bind(*args, **equation.params)
    return list(found) if equation.primitive.multiple_results else [found]


def _is_exact(x: Any) -> bool:
    """Whether these are integers, whose products are the same on every machine."""
    return bool(jnp.issubdtype(jnp.result_type(x), jnp.integer) or jnp.issubdtype(jnp.result_type(x), jnp.bool_))


def _place(stack: str) -> Place:
    return Place("/".join(filter(None, _TRANSFORMED.sub("", stack).split("/"))), "transpose(" in stack)
