"""Linear layers in FP8 on units of every width: AntiBERTy, with sums that keep 10 to 25 fraction bits.

    pip install './python[torch]' && pip install --no-deps antiberty==0.1.3
    python python/examples/fp8_widths.py

Weights and inputs of 49 linear layers are converted to e4m3 with one scale for each tensor; all else is in f32. A sum of products is
that of a unit with 32 products, or exact. Hopper keeps 13 fraction bits, Blackwell 25. With `--svg FILE` the table is drawn as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import mmasmt.torch as mt
import torch
from antiberty import AntiBerty, loaded, masked
from torch import nn

E4M3 = torch.float8_e4m3fn
WIDTHS = range(10, 26)
MOST = torch.finfo(E4M3).max


@dataclass
class Sums:
    """How sums are made: by a unit of some width, by a machine, or exactly; errors of products are relative to the exact ones."""

    machine: str = "RTX 5090"
    width: int | None = None
    exact: bool = False
    fast: bool = True
    is_measured: bool = True
    errors: list[torch.Tensor] = field(default_factory=list)

    def product(self, a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        if self.exact:
            return self.exactly(a, b, scale).float()
        plans = []
        if self.width is not None:
            # The accumulator has as many bits, or those of f32.
            unit = f"fda:K=32,F={self.width},frac={min(self.width, 23)},in=e4m3"
            plans = [mt.Rule(mt.Plan(unit, source="a sweep"))]
        one = torch.tensor(1.0)
        found = mt.scaled_mm(
            a, b, scale, one, machine=self.machine, plans=plans, out_dtype=torch.float32, use_fast_accum=self.fast, threads=1
        )
        if self.is_measured:
            exact = self.exactly(a, b, scale)
            self.errors.append((found.double() - exact).norm() / exact.norm())
        return found

    @staticmethod
    def exactly(a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        """Sums in f64, whose rounding is far below that of any unit."""
        return (a.double() @ b.double()) * scale.double()


class Linear(nn.Module):
    """A linear layer whose product is in FP8."""

    def __init__(self, layer: nn.Linear, sums: Sums) -> None:
        super().__init__()
        self.sums, self.bias = sums, layer.bias
        self.scale = layer.weight.abs().max().float() / MOST
        self.weight = (layer.weight / self.scale).to(E4M3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.flatten(0, -2)
        scale = rows.abs().max().float() / MOST
        found = self.sums.product((rows / scale).to(E4M3), self.weight.T, scale * self.scale)
        return (found.unflatten(0, x.shape[:-1]) + self.bias).to(x.dtype)


@contextmanager
def in_fp8(model: AntiBerty, sums: Sums) -> Iterator[None]:
    """The model with its linear layers in FP8, but for the last one, which has 25 results."""
    own = [(parent, name, layer) for parent in model.modules() for name, layer in parent.named_children() if type(layer) is nn.Linear]
    own = [(parent, name, layer) for parent, name, layer in own if name != "decoder"]
    for parent, name, layer in own:
        setattr(parent, name, Linear(layer, sums))
    try:
        yield
    finally:
        for parent, name, layer in own:
            setattr(parent, name, layer)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--svg", help="the file of a picture; needs matplotlib")
    options = parser.parse_args()
    torch.set_num_threads(1)
    model, words = loaded()
    ids, _ = masked(words)
    ways = {"exact": Sums(exact=True), **{f"F={width}": Sums(width=width) for width in WIDTHS}}
    ways |= {"H100, fast": Sums("H100"), "H100": Sums("H100", fast=False), "RTX 5090": Sums()}
    found, rows = {}, {}
    with torch.no_grad():
        wanted, logits = model.double()(ids)
        model.float()
        for name, sums in ways.items():
            with in_fp8(model, sums):
                found[name] = hidden, own = model(ids)
            error = float((hidden - wanted).abs().mean())
            of_products = float(torch.stack(sums.errors).mean()) if sums.errors else 0.0
            beside = float((hidden - found["exact"][0]).abs().mean())
            unlike = int((own.argmax(-1) != logits.argmax(-1)).sum())
            rows[name] = of_products, error, beside
            print(
                f"{name:10}  products {of_products:.1e}  hidden beside f64 {error:.4f}, beside exact sums {beside:.4f}  "
                f"predictions unlike f64 {unlike}",
                flush=True,
            )
    for machine, width in (("H100, fast", 13), ("RTX 5090", 25)):
        assert torch.equal(found[machine][0], found[f"F={width}"][0]), machine
    if options.svg:
        draw(rows, options.svg)


def draw(rows: dict[str, tuple[float, float, float]], path: str) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 3.6), layout="constrained")
    widths = [f"F={width}" for width in WIDTHS]
    axes.plot(WIDTHS, [rows[name][0] for name in widths], marker="o", label="one product, relative")
    axes.plot(WIDTHS, [rows[name][2] for name in widths], marker="s", label="hidden values, beside exact sums")
    axes.plot(WIDTHS, [rows[name][1] for name in widths], marker="^", label="hidden values, beside f64")
    axes.set(yscale="log", xlabel="fraction bits of a sum", ylabel="mean error", xticks=WIDTHS)
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    main()
