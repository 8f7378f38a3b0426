"""The examples: models with weights of packages from PyPI, and units of any width in their linear layers."""

from __future__ import annotations

import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt

EXAMPLES = str(Path(__file__).parents[2] / "examples")


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A file of the folder, which has the name of a package in one case."""
    monkeypatch.syspath_prepend(EXAMPLES)
    yield import_module
    for name in ("antiberty", "crepe", "fp8_widths", "machines"):
        sys.modules.pop(name, None)


def needs(name: str, version: str) -> None:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed: pip install --no-deps {name}=={version}")


def test_crepe_hears_notes(example: Any) -> None:
    """On every machine, within half a step of the scale that the notes are on."""
    needs("torchcrepe", "0.0.24")
    crepe = example("crepe")
    model, sounds = crepe.loaded().half(), crepe.sounds().half()
    with torch.no_grad(), mt.emulate("H100", unknown="ignore") as run:
        _, logits = model(sounds)
    heard = crepe.STEP * logits.argmax(-1).double() + crepe.LOWEST
    assert float((heard - 1200 * (torch.tensor(crepe.NOTES).double() / 10).log2()).abs().max()) < 50
    assert [call.shape.op for call in run.calls] == ["convolution"] * 6 + ["addmm"] and not run.native


def test_antiberty_finds_masked_residues(example: Any) -> None:
    needs("antiberty", "0.1.3")
    antiberty = example("antiberty")
    model, words = antiberty.loaded()
    ids, wanted = antiberty.masked(words)
    with torch.no_grad():
        _, logits = model(ids)
    assert torch.equal(logits[0, torch.tensor(antiberty.MASKED) + 1].argmax(-1), wanted)


@pytest.mark.parametrize("machine, width", [("H100", 13), ("RTX 5090", 25)])
def test_a_layer_on_a_unit_of_some_width(example: Any, machine: str, width: int) -> None:
    """The widths of two machines are those of their instructions, and the error is that of the product."""
    fp8_widths = example("fp8_widths")
    torch.manual_seed(0)
    layer, x = torch.nn.Linear(96, 32), torch.randn(2, 8, 96)
    own, other = fp8_widths.Sums(width=width), fp8_widths.Sums(machine)
    with torch.no_grad():
        found, wanted, exact = (fp8_widths.Linear(layer, sums)(x) for sums in (own, other, fp8_widths.Sums(exact=True)))
    assert torch.equal(found, wanted) and found.shape == (2, 8, 32)
    total, best = (y.double() - layer.bias.double() for y in (found, exact))
    assert float(own.errors[0]) == pytest.approx(float((total - best).norm() / best.norm()), rel=0.2, abs=1e-7)
    assert float((exact - layer(x)).abs().mean()) < 0.05
