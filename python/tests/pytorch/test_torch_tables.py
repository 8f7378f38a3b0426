"""Tables of plans behind an emulation: what mmaemu answers for the same shapes, and what an RTX 4060 gave."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import mmasmt
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt._emulation.composed import plan_of_composition
from mmasmt._emulation.plans import plan_of
from mmasmt.torch._product import product
from mmasmt.torch._rounding import bits
from mmasmt._emulation.tables import library_of, rules_of

sys.path.insert(0, str(Path(__file__).parents[1]))
E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
KINDS = {"e4m3": E4M3, "e5m2": E5M2}
OUT = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, **KINDS}
UNIT = "ampere/HMMA.16816.F32.BF16"

TABLE = """
format = "mmasmt-plans/1"
machine = "A100"
library = "cuBLAS 12.4"
source = "a test"

[defaults]
bias = false
workspace = 1048576

[[rule]]
op = "addmm"
bias = true
layout = "tn"
K = 256
plan = "epilogue(splitk(UNIT):S=2,tile=64,part=bf16):beta=1,out=bf16"
status = "recorded"

[[rule]]
op = "mm"
bias = false
K = 200
plan = "epilogue(splitk(UNIT):S=3,tile=64,lost=64):out=bf16"
status = "reported"

[[rule]]
op = "mm"
workspace = 0
plan = "epilogue(UNIT):out=bf16"
status = "inferred"

[[rule]]
plan = "epilogue(UNIT):out=bf16"
""".replace("UNIT", UNIT)


@pytest.fixture
def table(tmp_path: Path) -> mmasmt.Plans:
    (tmp_path / "a100.toml").write_text(TABLE)
    return mmasmt.Plans(tmp_path / "a100.toml")


def drawn(*shape: int, seed: int = 0, kind: Any = torch.bfloat16) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(kind)


def test_a_table_of_ones_own(table: mmasmt.Plans) -> None:
    x, w, bias = drawn(4, 256), drawn(8, 256, seed=1), drawn(8, seed=2)
    with mt.emulate("A100", plans=table, unknown="ignore") as run:
        found = torch.nn.functional.linear(x, w, bias)
        torch.addmm(bias, x, w.T.contiguous())
        x @ w.T
    assert [(call.plan.parts, call.plan.verified) for call in run.calls] == [(2, "recorded"), (1, "assumed"), (1, "assumed")]
    said = mt.explain("linear", [(4, 256), (8, 256), (8,)], torch.bfloat16, machine="A100", plans=table)
    assert [(call.shape.op, call.plan.parts) for call in said.calls] == [("addmm", 2)]
    halves = [mmasmt.matmul(x[:, at], w[:, at].T, model=UNIT).bfloat16().float() for at in (slice(0, 128), slice(128, 256))]
    assert torch.equal(bits(found), bits((halves[0] + halves[1] + bias.float()).bfloat16()))
    with mt.emulate("A100", plans=table, workspace=0, unknown="error") as run:
        x @ w.T
    assert run.calls[0].plan.verified == "inferred" and "INFERRED: the plans of 1 product of 1 shape" in run.report()


def test_what_no_plan_can_say_is_a_unit(table: mmasmt.Plans) -> None:
    a, b = drawn(4, 200), drawn(200, 8, seed=1)
    with mt.emulate("A100", plans=[table], unknown="error") as run:
        found = a @ b
    assert run.calls[0].plan.order_text() == "as composed"
    wanted = mmasmt.matmul(a, b, model=f"splitk({UNIT}):S=3,tile=64,lost=64,K=200").bfloat16()
    assert torch.equal(bits(found), bits(wanted))


@pytest.mark.parametrize(
    "inner",
    [
        "splitk(hopper/wgmma.m64nNk32.f32.e4m3.e4m3):S=3,tile=128",
        "splitk(promote(ada/mma.m16n8k32.f32.e4m3.e4m3.f32):every=4):S=3,tiles=strided,tile=64,combine=pairwise",
        "promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3):every=2",
        "splitk(hopper/wgmma.m64nNk32.f32.e4m3.e4m3):S=2,tile=64,first=32",
    ],
)
def test_a_plan_is_its_composition(inner: str) -> None:
    a, b = drawn(1, 4, 480, kind=E4M3), drawn(1, 480, 4, seed=1, kind=E4M3)
    plan = plan_of_composition(f"epilogue({inner}):alpha=1,out=bf16", source="a test", verified="recorded")
    assert (plan.parts > 1 or plan.every > 0) == ("first" not in inner)
    assert torch.equal(bits(product(a, b, plan)), bits(mmasmt.matmul(a, b, model=f"epilogue({inner}):alpha=1,out=bf16")))


def test_plans_of_another_machine_are_refused() -> None:
    a = drawn(208, 1024, kind=E4M3)
    with pytest.raises(mt.Refused, match="expected plans for RTX 4090, found instructions of hopper in the table of H100 PCIe"):
        mt.scaled_mm(a, a.T, torch.tensor(1.0), torch.tensor(1.0), machine="RTX 4090", plans=decided("h100-fp8", "heur_h100pcie"))


def decided(table: str, file: str) -> mmasmt.Plans:
    """A table with the decisions that the package mmaemu has."""
    mmaemu = pytest.importorskip("mmaemu", reason="mmaemu is not installed: pip install --no-deps mmaemu==0.1.0")
    return mmasmt.Plans(table, decisions=Path(mmaemu.__file__).parent / "platform" / "data" / f"{file}_lt12.8.3.14.npz")


@pytest.mark.parametrize(
    "machine, library, text",
    [
        ("H100", "cublaslt 11", "found 'cublaslt 11' on H100; there are cuBLAS 13.1.0.3 on H100 SXM, cuBLASLt 12.8.3.14 on H100 PCIe"),
        ("H100 SXM", "cublaslt 12.8", "found 'cublaslt 12.8' on H100 SXM"),
        ("A100", "cublas", "found 'cublas' on A100"),
    ],
)
def test_unknown_libraries(machine: str, library: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mt.emulate(machine, library=library)


def test_a_bias_is_not_known() -> None:
    """The decisions are those without a bias."""
    a, b, one = drawn(16, 8192, kind=E4M3), drawn(512, 8192, seed=1, kind=E4M3).T, torch.tensor(1.0)
    with mt.emulate("H100", plans=decided("h100-fp8", "heur_h100pcie"), unknown="ignore") as run:
        for bias in (None, torch.zeros(512).bfloat16()):
            torch._scaled_mm(a, b, one, one, bias, None, torch.bfloat16)
    assert [(call.plan.parts, call.plan.verified) for call in run.calls] == [(3, "recorded"), (1, "assumed")]


def test_another_product_may_have_another_plan() -> None:
    a, one, table = drawn(16, 8192, kind=E4M3), torch.tensor(1.0), decided("rtx4060-fp8", "heur_rtx4060")
    statuses = []
    for machine in ("RTX 4060", "RTX 4090"):
        with mt.emulate(machine, plans=table, unknown="error", workspace=0) as run:
            torch._scaled_mm(a, a.T, one, one)
        statuses.append(run.calls[0].plan.verified)
    assert statuses == ["recorded", "inferred"]


def test_a_library_stands_alone() -> None:
    """What was recorded of cuBLAS 13 does not count where cuBLASLt 12.8 is asked for."""
    pytest.importorskip("mmaemu")
    shape = [(64, 4096), (4096, 64)], torch.bfloat16
    assert mt.explain("mm", *shape, machine="H100", library="cublas 13").calls[0].plan.parts == 3
    assert mt.explain("mm", *shape, machine="H100", library="cublaslt 12.8").calls[0].plan.verified == "assumed"


def test_the_decisions_are_in_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"found no heur_h100pcie_lt12.8.3.14.npz: pip install --no-deps mmaemu==0.1.0, or pass plans="):
        mt.emulate("H100", library="cublaslt 12.8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("profile", ["hopper", "hopper-te", "hopper-ws0", "ada", "ada-te", "ada-ws0"])
def test_parts_are_those_that_mmaemu_answers(profile: str) -> None:
    """Rows of its tables, and shapes beside them, which it infers or does not know."""
    platform = pytest.importorskip("mmaemu.platform", reason="mmaemu is not installed: pip install --no-deps mmaemu==0.1.0")
    errors = pytest.importorskip("mmaemu.errors")
    known = platform.get_profile(profile)
    machine = {"hopper": "H100 PCIe", "ada": "RTX 4060"}[known.preset]
    rules = library_of(machine, "cublaslt 12.8.3").rules(machine, known.workspace_bytes)
    columns = np.load(Path(platform.__file__).parent / "data" / f"{known.splitk_table}.npz")
    draw = np.random.default_rng(0)
    split = np.flatnonzero(columns["splitK"] > 1)
    rows = np.concatenate([draw.integers(0, len(columns["M"]), 300), draw.choice(split, 300)])
    shapes = np.stack([columns[name][rows] for name in "MNK"], 1).tolist()
    shapes += (16 * draw.integers(1, 600, (200, 3))).tolist()
    statuses = set()
    for number, (m, n, k) in enumerate(shapes):
        a, b = ("e4m3", "e4m3") if number % 2 else ("e4m3", "e5m2")
        out, fast = list(OUT)[number % 4], bool(number // 2 % 2)
        shape = mt.Shape("_scaled_mm", 1, m, n, k, f"{a}.{b}", out, fast, "tensor")
        plan, _ = plan_of(machine, shape, (), rules)
        asked = {"a_dtype": KINDS[a], "b_dtype": KINDS[b], "out_dtype": OUT[out], "use_fast_accum": fast, "profile": profile}
        try:
            decided = platform.resolve_splitk(m, n, k, **asked, dry=True)
        except errors.SplitKUnknownError:
            assert plan.verified == "assumed" and plan.parts == 1, shape
            statuses.add("assumed")
            continue
        status = "inferred" if decided.source == "envelope" else "recorded"
        statuses.add(status)
        combine, order, tile = ("pairwise" if decided.scheme == "pairwise" else "serial"), "contiguous", 128
        if known.preset == "ada":
            order, tile = "strided", 64
        assert (plan.verified, plan.parts, plan.every) == (status, decided.S, 0 if fast else 128), (shape, decided)
        assert decided.S == 1 or (plan.combine, plan.order, plan.tile) == (combine, order, tile), (shape, decided)
    assert "recorded" in statuses and (known.workspace_bytes == 0) == (statuses == {"recorded"})


def test_recordings_of_an_rtx_4060() -> None:
    """Calls that were recorded, by way of PyTorch's own operator: the table finds their parts."""
    pytest.importorskip("mmaemu", reason="mmaemu is not installed: pip install --no-deps mmaemu==0.1.0")
    from recordings import Product, Recordings
    from replay import SUBSET, folder

    seen = {"one chain": 0, "split": 0}
    where = os.environ.get("MMASMT_MMAEMU")
    with mt.emulate("RTX 4060", library="cublaslt 12.8", unknown="ignore") as run:
        for case in Recordings(SUBSET if where is None else folder(Path(where))).cases():
            for output in case.outputs if case.kind == "gemm_call" else ():
                what = output.what
                if output.expected is None or not isinstance(what, Product) or not what.a.size or not what.b.size:
                    continue
                a, b = (torch.from_numpy(x.copy()).view(KINDS[kind]) for x, kind in zip((what.a, what.b), what.factors))
                scales = [torch.from_numpy(np.array(x, np.uint32).view(np.float32).copy()) for x in what.scales]
                last = what.scale_result
                result = None if last is None else torch.from_numpy(np.array(last, np.uint32).view(np.float32).copy())
                run.log.calls.clear()
                run.log._by_key.clear()
                found = torch._scaled_mm(a, b.T, *scales, None, result, OUT[what.out], what.fast)
                (call,) = run.log.calls
                if call.plan.verified == "assumed":
                    continue
                assert np.array_equal(bits(found).numpy().view(output.expected.dtype), output.expected), output.label
                seen["split" if call.plan.parts > 1 else "one chain"] += 1
    print(seen)
    assert seen["one chain"] > 20 and seen["split"]


def test_rules_of_names_and_functions() -> None:
    rule = mt.Rule(mt.Plan("", parts=2, source="a test"), "mm")
    assert len(rules_of("H100", rule)) == len(rules_of("H100", "h100-fp8")) == 1
    assert rules_of("H100", ["h100-fp8", rule])[1] is rule
    with pytest.raises(ValueError, match="expected a table of plans, FILE.toml or one of h100-fp8, rtx4060-fp8, cublaslt, found `h200`"):
        mt.emulate("H100", plans="h200")


def test_a_result_that_cublaslt_rejects() -> None:
    a, one = drawn(16, 64, kind=E4M3), torch.tensor(1.0)
    with pytest.raises(mt.Refused, match="has no result in torch.float8_e5m2, since cuBLASLt rejects it"):
        mt.scaled_mm(a, a.T, one, one, machine="H100", out_dtype=E5M2)
