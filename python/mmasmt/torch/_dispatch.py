"""What becomes of each operator that comes to the mode: made by a handler, taken apart, left to this processor, or refused."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch._library.custom_ops import OPDEFS
from torch._ops import HigherOrderOperator
from torch._subclasses import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.utils._pytree import tree_flatten

from .._emulation.errors import Refused, Unknown
from .._emulation.plans import Shape
from .._emulation.unknown import OnUnknown
from . import _contexts, _nested
from ._after import Graph
from ._apart import as_tensors, composite, split
from ._handlers import LAID_OUT
from ._memory import Results, functional, laid_out, leaves, written
from ._operators import HARMLESS, Kind, Operator, has_weights, operator_of
from ._refused import NESTED, is_exact, refusal
from ._rounding import bits
from ._run import LeftNative, Run

_OWN_RULES = torch.Tensor.__torch_dispatch__


class Dispatch(Run):
    """A mode that sees every operator below autograd; `emulate` says how it is entered, and what it is asked for."""

    supports_higher_order_operators = True
    # Tensors of PyTorch's own passes, which compute nothing, and those that stand for tensors of this processor.
    _passed: tuple[type, ...] = (FakeTensor, FunctionalTensor)
    _own: tuple[type, ...] = ()
    on_unknown: OnUnknown
    compare: str | None
    other: Dispatch | None
    _results: Results
    _graph: Graph

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        # By its address: an operator's own hash takes longer than the rest of this.
        if id(func) in HARMLESS and not types:
            try:
                return func(*args, **kwargs) if kwargs else func(*args)
            except RuntimeError:
                if (tensors := as_tensors(func, args)) is None:
                    raise
                return func(*tensors, **(kwargs or {}))
        if isinstance(func, HigherOrderOperator):
            return self._higher(func, args, kwargs or {})
        for kind in types:
            if issubclass(kind, self._passed):
                return func(*args, **(kwargs or {}))
            if not issubclass(kind, self._own) and getattr(kind, "__torch_dispatch__", _OWN_RULES) is not _OWN_RULES:
                # A tensor that is more than its values: its own rules come first, and what they call comes back here.
                return NotImplemented
        operator = operator_of(func)
        if operator.kind is Kind.HARMLESS:
            return func(*args, **(kwargs or {}))
        try:
            return self._treated(func, operator, args, kwargs or {})
        except Refused as error:
            self._count(error)
            raise

    def _treated(self, func: Any, operator: Operator, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What an operator gives that may have products inside."""
        tensors = [x for x in leaves(args, kwargs)[0] if isinstance(x, torch.Tensor)]
        if any(x.device.type == "meta" for x in tensors):
            return func(*args, **kwargs)
        if _contexts.is_of_another_coroutine(self):
            raise RuntimeError(
                f"{operator.name}: expected an operator of the coroutine that entered the context of {self.machine}, found one of another "
                "coroutine with a context of its own: give each a thread of its own"
            )
        exact, kind = is_exact(tensors), operator.kind
        if operator.says_product and any(x.is_nested for x in tensors):
            if operator.name in _nested.NAMES and not kwargs and all(x.is_nested for x in args):
                return _nested.by_parts(self, *args)
            return self._refused(func, NESTED, tensors, args, kwargs)
        if kind is Kind.EMULATED and not exact:
            return self._emulated(func, operator, tensors, args, kwargs)
        if kind is Kind.COMPOSITE:
            return composite(self, func, args, kwargs)
        if exact and (kind is Kind.EMULATED or operator.says_product):
            self.log.exact[operator.name] += 1
            return self._natively(func, args, kwargs)
        if operator.text and kind in (Kind.REFUSED, Kind.CUSTOM) and func.name().removesuffix(".default") not in OPDEFS:
            return self._refused(func, operator.text, tensors, args, kwargs)
        if kind is Kind.CUSTOM:
            return self._custom(func, args, kwargs)
        if kind is Kind.SUMS and has_weights(func, args, kwargs):
            self.log.left_native(operator.name, operator.text)
        return split(self, func, args, kwargs)

    def beneath(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A product that a kernel of PyTorch calls by itself, where no mode sees it."""
        tensors = [x for x in leaves(args, kwargs)[0] if isinstance(x, torch.Tensor)]
        try:
            operator = operator_of(func)
            if operator.handler is None:
                return self._refused(func, operator.text, tensors, args, kwargs)
            return self._emulated(func, operator, tensors, args, kwargs)
        except Refused as error:
            self._count(error)
            raise

    def _higher(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Operators that take functions: those of ``cond`` and ``while_loop`` run with the mode in force."""
        name = func.name()
        if name not in ("cond", "while_loop") or kwargs:
            self.refuse(name, "call its functions without it")
        with self:
            if name == "cond":
                choice, if_true, if_false, operands = args
                return (if_true if choice else if_false)(*operands)
            go_on, body, carried, fixed = args
            while go_on(*carried, *fixed):
                carried = body(*carried, *fixed)
            return carried

    def _custom(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """An operator of somebody's: what it calls of PyTorch comes back here, what it multiplies by itself is not seen."""
        name = func.name().removesuffix(".default")
        if name not in self.log.native and self.on_unknown != "ignore":
            text = f"{name}{self._place()} is no operator of PyTorch: products inside are emulated only where it calls PyTorch for them"
            if self.on_unknown == "error":
                raise Refused(f"{text}; leave it out, or pass unknown='warn'")
            warnings.warn(text, Unknown, stacklevel=4)
        self.log.native[name] += 1
        return split(self, func, args, kwargs)

    def _natively(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What this processor gives for an operator that is meant to be left to it."""
        with _contexts.native():
            return func(*args, **kwargs)

    def _refused(self, func: Any, text: str, tensors: list[torch.Tensor], args: Any, kwargs: Any) -> Any:
        shapes = ", ".join("nested" if x.is_nested else str(tuple(x.shape)) for x in tensors)
        name = func.name().removeprefix("aten::").removesuffix(".default")
        unseen = Shape(name, 1, 0, 0, 0, "", "")
        if self.only is not None and not self.only(name, unseen, self.modules.path):
            self.log.native[name] += 1
            return self._natively(func, args, kwargs)
        raise Refused(f"{name} of {shapes}{self._place()} is not emulated for {self.machine}: {text}")

    def _emulated(
        self, func: Any, operator: Operator, tensors: list[torch.Tensor], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if text := refusal(tensors):
            return self._refused(func, text, tensors, args, kwargs)
        expected = self._results.of(func, args, kwargs)
        given = {name: value for name, value in kwargs.items() if name != "out"}
        self._made, self._into = [], kwargs.get("out")
        try:
            assert operator.handler is not None
            found = operator.handler(self, *args, **given)
        except LeftNative:
            self.log.native[func.name().removeprefix("aten::")] += 1
            return self._natively(func, args, kwargs)
        if expected is not None and func._schema.name not in LAID_OUT:
            found = laid_out(found, expected)
        if self.compare is not None and self._made:
            self._compared(func, operator.handler, found, args, given)
        found = written(func, found, args, kwargs)
        self._graph.made(operator.name, found, tensors)
        return found

    def _compared(self, func: Any, handler: Any, found: Any, args: tuple[Any, ...], given: dict[str, Any]) -> None:
        """Counts results that have other bits elsewhere; two NaN are alike."""
        call = self._made[0]
        own = tree_flatten(found)[0][0]
        if self.other is not None:
            theirs = tree_flatten(handler(self.other, *args, **given))[0][0]
        else:
            with _contexts.native():
                theirs = tree_flatten(functional(func)(*args, **given))[0][0]
        differ = (bits(own) != bits(theirs)) & ~(own.isnan() & theirs.isnan())
        call.compared += own.numel()
        call.different += int(differ.sum())
