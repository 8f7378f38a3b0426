"""A generation as one log: the prompts of all rows, seeds, tokens and logits beside the products of every step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ._log import Recording, Value, digest
from ._loop import Draw, Loop, Step, chosen
from ._record import record


def record_generation(
    step: Step,
    prompt: Tensor,
    count: int,
    path: str | Path | None = None,
    *,
    temperature: float = 0.0,
    seeds: int | Sequence[int] = 0,
    **options: Any,
) -> Recording:
    """Generates tokens, and writes one log of all products.

    The log has all rows of the batch: the plan of a product depends on how many there are. Tokens are chosen on this processor, from the
    logits, the temperature and the seed of the row alone.

    Parameters
    ----------
    step : callable
        Given tokens of shape (rows, length) and a state, which is None at first, it returns logits of shape (rows, vocabulary), or
        (rows, length, vocabulary) of which the last ones count, and the next state, such as keys and values. The first call has the
        prompt, each other one has one token of each row. The weights of a module are in the log as their SHA-256.
    prompt : Tensor
        Of shape (rows, length), integers.
    count : int
        How many tokens to generate in each row.
    path : str or path, optional
        Where to write the log; it is returned in any case.
    temperature : float
        What logits are divided by; 0 for the greatest logit.
    seeds : int, or a sequence of int
        Seeds of the draws: one for each row, or the one of the first row, which others count up from.
    **options
        Other arguments of `record`: `machine`, `library`, `keep`, `only`, `note`.

    Raises
    ------
    ValueError
        If the prompt is no matrix of integers, if there are not as many seeds as rows, or if another argument has no meaning.

    Examples
    --------
    >>> import torch, mmasmt.torch as mt
    >>> table = torch.randn(5, 5, generator=torch.Generator().manual_seed(0)).half()
    >>> step = lambda tokens, state: (torch.nn.functional.one_hot(tokens[:, -1], 5).half() @ table, None)
    >>> with mt.emulate("H100", unknown="ignore"):
    ...     log = mt.record_generation(step, torch.tensor([[1], [2]]), 4, temperature=1.0, seeds=7, machine="H100")
    >>> len(log.entries), mt.audit(log, model=step).is_equal
    (4, True)
    """
    if not isinstance(prompt, Tensor) or prompt.dim() != 2 or prompt.is_floating_point() or not prompt.numel():
        found = f"{prompt.dtype} of shape {tuple(prompt.shape)}" if isinstance(prompt, Tensor) else repr(prompt)
        raise ValueError(f"prompt: expected integers of shape (rows, length), found {found}")
    if not isinstance(count, int) or count < 1:
        raise ValueError(f"count: expected an integer of 1 or more, found {count!r}")
    if temperature < 0:
        raise ValueError(f"temperature: expected 0 or more, found {temperature}")
    of_rows = [seeds + i for i in range(len(prompt))] if isinstance(seeds, int) else [int(seed) for seed in seeds]
    if len(of_rows) != len(prompt):
        raise ValueError(f"seeds: expected one for each of {len(prompt)} rows, found {len(of_rows)}")
    loop = Loop(step, count, temperature, of_rows)
    tokens: list[Tensor] = []

    def run(tokens_before: Tensor) -> Tensor:
        tokens.append(loop(tokens_before))
        return tokens[0]

    log = record(run, prompt, **options, of=step)
    keep = log.header["keep"] != "hashes"
    log.header["generation"] = {
        "prompt": prompt.tolist(), "tokens": tokens[0].tolist(), "temperature": temperature, "seeds": of_rows,
        "logits": [log.put(x, f"logits.{i}", keep) for i, x in enumerate(loop.logits)],
    }  # fmt: skip
    if path is not None:
        log.write(path)
    return log


def loop_of(log: Recording, step: Step) -> tuple[Loop, Tensor]:
    """The loop of a log with a model that is said to have run in it, and its prompt."""
    said = _said(log)
    return Loop(step, len(said["tokens"][0]), said["temperature"], said["seeds"]), torch.tensor(said["prompt"])


def logits_mismatch(log: Recording, loop: Loop) -> list[str]:
    """Sentences about logits that a loop, which has run, did not give."""
    pairs = enumerate(zip(loop.logits, _said(log)["logits"]))
    return [
        f"MISMATCH: the logits of step {number} are not those that the model gives"
        for number, (own, value) in pairs
        if digest(own) != value.sha256
    ]


def tokens_mismatch(log: Recording) -> list[str]:
    """Sentences about tokens that the logits and the seeds of the log do not give; nothing where it has no logits."""
    said = _said(log)
    logits: list[Value] = said["logits"]
    if not all(map(log.has, logits)):
        return []
    draw, found = Draw(said["seeds"]), []
    for number, value in enumerate(logits):
        x = log.get(value)
        if tuple(x.shape[:1]) != (len(said["tokens"]),) or x.dim() != 2:
            raise ValueError(f"generation: expected logits of {len(said['tokens'])} rows at step {number}, found shape {tuple(x.shape)}")
        for row, token in enumerate(chosen(x, said["temperature"], draw).tolist()):
            recorded = said["tokens"][row][number]
            if token != recorded:
                found.append(f"MISMATCH: token {number} of row {row} is {recorded}, and its logits and seed give {token}")
    return found


def _said(log: Recording) -> dict[str, Any]:
    """What the log says of the generation.

    Raises
    ------
    ValueError
        If something is missing, or does not fit.
    """
    said = log.header["generation"]
    try:
        prompt, tokens, seeds, logits = (said[name] for name in ("prompt", "tokens", "seeds", "logits"))
        rows = {len(prompt), len(tokens), len(seeds)}
        steps = {len(logits), *map(len, tokens)}
        if len(rows) != 1 or len(steps) != 1 or not float(said["temperature"]) >= 0 or not all(isinstance(x, Value) for x in logits):
            raise ValueError(f"{len(prompt)} prompts, {len(tokens)} rows of tokens, {len(seeds)} seeds, {len(logits)} logits")
    except (TypeError, KeyError, IndexError, ValueError) as error:
        what = "as many prompts, seeds and rows of tokens, and logits of each step"
        raise ValueError(f"generation: expected {what}, found {error}") from None
    found: dict[str, Any] = said
    return found
