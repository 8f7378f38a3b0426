"""Plans are named from recorded bits: recordings that models of known plans have made, as no GPU is needed for them."""

import json
import sys
import types
from pathlib import Path

import mmasmt
import numpy as np
import pytest

LIBRARIES = Path(__file__).parents[2] / "kernels" / "libraries"
if not LIBRARIES.exists():
    pytest.skip("the programs that record are not here", allow_module_level=True)
sys.path.insert(0, str(LIBRARIES))

import cublaslt
import name_plans
import plan_candidates
import plan_records
import record_plans

WGMMA = "hopper/wgmma.m64nNk16.f32.bf16.bf16"
MMA = "hopper/mma.m16n8k16.f32.bf16.bf16.f32"
FP8 = "hopper/wgmma.m64nNk32.f32.e4m3.e4m3"
ADA = "ada/mma.m16n8k32.f32.e4m3.e4m3.f32"
SLOW = {"op": "_scaled_mm", "a": "e4m3", "fast": False}


def recorded(folder, model, shape, case=None, capability="9.0", **changes):
    """A file with the recordings of a product by a model, and what else a recording on a GPU would know."""
    path = folder / "records.jsonl"
    asked = [str(path), shape, "--on", model, "--capability", capability, "--case", json.dumps(case or {}), "--most", "16"]
    assert record_plans.main(asked) == 0
    lines = [json.dumps({**json.loads(line), **changes}) for line in path.read_text().splitlines()]
    path.write_text("".join(line + "\n" for line in lines))
    return path


def named(path, *options):
    """The status, and the table that is written."""
    status = name_plans.main([str(path), "-o", str(path.with_suffix(".toml")), *options])
    return status, path.with_suffix(".toml")


@pytest.mark.parametrize(
    ("plan", "shape", "case", "capability"),
    [
        (f"epilogue({WGMMA}):out=bf16", "8x16x200", {}, "9.0"),
        (f"epilogue(splitk({WGMMA}):S=3,tile=64):out=bf16", "16x24x512", {}, "9.0"),
        (f"epilogue(splitk({MMA}):S=1,first=64):out=bf16", "8x16x100", {}, "9.0"),
        (f"epilogue(promote({FP8}):every=4):alpha={{alpha}},out=bf16", "16x16x512", {**SLOW, "alpha": 0.75}, "9.0"),
        (f"epilogue(splitk(promote({ADA}):every=4):S=2,tile=64,tiles=strided):alpha={{alpha}},out=f32", "8x16x512", {**SLOW, "out": "f32"}, "8.9"),
        (f"epilogue({WGMMA}):beta=1,out=bf16", "8x16x128", {"op": "addmm"}, "9.0"),
        ("splitk(sfma:fmt=f64):S=2,tile=64", "4x8x256", {"a": "f64"}, "8.0"),
    ],
)
def test_a_plan_is_named(plan, shape, case, capability, tmp_path):
    model = plan.replace("{alpha}", float(case.get("alpha", 1)).hex())
    path = recorded(tmp_path, model, shape, case, capability)
    status, table = named(path)
    assert status == 0
    known = plan_records.case_of({**plan_records.case_of(shape), "b": None, "out": None, **case})
    found = mmasmt.Plans(table).explain(known["M"], known["N"], known["K"], alpha=float(known["alpha"]).hex())
    assert (found.status, found.source) == ("recorded", "our own recordings")
    # Another text may say the same plan; it is one if no bit of other operands differs.
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-8, 9, size) / 4.0 for size in ((4, known["K"]), (known["K"], 4)))
    assert np.array_equal(*(np.asarray(mmasmt.matmul(a, b, model=one)).view(np.uint8) for one in (found.model, model)))
    assert found.model == model


@pytest.mark.parametrize(
    ("plan", "shape", "fields"),
    [
        (f"epilogue(splitk({MMA}):S=3,tile=8,first=64,part=bf16):out=bf16", "8x16x200", {"algo": 21, "stages": 17, "reduction": 4, "S": 3}),
        (f"epilogue(splitk({WGMMA}):S=9,tile=64,lost=64):out=bf16", "4x8x584", {"algo": 66, "stages": 35, "S": 9}),
        # Of an algorithm that the table does not have.
        (f"epilogue(splitk({WGMMA}):S=5,tile=64,sum=bf16):out=bf16", "8x16x1024", {"algo": 41, "S": 5}),
        (f"epilogue(splitk({WGMMA}):S=31,tile=16,tiles=strided):out=bf16", "4x8x1000", {"algo": 41, "S": 31}),
    ],
)
def test_what_the_heuristic_says_comes_first(plan, shape, fields, tmp_path):
    path = recorded(tmp_path, plan, shape, heuristic={"status": 0, "custom": 0, **fields})
    status, table = named(path, "--seconds", "30")
    extents = list(map(int, shape.split("x")))
    assert (status, mmasmt.Plans(table).explain(*extents).model) == (0, plan)
    with pytest.raises(ValueError, match="no rule"):
        mmasmt.Plans(table).explain(*extents[:2], 201)


def test_products_with_one_plan_give_a_rule_of_fields(tmp_path):
    plan = f"epilogue({WGMMA}):out=bf16"
    fields = {"status": 0, "algo": 66, "stages": 35, "custom": 0, "reduction": 0, "S": 1}
    files = []
    for shape in ("8x16x64", "8x16x128"):
        (tmp_path / shape).mkdir()
        files.append(recorded(tmp_path / shape, plan, shape, heuristic=fields).read_text())
    path = tmp_path / "records.jsonl"
    path.write_text("".join(files))
    assert named(path)[0] == 0
    found = mmasmt.Plans(path.with_suffix(".toml")).explain(100, 200, 300, **fields)
    assert (found.model, found.status) == (plan, "inferred")


def test_an_unknown_plan_stays_unknown(tmp_path):
    path = recorded(tmp_path, f"epilogue(splitk({WGMMA}):S=5,tile=12,tiles=strided,combine=tree):out=bf16", "8x8x200", kernels=["a_kernel"])
    status, table = named(path, "--seconds", "5")
    assert status == 1
    assert "# No plan reproduces these products:\n# M=8 N=8 K=200" in table.read_text()
    assert "a_kernel" in table.read_text()
    with pytest.raises(ValueError, match="no rule"):
        mmasmt.Plans(table).explain(8, 8, 200)


def test_elements_that_tell_nothing_are_said(tmp_path):
    """A sum of one product is exact."""
    status, table = named(recorded(tmp_path, f"epilogue({WGMMA}):out=bf16", "4x4x1"))
    assert status == 0
    assert "few plans differ" in mmasmt.Plans(table).explain(4, 4, 1).note


def test_operands_are_what_their_page_says():
    """SplitMix64 and the choice of bits, once more and one by one; and sums that are 0."""
    case = plan_records.case_of({"M": 3, "N": 2, "K": 7, "a": "f16"})
    made = plan_records.operands(case)["a"]
    state = made.start
    for element in made.whole().reshape(-1):
        state = (state + plan_records.GAMMA) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        z ^= z >> 31
        assert element == z >> 63 << 15 | 15 - 2 + ((z >> 52) % 2**11 * 4 >> 11) << 10 | z % 2**10
    assert plan_records.digest(made.whole()) == plan_records.digest(made.some([0, 1, 2]))
    for depth in (1, 2, 7, 100):
        both = plan_records.operands({**case, "K": depth, "kind": "cancel"})
        a, b = (name_plans.numbers(both[name].whole(), "f16") for name in "ab")
        assert not (a @ b.T).any()
        assert depth == 1 or a.any()


def test_what_is_wrong_is_said(tmp_path):
    for given, said in (("8x8", "expected MxNxK"), ({"M": 1, "N": 1, "K": 0}, "K: expected"), ({"x": 1}, "found x"), ({"a": "f12"}, "a: expected")):
        with pytest.raises(ValueError, match=said):
            plan_records.case_of(given)
    path = recorded(tmp_path, f"epilogue({WGMMA}):out=bf16", "4x4x32")
    path.write_text(path.read_text().replace('"seed": 1', '"seed": 2'))
    with pytest.raises(SystemExit, match="whose hash is another one"):
        named(path)


def test_kernel_names():
    said = plan_candidates.of_kernels
    assert said(["nvjet_hsh_64x8_64x16_4x1_v_bz_splitK_TNT"])["tile"] == 64
    assert said(["ampere_bf16_s16816gemm_bf16_128x64_sliced1x2_ldg8_f2f_stages_32x6_tn"]) == {"tile": 32, "sliced": 2, "instruction": "k16"}
    assert said(["void gemv2T_kernel_val<int>"])["instruction"] == "sfma"
    assert plan_candidates.architecture("8.6") == "ampere"


def test_descriptors_are_those_of_pytorch():
    case = plan_records.case_of({"M": 16, "N": 32, "K": 64, **SLOW, "out": "e4m3"})
    said = cublaslt.described(case, 1 << 20)
    assert said["layouts"] == [(28, 64, 32, 64), (28, 64, 16, 64), (2, 32, 16, 32), (28, 32, 16, 32)]
    assert said["product"] == {"transa": 1, "transb": 0, "scale_a": True, "scale_b": True, "fast": 0}
    case = plan_records.case_of({"M": 16, "N": 32, "K": 64, "op": "addmm", "layout": "nt"})
    said = cublaslt.described(case, 0)
    assert said["layouts"][:2] == [(14, 32, 64, 32), (14, 16, 64, 16)]
    assert (said["product"]["epilogue"], said["preference"]["align_d"]) == (4, 256)


@pytest.mark.parametrize("layout", plan_records.LAYOUTS)
def test_operands_lie_in_memory_as_the_case_says(layout):
    """What PyTorch gets, on the processor."""
    device = object.__new__(record_plans.Gpu)
    device.torch, device.device = pytest.importorskip("torch"), "cpu"
    for op, out in (("mm", "bf16"), ("addmm", "bf16"), ("_scaled_mm", "bf16")):
        if op == "_scaled_mm" and layout != "tn":
            continue
        given = {"M": 16, "N": 32, "K": 48, "op": op, "a": "e4m3" if op == "_scaled_mm" else "bf16", "layout": layout, "alpha": 0.5, "out": out}
        case = plan_records.case_of(given)
        made = plan_records.operands(case)
        a, b = (name_plans.numbers(made[name].whole(), case[name]) for name in "ab")
        expected = a @ b.T * (0.5 if op == "_scaled_mm" else 1)
        if case["bias"]:
            expected += name_plans.numbers(made["bias"].whole(), case["out"])
        product = device.product(case)
        own = {name: cell.cell_contents for name, cell in zip(product.__code__.co_freevars, product.__closure__, strict=True)}
        # A column of cuBLAS is a row of PyTorch, one step from the next.
        steps = [step for _, _, _, step in cublaslt.described(case, 0)["layouts"][:2]]
        assert own["b"].stride() == ((1, steps[0]) if layout[0] == "t" else (steps[0], 1))
        assert own["a"].stride() == ((1, steps[1]) if layout[1] == "t" else (steps[1], 1))
        try:
            found = product()
        except NotImplementedError:
            # PyTorch 2.7 has no `_scaled_mm` on a processor.
            continue
        assert np.allclose(found.double().numpy(), expected, rtol=0.01, atol=0.05)


def test_a_record_of_pytorch(monkeypatch, tmp_path):
    """On the processor, whose kernels the profiler does not name."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    device = object.__new__(record_plans.Gpu)
    device.torch, device.device, device.workspace = torch, "cpu", 0
    device.heuristic = types.SimpleNamespace(ask=lambda case, workspace: {"status": 0, "algo": 66, "workspace": workspace})
    device.machine = lambda: {"name": "processor", "capability": "9.0", "sms": 1, "library": "none", "torch": torch.__version__}
    case = plan_records.case_of({"M": 3, "N": 4, "K": 5, "op": "addmm", "a": "f32", "kind": "ones"})
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(record_plans.record(device, case, 2)) + "\n")
    [(_, found)] = plan_records.read(path)
    assert (found["rows"], found["columns"], found["kernels"], found["repeats"]) == ([0, 2], [0, 3], [], True)
    assert plan_records.bits(found["bits"], "f32").view(np.float32).tolist() == [[6, 6], [6, 6]]
    assert name_plans.Product(found).d.shape == (2, 2)


def test_the_library_takes_the_descriptors():
    """Where there is a cuBLASLt; no GPU is asked."""
    pytest.importorskip("torch")
    try:
        heuristic = cublaslt.Heuristic(cublaslt.library())
    except (OSError, RuntimeError) as error:
        pytest.skip(str(error))
    for given in ({}, {"op": "addmm", "layout": "nt"}, SLOW, {**SLOW, "out": "e4m3", "bias": True}, {"a": "f32", "tf32": True}, {"a": "f64"}):
        made = []
        heuristic.descriptors(plan_records.case_of({"M": 16, "N": 32, "K": 64, **given}), 1 << 20, made)
        assert len(made) == 6
        assert all(end(one) == 0 for end, one in reversed(made))
    assert None not in heuristic.fields(cublaslt.Result()).values()
