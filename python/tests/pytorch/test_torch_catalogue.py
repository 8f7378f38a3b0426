"""Catalogues of cuBLAS dispatch as rules: each recipe beside its sums, added one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt
import mmasmt.torch as mt

UNIT = "ampere/mma.m16n8k16.f32.bf16.bf16.f32"
META = {"sku": "A100", "dtype_in": "bf16", "dtype_out": "bf16", "dtype_compute": "fp32", "M_grid": [1, 16, 32, 64]}


def written(path: Path, *regions: dict[str, Any], **meta: Any) -> Path:
    usual = {"M_min": 1, "M_max": 64, "verified": True, "recipe_kwargs": {"tb_K": 64}, "split_k": 1}
    data = {"meta": {**META, **meta}, "lanes": [{"N": 8, "K": 320, "regions": [{**usual, **region} for region in regions]}]}
    path.write_text(json.dumps(data))
    return path


def summed(a: Any, b: Any, parts: list[list[int]]) -> list[Any]:
    """Sums of parts of k in f32."""
    return [mmasmt.matmul(a[:, at].contiguous(), b[at].contiguous(), model=UNIT) for at in parts]


@pytest.mark.parametrize("recipe, split", [("single_walk", 1), ("workspace_outtype", 3), ("cutlass_bf16_out", 3), ("sliced_kernel", 1)])
def test_recipes(recipe: str, split: int, tmp_path: Path) -> None:
    a, b = (torch.randn(*shape, generator=torch.Generator().manual_seed(0)).bfloat16() for shape in ((16, 320), (320, 8)))
    name = recipe if recipe == "single_walk" else f"split_k_{recipe}"
    sizes = {"tb_K": 64, "warp_K": 32} if recipe == "sliced_kernel" else {"tb_K": 64}
    rules = mt.catalogue(written(tmp_path / "c.json", {"recipe": name, "split_k": split, "recipe_kwargs": sizes}))
    # 5 tiles of 64 in 3 parts: two, two and one.
    places = [list(range(128)), list(range(128, 256)), list(range(256, 320))]
    if recipe == "single_walk":
        wanted = summed(a, b, [list(range(320))])[0].bfloat16()
    elif recipe == "sliced_kernel":
        one, other = summed(a, b, [[k for k in range(320) if k // 32 % 2 == warp] for warp in (0, 1)])
        wanted = (one + other).bfloat16()
    else:
        sums = summed(a, b, places)
        total = sums[0].bfloat16()
        for part in sums[1:]:
            total = (total.float() + part).bfloat16()
        stored = [part.bfloat16().float() for part in sums]
        wanted = total if recipe == "cutlass_bf16_out" else ((stored[0] + stored[1]) + stored[2]).bfloat16()
    with mt.emulate("A100", plans=rules, unknown="error") as run:
        assert torch.equal(torch.mm(a, b), wanted)
    assert run.calls[0].plan.verified == "reported"


def test_what_was_looked_at(tmp_path: Path) -> None:
    path = written(tmp_path / "c.json", {"recipe": "single_walk", "M_max": 32}, {"recipe": "single_walk", "M_min": 64, "verified": None})
    rules = mt.catalogue(path)

    def status(m: int, n: int = 8) -> str | None:
        shape = mt.Shape("mm", 1, m, n, 320, "bf16", "bf16")
        return next((plan.verified for rule in rules if (plan := rule(shape)) is not None), None)

    assert [status(m) for m in (1, 16, 17, 32, 33, 64)] == ["reported", "reported", "assumed", "reported", None, "assumed"]
    assert status(16, 9) is None


def test_what_no_plan_says_is_left_out(tmp_path: Path) -> None:
    regions = [
        {"recipe": "split_k_sliced_kernel", "split_k": 2},
        {"recipe": "single_walk", "verified": False},
        {"recipe": "another"},
        {"error": "inspector"},
    ]
    with pytest.warns(mt.Unknown, match="4 of 4 regions have no plan here"):
        assert mt.catalogue(written(tmp_path / "c.json", *regions)) == []
    with pytest.raises(ValueError, match="expected products of bf16 in f32, found f16 -> bf16 -> fp32"):
        mt.catalogue(written(tmp_path / "c.json", dtype_in="f16"))
    (tmp_path / "d.json").write_text("{}")
    with pytest.raises(ValueError, match="d.json: expected a catalogue with meta and lanes, found one without 'meta'"):
        mt.catalogue(tmp_path / "d.json")
