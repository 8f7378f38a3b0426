"""Recomputing somebody's inference: each product of a log, or a sample of its elements, as a machine computes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from .._emulation.tables import Plans
from ._checks import Checker
from ._finding import Audit, Finding
from ._generation import logits_mismatch, loop_of, tokens_mismatch
from ._lines import parts_of
from ._log import Entry, Recording, values_of
from ._replay import replayed
from ._loop import Loop
from ._opened import Opened
from ._opening import Opening
from ._sample import sample_of
from ._search import Search


def audit(
    log: Recording | str | Path,
    *,
    machine: str = "",
    plans: Plans = (),
    model: Any = None,
    inputs: Any = None,
    opening: Opening | str | Path | None = None,
    rows: int | None = None,
    columns: int | None = None,
    elements: int | None = None,
    near: Literal["boundary"] | None = "boundary",
    attention: Literal["flash2"] | None = None,
    seed: int | None = None,
    search: bool = True,
    timeout: float | None = 60,
    threads: int = 0,
) -> Audit:
    """Checks the products of a log against a machine, bit for bit.

    Without `rows`, `columns` and `elements` all elements are compared; with them a spot check computes no others. Without a model each
    product is made of the operands in the log. With a model and its inputs the model runs on this processor, with the recorded results
    of its products, so that operands are checked as well.

    Parameters
    ----------
    log : Recording, str or path
        What `record` wrote.
    machine : str
        A product or an architecture; the one that the log claims, if nothing is said.
    plans
        As for `emulate`.
    model : callable, optional
        The model that is said to have run, on this processor; for a log of `record_generation` its `step`.
    inputs : Tensor, or tuple or dict of them, optional
        Its arguments; those of a generation are in the log.
    opening : Opening, str or path, optional
        The lines of a log of which there is the commitment alone, for these `elements` and this `seed`.
    rows, columns : int, optional
        A spot check of so many rows and columns of each product: where they meet.
    elements : int, optional
        A spot check of so many single elements of each product.
    near : str, optional
        ``"boundary"``: three quarters of `elements` are those whose exact sums are nearest to where the result is rounded the other way,
        which tell machines apart, and the others are drawn; None: all are drawn.
    attention : str, optional
        ``"flash2"``: attention in f16 and bf16 is compared with tiles of FlashAttention 2. Results with other bits are `close` as far as
        other exponentials, tiles and orders explain, and differ beyond that. None: it is not checked.
    seed : int, optional
        Of what is drawn; drawn itself if nothing is said. Whoever made the log must not have known it.
    search : bool
        Whether to look for other machines and plans that give what was recorded, where the machine does not.
    timeout : float, optional
        Seconds that all of this search may take; None for no limit.
    threads : int
        How many to use; 0 for as many as there are processors.

    Returns
    -------
    Audit
        What is equal, what differs, and what could not be checked; as text it is the report.

    Raises
    ------
    ValueError
        If the file is no log, lacks a tensor, or is not the log of this model's calls; if a line of the opening is not the one whose root
        is in the commitment; if an argument has no meaning.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> layer = torch.nn.Linear(16, 4).half()
    >>> with mt.emulate("H100", unknown="ignore"):
    ...     log = mt.record(layer, torch.ones(2, 16).half(), machine="H100")
    >>> mt.audit(log).is_equal, mt.audit(log, elements=3, seed=1).findings[0].compared
    (True, 3)
    """
    recording = log if isinstance(log, Recording) else Recording.read(log)
    claimed = str(recording.header.get("machine") or "")
    machine = machine or claimed
    if not machine:
        raise ValueError("machine: expected one, the log does not claim any; pass machine='H100'")
    is_generation = "generation" in recording.header
    if is_generation and model is not None and inputs is None:
        model, inputs = loop_of(recording, model)
    if (model is None) != (inputs is None):
        raise ValueError(f"model: expected a model together with its inputs, found {'inputs' if model is None else 'a model'} alone")
    if attention not in (None, "flash2"):
        raise ValueError(f"attention: expected flash2 or None, found {attention!r}")
    sample = sample_of(rows, columns, elements, near, seed)
    places = None
    if opening is not None:
        read = opening if isinstance(opening, Opening) else Opening.read(opening)
        if model is not None or sample is None or not sample.elements or seed is None:
            raise ValueError("opening: expected the elements and the seed that it was asked for, and no model; pass elements= and seed=")
        recording, places = Opened(recording, read, sample), read.near
    checker = Checker(recording, machine, plans, sample, Search(machine, timeout) if search else None, threads, places, attention)
    mismatches: list[str] = []
    if model is None:
        findings = [_alone(checker, number, entry) for number, entry in enumerate(recording.entries)]
    else:
        findings, mismatches = replayed(checker, model, inputs)
    if isinstance(model, Loop):
        mismatches += logits_mismatch(checker.log, model)
    if is_generation:
        mismatches += tokens_mismatch(checker.log)
    if not any(finding.status != "unchecked" for finding in findings):
        reasons = {finding.reason for finding in findings} or {"it has no calls"}
        raise ValueError(f"log: expected a product that can be checked, found none: {'; '.join(sorted(reasons))}")
    unseen = dict(recording.header.get("unseen", {}))
    return Audit(machine, claimed, tuple(findings), checker.sample, tuple(mismatches), unseen, checker.power)


def _alone(checker: Checker, number: int, entry: Entry) -> Finding:
    """A call by the operands that the log has."""
    log = checker.log
    if isinstance(log, Opened) and not parts_of(entry):
        return Finding(number, entry.op, entry.module, "", "unchecked", "no single product, so that a commitment has no lines of it")
    # A log that was made to have all of them, and lacks one, is not whole.
    if log.header.get("keep") == "operands" or all(map(log.has, values_of((entry.args, entry.kwargs)))):
        return checker.check(number, entry, *log.arguments(entry))
    return Finding(number, entry.op, entry.module, "", "unchecked", "the log has hashes of operands alone; pass model and inputs")
