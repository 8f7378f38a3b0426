"""Some lines of the tensors of a log, each with the path to its root: what an auditor asks for who has the commitment alone."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from torch import Tensor

from ._log import opened_file, safetensors

FORMAT = "mmasmt-opening/1"


class Lines(NamedTuple):
    """Lines of one tensor: their numbers, their bytes, of shape (lines, bytes), and the path of each."""

    numbers: list[int]
    data: Tensor
    paths: list[list[str]]


@dataclass
class Opening:
    """Lines of a log for `elements` single elements of each product, drawn from `seed`.

    `near` has, by the number of the call, those elements that were chosen for being nearest to where the result is rounded the other
    way: by whoever has the log, so that the *power* of the report says what they are good for. `log` is the SHA-256 of the commitment.
    """

    log: str
    elements: int
    seed: int
    near: dict[int, list[int]] = field(default_factory=dict)
    lines: dict[str, Lines] = field(default_factory=dict)
    whole: dict[str, Tensor] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of lines, tensors and paths."""
        paths = sum(len(path) * 32 for lines in self.lines.values() for path in lines.paths)
        stored = [*(lines.data for lines in self.lines.values()), *self.whole.values()]
        return paths + sum(x.numel() * x.element_size() for x in stored)

    def write(self, path: str | Path) -> None:
        """Writes a file of safetensors."""
        head = {
            "format": FORMAT, "log": self.log, "elements": self.elements, "seed": self.seed,
            "near": {str(number): places for number, places in self.near.items()},
            "lines": {name: {"numbers": lines.numbers, "paths": lines.paths} for name, lines in self.lines.items()},
        }  # fmt: skip
        stored = {f"lines {name}": lines.data for name, lines in self.lines.items()}
        stored |= {f"whole {name}": x for name, x in self.whole.items()}
        safetensors().save_file(stored, path, metadata={"mmasmt": json.dumps(head)})

    @classmethod
    def read(cls, path: str | Path) -> Opening:
        """Reads a file.

        Raises
        ------
        ValueError
            If it is no opening, or is cut off.
        """
        text, tensors = opened_file(path, FORMAT, "an opening", "write one with opening")
        head = json.loads(text)
        try:
            lines = {
                name: Lines([int(i) for i in said["numbers"]], tensors[f"lines {name}"], said["paths"])
                for name, said in head["lines"].items()
            }
            near = {int(number): [int(i) for i in places] for number, places in head["near"].items()}
            whole = {name.removeprefix("whole "): x for name, x in tensors.items() if name.startswith("whole ")}
            return cls(str(head["log"]), int(head["elements"]), int(head["seed"]), near, lines, whole)
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise ValueError(f"{path}: expected the header of an opening, found one without what it needs: {error}") from None
