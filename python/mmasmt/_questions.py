"""Questions about models: the commands of the program, with arguments and answers of Python."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._answers import Answer, Witness, answer, witness
from ._arrays import registers
from ._products import dot, signature


def _ask(*arguments: str, **options: Any) -> dict[str, Any]:
    """The JSON of a command; options without a value are left out."""
    words = list(arguments)
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words[-1] += f"={value}"
    _, text = _native.command([*words, "--json", "--quiet"])
    found: dict[str, Any] = json.loads(text)
    return found


def distinguish(
    left: str,
    right: str,
    *,
    assume: str | None = None,
    specials: bool = False,
    count: int = 1,
    largest: bool = False,
    ordinary: bool = False,
    timeout: float | None = None,
    seed: int = 0,
) -> Answer:
    """Inputs on which two models differ, or a proof that there are none.

    Parameters
    ----------
    left, right : str
        Models that take the same operands.
    assume : str, optional
        What is assumed of the operands, such as ``"a normal, c = 0"``; they are finite unless `specials`.
    count : int
        How many inputs are wanted.
    largest, ordinary : bool
        Inputs whose results are far apart; or ordinary numbers alone.
    timeout : float, optional
        Seconds.

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
    data = _ask(
        "distinguish", left, right, assume=assume, specials=specials, count=count, largest=largest, ordinary=ordinary,
        timeout=timeout, seed=seed,
    )
    return answer(data, left)


def prove(claim: str, model: str | None = None, *others: str, assume: str | None = None, timeout: float | None = None) -> Answer:
    """Whether a claim holds for all operands: a proof, inputs that refute it, or that neither is known.

    Examples
    --------
    >>> import mmasmt
    >>> mmasmt.prove("order-independent", "fda:K=8").verdict
    'proved'
    """
    models = [name for name in (model, *others) if name is not None]
    data = _ask("prove", claim, *models, assume=assume, timeout=timeout)
    if not models:
        return Answer(data.get("verdict", "unknown"), (), None, data)
    return answer(data, models[0])


def least(key: str, claim: str, model: str, *, assume: str | None = None, timeout: float | None = None) -> dict[str, Any]:
    """The least value of a key for which a claim holds: ``proved_at``, ``refuted_at``, and what was asked on the way."""
    return _ask("least", key, claim, model, assume=assume, timeout=timeout)


def worst(model: str, *, measure: str | None = None, assume: str | None = None, timeout: float | None = None, seed: int = 0) -> Answer:
    """The operands with the largest error that a search finds; ``data`` has the error and the proved bound."""
    data = _ask("worst", model, measure=measure, assume=assume, timeout=timeout, seed=seed)
    return answer(data, model, lambda data: "proved" if data["is_greatest"] else "unknown")


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
) -> list[dict[str, Any]]:
    """Errors of schemes on units, a row for each: median, 99.9th percentile, worst found, proved bound."""
    words = ["compare", *schemes]
    for unit in on:
        words += ["--on", unit]
    data = _ask(
        *words, lengths=",".join(map(str, lengths)), exponents=exponents, measure=measure, samples=samples, seed=seed,
        timeout=timeout,
    )
    rows: list[dict[str, Any]] = data["rows"]
    return rows


def models(*words: str) -> list[dict[str, Any]]:
    """The rows of the tables: all of them, or those of a machine or with a text in any of their names.

    Examples
    --------
    >>> import mmasmt
    >>> [row["instruction"] for row in mmasmt.models("V100")][0]
    'mma.m8n8k4.f32.f16.f16.f32'
    """
    rows: list[dict[str, Any]] = _ask("models", "list", *words)["rows"]
    return rows


def model(name: str) -> dict[str, Any]:
    """All that is known of a row or a specification: parameters, evidence, variants, formats."""
    return _ask("models", "show", name)


def vectors(model: str, *, count: int = 1000, kind: str | None = None, seed: int = 0) -> list[Witness]:
    """Drawn inputs with the results of a model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.jsonl"
        _ask("gen", model, count=count, kind=kind, seed=seed, out=path)
        lines = path.read_text().splitlines()
    found = [json.loads(line) for line in lines[1:]]
    return [witness({"line": "", **one}, model) for one in found]


def identify(
    machine: Callable[..., Any],
    candidates: Iterable[str],
    *,
    count: int = 2000,
    seed: int = 0,
) -> dict[str, Any]:
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
    >>> found = mmasmt.identify(machine, ["fda:F=23", "fda:F=24", "fda:F=25"])
    >>> [one["model"] for one in found["candidates"] if one["disagreed"] == 0]
    ['fda:F=24']
    """
    names = list(candidates)
    if not names:
        raise ValueError("candidates: expected at least one model, found none")
    drawn = [one for seed_of, name in enumerate(names) for one in vectors(name, count=max(count // len(names), 1), seed=seed + seed_of)]
    stacked = {key: np.stack([getattr(one, key) for one in drawn]) for key in ("a", "b", "c")}
    if drawn[0].scale_a is not None:
        stacked |= {key: np.stack([getattr(one, key) for one in drawn]) for key in ("scale_a", "scale_b")}
    kind = signature(names[0]).d
    answers = registers("machine", machine(**stacked), kind).reshape(-1)
    if len(answers) != len(drawn):
        raise ValueError(f"machine: expected {len(drawn)} results, found {len(answers)}")
    found = []
    for name in names:
        own = registers("d", dot(**stacked, model=name), kind).reshape(-1)
        wrong = np.flatnonzero(own != answers)
        first = drawn[int(wrong[0])] if len(wrong) else None
        found.append({"model": name, "agreed": len(drawn) - len(wrong), "disagreed": len(wrong), "first": first})
    return {"inputs": len(drawn), "candidates": found}
