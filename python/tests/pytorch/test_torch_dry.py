"""A dry run has the products of the emulation, without any number; logs as JSON, and as the list that a recorder takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from torch import nn
from torch.nn import functional

LIBRARIES = Path(__file__).parents[3] / "kernels" / "libraries"


class Block(nn.Module):
    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads, self.norm = heads, nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size, bias=False)

    def forward(self, x: Any) -> Any:
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(self.norm(x)).chunk(3, -1))
        return x + self.out(functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))


def language(layers: int, size: int, heads: int, words: int) -> Any:
    blocks = [Block(size, heads) for _ in range(layers)]
    return nn.Sequential(nn.Embedding(words, size), *blocks, nn.Linear(size, words, bias=False)).bfloat16().eval()


def vision() -> Any:
    parts = [nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3, groups=8), nn.Flatten(), nn.Linear(8 * 12 * 12, 5)]
    return nn.Sequential(*parts)


MODELS: dict[str, tuple[Any, Any]] = {
    "language": (lambda: language(2, 64, 4, 100), lambda: torch.zeros(2, 9, dtype=torch.int64)),
    "vision": (vision, lambda: torch.zeros(2, 3, 16, 16)),
    "cells": (lambda: nn.LSTM(8, 6, 2), lambda: torch.zeros(3, 2, 8)),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_dry_run_has_the_products_of_the_emulation(name: str) -> None:
    made, inputs = (one() for one in MODELS[name])
    found = mt.dry_run(made, inputs, machine="H100", unknown="ignore")
    with torch.no_grad(), mt.emulate("H100", unknown="ignore") as run:
        made(inputs)
    assert [(str(call.shape), call.plan, call.module, call.count) for call in found.calls] == [
        (str(call.shape), call.plan, call.module, call.count) for call in run.calls
    ]
    assert "a dry run: seconds are estimated" in found.report() and all(call.seconds > 0 for call in found.calls)


def test_a_model_of_any_size() -> None:
    """Seven thousand million parameters, none of them there."""
    with torch.device("meta"):
        large = language(32, 4096, 32, 32000)
    found = mt.dry_run(large, torch.zeros(1, 64, dtype=torch.int64), machine="H100")
    linear = [call for call in found.calls if call.shape.op in ("mm", "addmm")]
    matrices = sum(x.numel() for name, x in large.named_parameters() if x.dim() == 2 and not name.startswith("0."))
    assert sum(call.products for call in linear) == 64 * matrices
    assert sum(call.seconds for call in found.calls) > 1


def test_what_depends_on_numbers_cannot_be_asked() -> None:
    with pytest.raises(Exception, match="_local_scalar_dense|data-dependent|data dependent"):
        mt.dry_run(lambda x: x @ x if x.sum().item() > 0 else x, torch.ones(2, 2), machine="H100")
    with pytest.raises(mt.Refused, match="linalg_inv_ex of .* is not emulated for H100"):
        mt.dry_run(torch.linalg.inv, torch.ones(2, 2), machine="H100")


def test_an_estimate_is_about_right() -> None:
    """Within 5 on whatever runs beside it; within 2 on a machine that is at rest."""
    layer, x = nn.Linear(512, 512, bias=False).half(), torch.zeros(64, 512).half()
    found = mt.dry_run(layer, x, machine="H100", threads=1)
    seconds = []
    for _ in range(5):
        with torch.no_grad(), mt.emulate("H100", unknown="ignore", threads=1) as run:
            layer(x)
        seconds.append(run.calls[0].seconds)
    assert min(seconds) / 5 < found.calls[0].seconds < 5 * max(seconds)


def test_a_log_as_json() -> None:
    made, inputs = (one() for one in MODELS["language"])
    with torch.no_grad(), mt.emulate("H100", unknown="ignore", compare="A100") as run:
        made(inputs)
    found = json.loads(json.dumps(run.json()))
    assert [row["macs"] for row in found["calls"]] == [call.products for call in run.calls]
    assert found["calls"][0]["op"] == "addmm" and found["calls"][0]["module"] == "Sequential.1.qkv" and found["calls"][0]["compared"]
    assert found["notes"] == dict(run.log.notes) and found["native"] == {} and found["refused"] == {}


@pytest.mark.skipif(not LIBRARIES.exists(), reason="the programs that record are not here")
def test_products_for_the_recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LIBRARIES))
    import plan_records

    made, inputs = (one() for one in MODELS["language"])
    with torch.no_grad(), mt.emulate("H100", unknown="ignore") as run:
        made(inputs)
        torch.ones(3, 8) @ torch.ones(8, 2)
        one = torch.tensor(1.0)
        eight = torch.ones(16, 32).to(torch.float8_e4m3fn)
        torch._scaled_mm(eight, eight.T, one, one, out_dtype=torch.bfloat16, use_fast_accum=True)
    left_out = run.products(tmp_path / "products.jsonl")
    assert {call.shape.op for call in left_out} == {"attention.scores", "attention.values"}
    cases = [plan_records.case_of(json.loads(line)) for line in (tmp_path / "products.jsonl").read_text().splitlines()]
    assert len(cases) == len({str(case) for case in cases}) == 5
    assert [case["op"] for case in cases] == ["addmm", "mm", "mm", "mm", "_scaled_mm"]
    assert (cases[0]["M"], cases[0]["N"], cases[0]["K"], cases[0]["a"], cases[0]["bias"]) == (18, 192, 64, "bf16", True)
    assert cases[4]["fast"] and cases[4]["out"] == "bf16"
