"""A loop that generates tokens: the model for the next logits, and a choice that depends on them, a temperature and a seed alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

# Given tokens of shape (rows, new) and what it returned last time: logits, of shape (rows, vocabulary), or with `new` in between.
Step = Callable[[Tensor, Any], tuple[Tensor, Any]]


class Draw:
    """Numbers from 0 to 1 for each row, by the seed of the row: other rows do not change them."""

    def __init__(self, seeds: Sequence[int]) -> None:
        self._generators = [torch.Generator().manual_seed(seed) for seed in seeds]

    def __call__(self) -> Tensor:
        """The next number of each row, in f64."""
        return torch.stack([torch.rand((), dtype=torch.float64, generator=one) for one in self._generators])


def chosen(logits: Tensor, temperature: float, draw: Draw) -> Tensor:
    """The token of each row: the first of the greatest logits at temperature 0, else by the sums of a softmax in f64 on this processor.

    Parameters
    ----------
    logits : Tensor
        Of shape (rows, vocabulary).
    temperature : float
        What logits are divided by.
    draw : Draw
        Asked once, whatever the temperature is.
    """
    wide, places = logits.detach().cpu().double(), draw()
    if not temperature:
        return wide.argmax(-1)
    sums = torch.softmax(wide / temperature, -1).cumsum(-1)
    return torch.searchsorted(sums, (places * sums[:, -1])[:, None], right=True)[:, 0].clamp(max=wide.shape[-1] - 1)


@dataclass
class Loop:
    """A model that is called for one token after the other. `logits` has those of the last call, step by step."""

    step: Step
    count: int
    temperature: float
    seeds: Sequence[int]
    logits: list[Tensor] = field(default_factory=list)

    def __call__(self, prompt: Tensor) -> Tensor:
        """Tokens of shape (rows, count) behind a prompt of shape (rows, length)."""
        draw, state, found = Draw(self.seeds), None, []
        tokens, self.logits = prompt, []
        for _ in range(self.count):
            logits, state = self.step(tokens, state)
            last = logits[:, -1] if logits.dim() == 3 else logits
            self.logits.append(last.detach())
            found.append(chosen(last, self.temperature, draw))
            tokens = found[-1][:, None].to(prompt.device)
        return torch.stack(found, 1)
