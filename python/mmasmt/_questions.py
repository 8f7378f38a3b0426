"""Questions about models: the commands of the program, with arguments and answers of Python."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, overload

import numpy as np

from . import _schema as schema
from ._answers import Answer, Candidate, Errors, Identified, Least, QueryAnswer, Witness, answer, query_answer, witness
from ._arrays import registers
from ._ask import ask
from ._conversions import convert
from ._products import dot
from ._signatures import model_of, signature


def distinguish(
    left: str,
    right: str,
    *,
    assume: str | None = None,
    specials: bool = False,
    count: int = 1,
    largest: bool = False,
    ordinary: bool = False,
    operands: str | None = None,
    samples: int | None = None,
    timeout: float | None = None,
    seed: int = 0,
) -> Answer:
    """Inputs on which two models differ, or a proof that there are none.

    Parameters
    ----------
    left, right : str
        Models that take the same operands, or machines that answer: ``"run:COMMAND"``, ``"cpu:INSTRUCTION"``, ``"gpu:NUMBER:INSTRUCTION"``,
        which are asked drawn inputs, so that nothing is proved, and ``"model:MODEL"`` in place of one.
    assume : str, optional
        What is assumed of the operands, such as ``"a normal, c = 0"``; they are finite unless `specials`.
    count : int
        How many inputs are wanted.
    largest, ordinary : bool
        Inputs whose results are far apart; or ordinary numbers alone.
    operands : str, optional
        The operands of two commands, such as ``"4 products f16 x f16, c f32, result f32"``.
    samples : int, optional
        How many inputs a machine is asked, 100,000 if nothing is said.
    timeout : float, optional
        Seconds, 60 if nothing is said.

    Examples
    --------
    >>> import mmasmt
    >>> found = mmasmt.distinguish("fda:F=24", "fda:F=25")
    >>> found.verdict
    'different'
    >>> bool(mmasmt.dot(**found.witness.operands, model="fda:F=25") == found.witness.d[1])
    True
    >>> mmasmt.distinguish("fda:carry=4", "fda:carry=full").verdict
    'equal'
    """
    model = model_of((left, right), operands)
    kinds = schema.Distinguish, schema.DistinguishAsked, schema.Diff, schema.Unknown
    data = ask(
        kinds, "distinguish", left, right, assume=assume, specials=specials, count=count, largest=largest, ordinary=ordinary,
        operands=operands, samples=samples, timeout=timeout, seed=seed,
    )
    return answer(data, model, data["verdict"])


@overload
def prove(
    claim: str, model: str, *, assume: str | None = None, ordinary: bool = False, timeout: float | None = None
) -> Answer: ...


@overload
def prove(claim: str, *, timeout: float | None = None) -> QueryAnswer: ...


def prove(
    claim: str, model: str | None = None, *, assume: str | None = None, ordinary: bool = False, timeout: float | None = None
) -> Answer | QueryAnswer:
    """Whether a claim holds for all operands: a proof, inputs that refute it, or that neither is known.

    A name alone is that of a query that comes with the program: several claims, each with its own verdict. Each claim has `timeout`
    seconds, 60 if nothing is said; `ordinary` asks about normal numbers with exponents from -4 to 4 alone.

    Examples
    --------
    >>> import mmasmt
    >>> mmasmt.prove("order-independent", "fda:K=8").verdict
    'proved'
    >>> found = mmasmt.prove("carry-bits-9-terms")
    >>> found.is_as_expected, [one.verdict for one in found.claims]
    (True, ['proved', 'refuted'])
    """
    if model is None:
        if assume is not None or ordinary:
            raise ValueError("a query says what is assumed: expected no assume and no ordinary without a model")
        return query_answer(ask((schema.ProveQueries, schema.Unknown), "prove", claim, timeout=timeout))
    kinds = schema.Prove, schema.Unknown
    data = ask(kinds, "prove", claim, model, assume=assume, ordinary=ordinary, timeout=timeout)
    return answer(data, model, data["verdict"])


def least(key: str, claim: str, model: str, *, assume: str | None = None, timeout: float | None = None) -> Least:
    """The least value of a parameter for which a claim holds.

    Examples
    --------
    >>> import mmasmt
    >>> found = mmasmt.least("F", "faithful", "fda:K=32,in=e4m3", assume="c = 0")
    >>> found.proved_at, found.refuted_at
    (34, 33)
    """
    data = ask(schema.Least, "least", key, claim, model, assume=assume, timeout=timeout)
    refuted = [one for one in data["asked"] if one["value"] == data["refuted_at"] and one["witnesses"]]
    found = witness(refuted[0]["witnesses"][0], refuted[0]["model"]) if refuted else None
    return Least(data["proved_at"], data["refuted_at"], found, data)


def worst(model: str, *, measure: str | None = None, assume: str | None = None, timeout: float | None = None, seed: int = 0) -> Answer[schema.Worst]:
    """The operands with the largest error that a search finds; ``data`` has the error and the proved bound.

    Examples
    --------
    >>> import mmasmt
    >>> found = mmasmt.worst("fda:K=1,F=9", timeout=0.2)
    >>> found.witness is not None and found.data["largest_error"]["about"] > 0
    True
    """
    data = ask(schema.Worst, "worst", model, measure=measure, assume=assume, timeout=timeout, seed=seed)
    return answer(data, model, "proved" if data["is_greatest"] else "unknown")


def compare(
    schemes: Iterable[str],
    *,
    on: Iterable[str] = (),
    lengths: Iterable[int] = (16, 1024),
    exponents: str | None = None,
    measure: str | None = None,
    samples: int = 100_000,
    seed: int = 0,
    timeout: float | None = None,
) -> list[Errors]:
    """Errors of schemes on units: median, 99.9th percentile, worst found, proved bound.

    Parameters
    ----------
    schemes : iterable of str
        Schemes and compositions with their keys, such as ``"3xtf32"`` and ``"promote:every=4"``; ``"_"`` is the unit alone.
    on : iterable of str
        Units: instructions, or machines, of which each scheme takes the instruction that it needs.
    lengths : iterable of int
        Numbers of products.
    exponents : str, optional
        Exponents of the random factors, each with equal chance: ``"-6..8"``.
    measure : str, optional
        What errors are relative to; the sum of magnitudes if it is missing.
    samples : int
        Random dot products for each row.

    Examples
    --------
    >>> import mmasmt
    >>> [row] = mmasmt.compare(["_"], on=["H100/HMMA.16816.F32"], lengths=[64], exponents="-4..4", samples=100)
    >>> 0 < row.median < row.p999 < row.worst <= row.bound
    True
    """
    words = ["compare", *schemes]
    for unit in on:
        words += ["--on", unit]
    data = ask(
        schema.Compare, *words, lengths=",".join(map(str, lengths)), exponents=exponents, measure=measure, samples=samples, seed=seed,
        timeout=timeout,
    )
    return [_errors(row) for row in data["rows"]]


def _errors(row: schema.ErrorsRow) -> Errors:
    model, shown = row.get("model"), row.get("witnesses")
    return Errors(
        scheme=row["scheme"],
        unit=row["on"],
        products=row["products"],
        model=model,
        median=row.get("median"),
        p999=row.get("p99.9"),
        worst=row.get("worst"),
        bound=row.get("bound"),
        witness=witness(shown[0], model) if model and shown else None,
        why_not=row.get("why_not"),
        data=row,
    )


def vectors(model: str, *, count: int = 1000, kind: str | None = None, seed: int = 0) -> list[Witness]:
    """Drawn inputs with the results of a model.

    Examples
    --------
    >>> import mmasmt
    >>> one = mmasmt.vectors("fda:F=24", count=5)[3]
    >>> bool(mmasmt.dot(**one.operands, model="fda:F=24") == one.d[0])
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.jsonl"
        ask(schema.Gen, "gen", model, count=count, kind=kind, seed=seed, out=path)
        lines = path.read_text().splitlines()
    found: list[schema.Line] = [json.loads(line) for line in lines[1:]]
    return [witness(one, model) for one in found]


def identify(
    machine: Callable[..., Any],
    candidates: Iterable[str],
    *,
    count: int = 2000,
    seed: int = 0,
) -> Identified:
    """Which of the candidates a machine is, by its answers to inputs that were drawn for all of them.

    Parameters
    ----------
    machine : callable
        Called with `a`, `b` and `c` of shapes (count, K), (count, K) and (count,); its result is `d`. Models with block scales are
        called with `scale_a` and `scale_b` as well.
    candidates : iterable of str
        Models that take the same operands.

    Examples
    --------
    >>> import mmasmt
    >>> def machine(a, b, c):
    ...     return mmasmt.dot(a, b, c, model="fda:F=24")
    >>> mmasmt.identify(machine, ["fda:F=23", "fda:F=24", "fda:F=25"]).matches
    ('fda:F=24',)
    """
    names = list(candidates)
    if not names:
        raise ValueError("candidates: expected at least one model, found none")
    drawn = [one for seed_of, name in enumerate(names) for one in vectors(name, count=max(count // len(names), 1), seed=seed + seed_of)]
    given = [key for key in ("a", "b", "c") if getattr(drawn[0], key) is not None]
    stacked: dict[str, Any] = {key: np.stack([getattr(one, key) for one in drawn]) for key in given}
    evaluate = dot if "b" in given else convert
    if drawn[0].scale_a is not None:
        stacked |= {key: np.stack([getattr(one, key) for one in drawn]) for key in ("scale_a", "scale_b")}
    kind = signature(names[0]).d
    answers = registers("machine", machine(**stacked), kind).reshape(-1)
    if len(answers) != len(drawn):
        raise ValueError(f"machine: expected {len(drawn)} results, found {len(answers)}")
    found = []
    for name in names:
        own = registers("d", evaluate(**stacked, model=name), kind).reshape(-1)
        wrong = np.flatnonzero(own != answers)
        first = drawn[int(wrong[0])] if len(wrong) else None
        found.append(Candidate(name, len(drawn) - len(wrong), len(wrong), first))
    return Identified(len(drawn), tuple(found))
