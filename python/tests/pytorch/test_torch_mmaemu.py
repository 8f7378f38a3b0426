"""Random FP8 products beside the reference of mmaemu 0.1.0 in f64: every class of its plans, splits, results, operands and scales."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import mmasmt
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
pytest.importorskip("mmaemu", reason="mmaemu is not installed: pip install --no-deps mmaemu==0.1.0")

import mmasmt.torch as mt
from mmaemu.model import epilogue
from mmaemu.model.chain import chain_gemm
from mmaemu.model.plan import execute_plan, make_plan
from mmasmt.torch._rounding import bits

TABLES = {"hopper": ("H100", "h100-fp8"), "ada": ("RTX 4060", "rtx4060-fp8")}
SPLITS = [("hopper", "none"), ("hopper", "contiguous"), ("ada", "none"), ("ada", "serial"), ("ada", "pairwise")]
FORMATS = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}
RESULTS = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, **FORMATS}
PAIRS = [("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3")]
OPERANDS = ["normal", "wide", "cancel", "codes", "special"]
SCALES = ["one", "random", "result", "extreme"]


def operand(draw: np.random.Generator, kind: str, rows: int, k: int, name: str) -> Any:
    """Codes of FP8: rows of k."""
    if kind == "special":
        # All codes, NaN and infinities among them; a few, so that not every sum is a NaN.
        codes = draw.integers(0, 256, (rows, k)).astype(np.uint8)
        ordinary = torch.from_numpy(draw.normal(size=(rows, k))).to(FORMATS[name]).view(torch.uint8).numpy()
        return torch.from_numpy(np.where(draw.random((rows, k)) < draw.choice([0.02, 0.5]), codes, ordinary))
    if kind == "codes":
        most = 0x7E if name == "e4m3" else 0x7B
        return torch.from_numpy((draw.integers(0, most + 1, (rows, k)) | draw.integers(0, 2, (rows, k)) << 7).astype(np.uint8))
    x = draw.normal(size=(rows, k)) * 2.0 ** (draw.integers(-8, 6, (rows, k)) if kind == "wide" else 0)
    if kind == "cancel":
        # The second half is the negative of the first; the other operand repeats itself.
        x[:, k // 2 :] = -x[:, : k - k // 2] if rows % 2 else x[:, : k - k // 2]
    return torch.from_numpy(x).to(FORMATS[name]).view(torch.uint8)


def scales(draw: np.random.Generator, kind: str) -> tuple[Any, Any, Any]:
    """Both scales and that of the result, numbers of f32; None for no scale of the result."""
    ordinary = draw.uniform(0.01, 4, 3)
    extreme = draw.choice([0.0, -0.0, 2.0**-149, 2.0**-100, 2.0**-70, 3e38, -1.7, np.inf, np.nan], 3)
    values = {"one": np.ones(3), "random": ordinary, "result": ordinary, "extreme": extreme}[kind]
    a, b, result = torch.from_numpy(values.astype(np.float32))
    return a, b, result if kind in ("result", "extreme") else None


@pytest.mark.parametrize("preset, order", SPLITS)
def test_the_reference_of_mmaemu(preset: str, order: str) -> None:
    machine, table = TABLES[preset]
    plans, draw = mmasmt.Plans(table), np.random.default_rng(SPLITS.index((preset, order)))
    seen, elements, different = Counter[str](), 0, []
    for (fast, out, kind), scale in itertools.product(itertools.product((True, False), RESULTS, OPERANDS), SCALES):
        a_kind, b_kind = PAIRS[draw.integers(1 if out == "e5m2" else 0, 3)]
        m, n = 2 * draw.integers(2, 9, 2) + [1, 0]
        k, parts = int(16 * draw.integers(1, 129)), 1 if order == "none" else int(draw.integers(2, 9))
        a, b = operand(draw, kind, m, k, a_kind), operand(draw, kind, n, k, b_kind)
        scale_a, scale_b, result = scales(draw, scale)

        plan = make_plan(k, fast=fast, S=parts, scheme=order, preset=preset)
        chain = lambda x, y: chain_gemm(x, y, fmt_a=a_kind, fmt_b=b_kind, preset=preset)  # noqa: B023, E731
        total = execute_plan(plan, a, b, fmt_a=a_kind, fmt_b=b_kind, chain_fn=chain)
        wanted = bits(epilogue.apply(total, scale_a, scale_b, out_dtype=RESULTS[out], scale_result=result))

        known = {"a": a_kind, "b": b_kind, "out": out, "fast": fast, "S": parts, "custom": int(order == "pairwise")}
        known |= {"alpha": text(scale_a * scale_b)} | ({} if result is None else {"scale": text(result)})
        said = plans.explain(m, n, k, **known)
        assert said.status == "recorded"
        left, right = a.view(FORMATS[a_kind]), b.view(FORMATS[b_kind]).T
        found = {"table": mmasmt.matmul(left, right, model=said.model)}
        rule = mt.Rule(mt.Plan("", parts, 128, source="a test"))
        if preset == "ada":
            combine = "pairwise" if order == "pairwise" else "serial"
            rule = mt.Rule(mt.Plan("", parts, 64, "strided", combine=combine, source="a test"))
        arguments = {"scale_result": result, "out_dtype": RESULTS[out], "use_fast_accum": fast, "plans": rule}
        found["PyTorch"] = mt.scaled_mm(left, right, scale_a, scale_b, machine=machine, **arguments)
        for name, own in found.items():
            wrong = int((bits(own) != wanted).sum())
            seen[name] += 1
            different += [f"{name}, {said.model}, {m} x {n} x {k}, {kind}, scales {scale}: {wrong}"] if wrong else []
        elements += wanted.numel()
    print(f"\n{preset}, {order}: {dict(seen)} products, {elements} elements, {len(different)} products with differences")
    assert not different
    assert seen["table"] == 200


def text(number: Any) -> str:
    """A number of f32 as a key of a model has it."""
    value = float(number)
    return value.hex() if np.isfinite(value) else str(value)


@pytest.mark.parametrize("changed", ["machine", "order", "parts", "fast"])
def test_other_plans_of_mmaemu_have_other_bits(changed: str) -> None:
    """The operands tell plans apart."""
    draw = np.random.default_rng(0)
    a, b = operand(draw, "codes", 48, 1024, "e4m3"), operand(draw, "codes", 48, 1024, "e5m2")

    def total(preset: str = "ada", order: str = "serial", parts: int = 5, fast: bool = False) -> Any:
        plan = make_plan(1024, fast=fast, S=parts, scheme=order, preset=preset)
        chain = lambda x, y: chain_gemm(x, y, fmt_a="e4m3", fmt_b="e5m2", preset=preset)  # noqa: E731
        return execute_plan(plan, a, b, fmt_a="e4m3", fmt_b="e5m2", chain_fn=chain)

    one, own = torch.tensor(1.0), mt.Rule(mt.Plan("", 5, 64, "strided", source="a test"))
    left, right = a.view(FORMATS["e4m3"]), b.view(FORMATS["e5m2"]).T
    found = mt.scaled_mm(left, right, one, one, machine="RTX 4060", out_dtype=torch.float32, plans=own)
    other: dict[str, dict[str, Any]] = {
        "machine": {"preset": "hopper", "order": "contiguous"},
        "order": {"order": "pairwise"},
        "parts": {"parts": 4},
        "fast": {"fast": True},
    }
    assert torch.equal(found, total()) and not torch.equal(found, total(**other[changed]))
