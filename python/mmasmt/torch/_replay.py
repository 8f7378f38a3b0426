"""A model beside its log: each product is checked where the model calls it, and then has the result that was recorded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

from ._attended import OPERATORS, attention_of
from ._checks import Checker
from ._finding import Finding
from ._log import Value, digest, digest_of_all, same_bits, values_of
from ._loop import Loop
from ._memory import written
from ._mode import emulate
from ._operators import Operator
from ._rounding import ranks
from ._record import arguments_of, inputs_of, tensors_of, weights_of


def replayed(checker: Checker, model: Any, inputs: Any) -> tuple[list[Finding], list[str]]:
    """A finding for each call of the model, and sentences about what is not as the log says.

    Raises
    ------
    ValueError
        If the model calls other operators than the log has.
    """
    header = checker.log.header
    own = {"weights": weights_of(model.step if isinstance(model, Loop) else model), "inputs": inputs_of(inputs)}
    mismatches = [
        f"MISMATCH: the {name} are not those of the log" for name, sha in own.items() if header.get(name) and sha and sha != header[name]
    ]
    args, kwargs = arguments_of(inputs)
    run = _Replay(checker)
    with torch.no_grad(), run:
        outputs = model(*args, **kwargs)
    if len(run.findings) < len(checker.log.entries):
        mismatches.append(f"MISMATCH: the model ends after {len(run.findings)} of {len(checker.log.entries)} calls of the log")
    if other := sum(finding.operands == "other" for finding in run.findings):
        size = run.apart.text()
        mismatches.append(f"MISMATCH: operands of {other} calls are not those that the model gives on this processor{size}")
    if header.get("outputs") and header["outputs"] != digest_of_all(tensors_of(outputs)):
        mismatches.append("MISMATCH: the outputs of the model are not those of the log")
    return run.findings, mismatches


@dataclass
class Apart:
    """How far operands are from those of the log: a GPU has exponentials and sums of its own, whoever changes a log has his reasons."""

    elements: int = 0
    different: int = 0
    ulps: int = 0

    def add(self, own: torch.Tensor, recorded: torch.Tensor) -> None:
        """Counts the elements of one operand; integers have no last place."""
        self.elements += own.numel()
        wrong = ~same_bits(own, recorded)
        self.different += int(wrong.sum())
        if own.is_floating_point() and bool(wrong.any()):
            first, second = (ranks(x[wrong]) for x in (own, recorded))
            self.ulps = max(self.ulps, int((first - second).abs().max()))

    def text(self) -> str:
        """Behind a sentence."""
        if not self.different:
            return ""
        share = 100 * self.different / self.elements
        return f": {self.different} of {self.elements} elements differ ({share:.3g} %), by {self.ulps} ulp at most"


class _Replay(emulate):
    """A run of the model. A result that the log does not have is computed."""

    def __init__(self, checker: Checker) -> None:
        super().__init__(checker.machine, unknown="ignore", plans=checker.plans, threads=checker.threads)
        self.checker = checker
        self.findings: list[Finding] = []
        self.apart = Apart()
        self._left_out: dict[str, int] = dict(checker.log.header.get("unseen", {}))

    def _emulated(
        self, func: Any, operator: Operator, tensors: list[torch.Tensor], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        log, number, op = self.checker.log, len(self.findings), operator.base
        given = {name: value for name, value in kwargs.items() if name != "out"}
        entry = log.entries[number] if number < len(log.entries) else None
        there = None if entry is None else _call(entry.op, entry.args, entry.kwargs)
        here = _call(op, args, given)
        if entry is None or there != here:
            if self._left_out.get(op):
                self._left_out[op] -= 1
                return super()._emulated(func, operator, tensors, args, kwargs)
            raise ValueError(f"call {number}: expected {here}, which the model calls, found {there or 'the end of the log'}")
        values = values_of((entry.args, entry.kwargs))
        own = [x for x in tree_flatten((args, given))[0] if isinstance(x, torch.Tensor)]
        is_same = all(digest(x) == value.sha256 for x, value in zip(own, values))
        if not is_same:
            for x, value in zip(own, values):
                if log.has(value):
                    self.apart.add(x, log.get(value))
        if is_same or all(map(log.has, values)):
            used = (args, given) if is_same else log.arguments(entry)
            # A kernel of a GPU has its arguments in another order than that of this processor.
            called = replace(entry, op=op) if is_same else entry
            finding = self.checker.check(number, called, *used, operands="derived" if is_same else "other")
        else:
            reason = "the model gives other operands on this processor, and the log has hashes of its own alone"
            finding = Finding(number, op, entry.module, "", "unchecked", reason, operands="other")
        self.findings.append(finding)
        if finding.is_misfit or not all(log.has(value) for value in entry.results if value is not None):
            return super()._emulated(func, operator, tensors, args, kwargs)
        found = [None if value is None else log.get(value).clone() for value in entry.results]
        if op in OPERATORS:
            return (found[0], *super()._emulated(func, operator, tensors, args, kwargs)[1:])
        return written(func, found[0] if len(found) == 1 else tuple(found), args, kwargs)


def _call(op: str, args: Any, kwargs: Any) -> str:
    """A call without the values of its tensors; attention is the same one in whatever kernel."""
    if op not in OPERATORS:
        return f"{op} of {_seen(args, kwargs)}"
    call = attention_of(op, args, kwargs)
    scale = call.scale if call.scale is not None else "by its size"
    return f"attention of {_seen([call.query, call.key, call.value], {})}, causal {call.is_causal}, dropout {call.dropout}, scale {scale}"


def _seen(args: Any, kwargs: Any) -> str:
    """What tells calls apart without the values of tensors: shapes, types, and all other arguments."""

    def shown(x: Any) -> str:
        return f"{str(x.dtype).removeprefix('torch.')}{list(x.shape)}" if isinstance(x, Value | torch.Tensor) else str(x)

    return ", ".join(shown(x) for x in tree_flatten((list(args), kwargs))[0])
