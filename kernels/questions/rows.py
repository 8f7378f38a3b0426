"""The rows of models/: their instructions with the models of the tables, and what was recorded of them."""

import itertools
import json
import lzma
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# How instructions of GPUs begin.
GPU = ("mma.", "wmma.", "wgmma.", "tcgen05.", "v_")

# Formats of factors in a specification.
FORMATS = re.compile(r"\b(in|a|b)=(\w+),?")


@dataclass
class Row:
    """Instructions of one architecture that compute the same, but for the formats of their factors."""

    architecture: str
    compiled: str
    # By instruction the whole specification.
    models: dict = field(default_factory=dict)

    def candidates(self):
        """Two instructions at most that can stand for all: with factors of one format each, which tell most."""
        alike = [name for name, model in self.models.items() if re.search(r"\bin=", model) or not FORMATS.search(model)]
        by_formats = {tuple(FORMATS.findall(self.models[name])): name for name in reversed(alike or list(self.models))}
        return list(reversed(by_formats.values()))[:2]


def expanded(name):
    """All names that `mma.{e4m3,e5m2}` stands for."""
    parts = [part.split(",") for part in re.split(r"[{}]", name)]
    fixed = [part if number % 2 else [",".join(part)] for number, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*fixed)]


def ask(program, *arguments):
    """What the program prints as JSON; nothing if it refuses, or finds nothing."""
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.startswith("{") and done.returncode != 2 else None


def rows(program):
    """The rows of all GPUs, in the order of the tables."""
    found = []
    for path in sorted((ROOT / "models").glob("*.toml")):
        table = tomllib.loads(path.read_text())
        architecture = table["arch"]
        listed = ask(program, "models", "list", architecture)["rows"] if table.get("row") else []
        known = {row["instruction"]: row for row in listed}
        for row in table.get("row", []):
            by_model = {}
            for name in row.get("ptx", []) + row.get("isa", []):
                if not name.startswith(GPU):
                    continue
                for one in expanded(name):
                    how, model = known[one]["compiled"], known[one]["model"]
                    same = by_model.setdefault(FORMATS.sub("", model), Row(architecture, how))
                    same.models[one] = model
            found += [row for row in by_model.values() if row.compiled != "no such instruction"]
    return found


def recorded():
    """Recorded lines by ARCHITECTURE/INSTRUCTION."""
    sections = {}
    for path in sorted((ROOT / "evidence").glob("*.xz")):
        lines = []
        for line in lzma.decompress(path.read_bytes()).decode().splitlines():
            if line.startswith("## "):
                lines = sections.setdefault(line[3:].split("\t")[0], [])
            else:
                lines.append(line)
    return sections
