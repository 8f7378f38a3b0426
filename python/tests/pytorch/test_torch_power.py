"""Elements near a boundary tell machines apart that drawn ones do not, the report says which, and a search has an end."""

from __future__ import annotations

import random
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from logs import changed, drawn, model, recorded
from mmasmt._emulation.units import unit_of
from mmasmt.torch._boundary import distance, nearest
from mmasmt.torch._operator import Operands
from mmasmt.torch._product import product
from mmasmt.torch._rounding import bits, ranks

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16}


def log_of_a_layer(kind: str) -> mt.Recording:
    torch.manual_seed(0)
    layer = torch.nn.Linear(512, 1024, bias=False).to(TYPES[kind])
    with mt.emulate("H100", unknown="ignore"):
        return mt.record(layer, drawn(64, 512).to(TYPES[kind]), machine="H100")


@pytest.mark.parametrize("out", [torch.float16, torch.bfloat16, torch.float32])
def test_distance_of_a_boundary(out: Any) -> None:
    """Numbers of a format are half a place away, middles of two neighbours not at all, and subnormal numbers as others."""
    least = torch.finfo(out).smallest_normal * torch.tensor([0.25, 1, 3], dtype=torch.float64)
    for x in (drawn(100).double(), least):
        own = x.to(out)
        above = torch.nextafter(own, torch.full_like(own, torch.inf)).double()
        own = own.double()
        assert torch.allclose(distance(own, out), torch.tensor(0.5, dtype=torch.float64))
        assert torch.allclose(distance((own + above) / 2, out), torch.tensor(0.0, dtype=torch.float64))
        assert torch.allclose(distance(own + (above - own) / 4, out), torch.tensor(0.25, dtype=torch.float64))
    assert distance(torch.tensor([0.0, torch.nan, torch.inf, 1e300], dtype=torch.float64), out).isinf().all()


def test_nearest_are_those_of_the_least_distance() -> None:
    a, b = drawn(2, 6, 40).half(), drawn(2, 40, 5, seed=1).half()
    bias = drawn(5, seed=2)
    found = nearest(mt.Plan("", out="f16"), Operands(a, b, bias=bias), 7, random.Random(0))
    apart = distance(a.double() @ b.double() + bias.double(), torch.float16).reshape(-1)
    assert sorted(found.tolist()) == sorted(apart.argsort()[:7].tolist())


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_the_power_of_an_audit(kind: str) -> None:
    log = log_of_a_layer(kind)
    found = mt.audit(log, elements=64, seed=0)
    by_chance = mt.audit(log, elements=64, seed=0, near=None)
    assert found.is_equal and found.power.elements == found.findings[0].compared <= 64
    assert sum(found.power.shown.values()) > 2 * sum(by_chance.power.shown.values())
    assert found.power.shown["cdna3"] >= 4 and found.power.shown["k in 4 parts of tiles of 16"] >= 4
    assert "rtx-blackwell (the same unit)" in found.report() and "48 of them nearest to where" in found.report()
    # What a log of that machine would have shown.
    a, b = (x[None] for x in log.arguments(log.entries[0])[0])
    own, other = (product(a, b, mt.Plan(unit_of(name, kind).model, out=kind)) for name in ("H100", "MI300X"))
    theirs = mt.audit(changed(log, ..., other.reshape(64, 1024)), elements=64, seed=0, search=False)
    assert theirs.findings[0].different == found.power.shown["cdna3"]
    assert int((bits(own) != bits(other)).sum()) < 400


def test_a_search_has_an_end() -> None:
    log = changed(recorded("H100"), (0, 0), 9.0)
    found = mt.audit(log, timeout=0)
    assert found.different[0].is_cut and not found.different[0].tried
    assert "the search ended with its time, before all were tried: pass timeout=" in found.report()
    whole = mt.audit(log, timeout=None)
    assert not whole.different[0].is_cut and whole.different[0].tried > 100 and not whole.different[0].matches


def test_other_operands_are_reported_with_their_size() -> None:
    log, x = recorded("H100"), drawn(6, 64).half()
    operands = log.get(log.entries[1].args[1]).clone()
    operands[0, :3] = torch.nextafter(operands[0, :3], torch.tensor(9.0).half())
    log.entries[1].args[1] = log.put(operands, "1.changed")
    found = mt.audit(log, model=model(), inputs=x, search=False)
    (text,) = (one for one in found.mismatches if "operands" in one)
    assert "operands of 1 calls are not those that the model gives" in text and "3 of 456 elements differ (0.658 %), by 1 ulp at most" in text


def test_ranks() -> None:
    for out in (torch.float16, torch.bfloat16, torch.float32):
        x = torch.tensor([-1.0, -0.0, 0.0, 1.0]).to(out)
        above = torch.nextafter(x, torch.full_like(x, 9.0))
        assert (ranks(above) - ranks(x)).tolist() == [1, 1, 1, 1]
    assert ranks(torch.tensor([0x80, 0x00, 0x01, 0x81], dtype=torch.uint8).view(torch.float8_e4m3fn)).tolist() == [0, 0, 1, -1]


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="near: expected boundary or None, found 'middle'"):
        mt.audit(recorded("H100"), elements=4, near="middle")
