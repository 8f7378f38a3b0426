"""Computes recordings of an RTX 4060 again, with `mmasmt` and NumPy alone, and compares bits.

    python python/tests/replay.py                 the subset in evidence/mmaemu-rtx4060
    python python/tests/replay.py --fetch         all of it: the sdist of mmaemu from PyPI into a folder that is removed again
    python python/tests/replay.py FOLDER          all of it, where it is already
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import mmasmt
from recordings import Bits, Case, Instructions, Output, Product, Recordings

SUBSET = Path(__file__).parents[2] / "evidence" / "mmaemu-rtx4060"
SDIST = "740b69ac7e10f0542399fbecbea216e638dfe7249ff70ec4c6474cf9a15a5a13"


def number(register: int) -> str:
    """An f32 register as a key of a model takes it."""
    value = float(np.array(register, np.uint32).view(np.float32))
    return value.hex() if np.isfinite(value) else str(value)


def unit(factors: tuple[str, str], products: int = 32) -> str:
    """The instruction that adds up the products."""
    return f"ada/mma.m16n8k{products}.f32.{factors[0]}.{factors[1]}.f32"


def product_of_scales(what: Product) -> int:
    """The register of alpha: both scales, multiplied in f32."""
    a, b = np.array(what.scales, np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        return int((a * b).view(np.uint32))


def composition(what: Product) -> str:
    """The model of a product: instruction, promotion, split, epilogue."""
    model, k = unit(what.factors), what.a.shape[-1]
    if not what.fast:
        # A chain ends after 128 products.
        model = f"promote({model}):every=4,K={128 if what.parts > 1 else k}"
    if what.parts > 1:
        model = f"splitk({model}):S={what.parts},tiles=strided,tile=64,combine={what.order},K={k}"
    keys = [f"out={what.out}", f"alpha={number(product_of_scales(what))}", f"K={k}"]
    if what.out in ("e4m3", "e5m2"):
        keys.append("saturate=yes")
        if what.scale_result is not None:
            keys.append(f"scale={number(what.scale_result)}")
    return f"epilogue({model}):{','.join(keys)}"


def compute(what: Product | Instructions) -> Bits:
    """The bits that the package says."""
    if isinstance(what, Instructions):
        # Two instructions of 16 products, or one of 32, along all of k.
        model = unit(what.factors, 16 if what.products % 32 else 32)
        if what.tiles:
            return bits(mmasmt.matmul(what.a, np.swapaxes(what.b, 1, 2), what.c, model=model))
        return bits(mmasmt.matmul(what.a[:, None, :], what.b[:, :, None], what.c[:, None, None], model=model)).reshape(-1)
    if what.a.shape[-1] == 0 or not what.a.size or not what.b.size:
        # The library writes +0, or nothing, and starts no kernel.
        width = {"f32": np.uint32, "bf16": np.uint16, "f16": np.uint16}.get(what.out, np.uint8)
        return np.zeros((what.a.shape[0], what.b.shape[0]), width)
    found = bits(mmasmt.matmul(what.a, what.b.T, model=composition(what)))
    return np.diagonal(found).copy() if what.diagonal else found


def bits(array: Any) -> Bits:
    """An array's registers."""
    found: Bits = np.ascontiguousarray(array).view(f"uint{8 * array.dtype.itemsize}")
    return found


def kind(output: Output) -> str:
    """What a recorded result shows."""
    what = output.what
    if isinstance(what, Instructions):
        return f"mma.sync, {what.products} products" if what.products <= 32 else "mma.sync, along k"
    assert isinstance(what, Product)
    if not what.a.size or not what.b.size:
        return "nothing to add up: no elements, or K = 0"
    speed = "fast" if what.fast else "slow"
    return f"{speed}, {'not split' if what.parts == 1 else f'split, {what.order}'}, {what.out}"


@dataclass
class Count:
    """What was compared."""

    outputs: int = 0
    elements: int = 0
    different: int = 0
    seconds: float = 0.0


@dataclass
class Replay:
    """What a replay found."""

    cases: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Count] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def total(self) -> Count:
        """All kinds in one."""
        counts = self.kinds.values()
        return Count(
            sum(one.outputs for one in counts),
            sum(one.elements for one in counts),
            sum(one.different for one in counts),
            sum(one.seconds for one in counts),
        )

    def report(self) -> str:
        """A table of kinds, then what was refused."""
        lines = [f"{'outputs':>8} {'elements':>9} {'different':>9} {'seconds':>8}"]
        for name, one in [*sorted(self.kinds.items()), ("in all", self.total())]:
            lines.append(f"{one.outputs:8} {one.elements:9} {one.different:9} {one.seconds:8.1f}  {name}")
        lines += ["", f"calls without a result, {self.refused.total()}:"]
        lines += [f"{count:8}  {reason}" for reason, count in self.refused.most_common()]
        lines += ["", ", ".join(f"{count} cases {name}" for name, count in sorted(self.cases.items()))]
        return "\n".join([*lines, *self.differences[:20]])


def replay(cases: Iterable[Case]) -> Replay:
    """Computes all cases again."""
    found = Replay()
    for case in cases:
        results = sum(output.expected is not None for output in case.outputs)
        state = "with results" if results == len(case.outputs) else "refused" if not results else "partly refused"
        found.cases[state] += 1
        for output in case.outputs:
            if output.expected is None or output.what is None:
                found.refused[output.refused or "no reason is known"] += 1
                continue
            count = found.kinds.setdefault(kind(output), Count())
            start = time.process_time()
            computed = compute(output.what)
            count.seconds += time.process_time() - start
            assert computed.shape == output.expected.shape, output.label
            different = int(np.count_nonzero(computed != output.expected))
            count.outputs += 1
            count.elements += computed.size
            count.different += different
            if different:
                found.differences.append(f"{output.label}: {different} of {computed.size} differ")
    return found


def folder(given: Path) -> Path:
    """The folder with the index, in one that is given."""
    for path in (given, given / "hw_mini", given / "tests" / "data" / "hw_mini"):
        if any((path / name).exists() for name in ("index.json", "index.json.xz")):
            return path
    raise FileNotFoundError(f"{given}: expected a folder with index.json, hw_mini/ or tests/data/hw_mini/")


def fetch(into: Path) -> Path:
    """The source distribution of mmaemu 0.1.0, by pip, unpacked."""
    options = ["--no-deps", "--no-binary", ":all:", "--dest", str(into)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, "mmaemu==0.1.0"], check=True, stdout=sys.stderr)
    archive = into / "mmaemu-0.1.0.tar.gz"
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == SDIST, f"{archive} is not the one that was recorded from"
    with tarfile.open(archive) as file:
        file.extractall(into, filter="data")
    return into / "mmaemu-0.1.0"


def main() -> int:
    """Replays, and says whether all bits agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SUBSET)
    parser.add_argument("--fetch", action="store_true", help="fetch mmaemu 0.1.0 from PyPI, and replay all of it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        where = folder(fetch(Path(temporary)) if given.fetch else given.folder)
        found = replay(Recordings(where).cases())
    print(found.report())
    return 1 if found.total().different else 0


if __name__ == "__main__":
    sys.exit(main())
